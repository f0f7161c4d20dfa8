// The queue of lanes on pg-boss: one job for each lane with due work, in a schema of its own in the same database. The
// sources stay the backlog: a pass adds jobs for a bounded number of lanes, oldest first, and the next pass is made when a
// process has nothing to do. Jobs of a process that is gone are given to another after their heartbeat.
// See docs/decisions/0155-pg-boss-hands-out-lanes.md
import { type JobWithMetadata, PgBoss } from 'pg-boss'
import type { AskedPollQueue, LaneQueue, OfferOptions, TakenLane } from '../../ports/lane-queue.ts'
import type { Log } from '../../ports/log.ts'
import type { Database } from '../database/db.ts'
import { openAskedPolls } from './asked-poll-queue.ts'
import {
  KEY,
  type LaneToOffer,
  lanesToHurry,
  lanesToOffer,
  mayOffer,
  prepareOffers,
  QUEUE,
  SCHEMA,
} from './lanes-to-offer.ts'

/** Shorter than the lease of a host: when that ends, another process has the lane already. */
const HEARTBEAT_SECONDS = 25
const TOUCH_EVERY_MS = 10_000
/** A longer time would cost less, but a killed process has to be noticed well within 45 seconds. */
const SUPERVISE_SECONDS = 5
const DELETE_DONE_SECONDS = 60
const LANES_PER_PASS = 1000
const HURRIED_PER_PASS = 100
/** Of a lane in which a person waits for something; others have 0. */
const URGENT = 1
const CONNECTIONS = 2

type Job = Pick<JobWithMetadata, 'id' | 'retryCount' | 'singletonKey' | 'priority'>

export async function openLaneQueue(url: string, db: Database, log?: Log): Promise<LaneQueue> {
  const boss = new PgBoss({
    ...{ connectionString: url, schema: SCHEMA, max: CONNECTIONS, application_name: 'tidings-queue' },
    ...{ schedule: false, supervise: true, reindex: false, monitorVacuum: false },
    ...{ superviseIntervalSeconds: SUPERVISE_SECONDS, monitorIntervalSeconds: SUPERVISE_SECONDS },
    maintenanceIntervalSeconds: DELETE_DONE_SECONDS,
  })
  // Without a listener an error would end the process. The store itself logs that its database is away.
  boss.on('error', (error) => log?.debug({ reason: String(error) }, '[Queue] pg-boss reports an error'))
  try {
    await startBeside(boss, db)
    await createLanes(boss)
    await prepareOffers(db)
    return new PgBossQueue(boss, db, await openAskedPolls(boss, db), log)
  } catch (error) {
    await boss.stop({ graceful: false, close: true }).catch(() => {})
    throw error
  }
}

/**
 * Where two processes start on a new database at once, one of them makes the schema. A connection that looked for the
 * schema before may still remember that there was none, so that the other process fails. It finds the schema then.
 */
async function startBeside(boss: PgBoss, { dialect }: Database): Promise<void> {
  try {
    await boss.start()
  } catch (error) {
    if (!dialect.isUniqueViolation(error)) throw error
    await boss.start()
  }
}

async function createLanes(boss: PgBoss): Promise<void> {
  await boss.createQueue(QUEUE, {
    policy: 'exclusive',
    ...{ heartbeatSeconds: HEARTBEAT_SECONDS, expireInSeconds: 3600, deleteAfterSeconds: 5 },
    ...{ retryLimit: 1_000_000, retryDelay: 0 },
  })
  // A queue that was made by an earlier version stays as it was otherwise.
  await boss.updateQueue(QUEUE, { heartbeatSeconds: HEARTBEAT_SECONDS })
}

const byName = (a: LaneToOffer, b: LaneToOffer): number => (a.lane < b.lane ? -1 : 1)

class PgBossQueue implements LaneQueue {
  readonly #boss: PgBoss
  readonly #db: Database
  readonly #log: Log | undefined
  readonly #jobs = new Map<string, Job>()
  readonly #heartbeat: NodeJS.Timeout
  readonly askedPolls: AskedPollQueue

  constructor(boss: PgBoss, db: Database, askedPolls: AskedPollQueue, log: Log | undefined) {
    this.#boss = boss
    this.#db = db
    this.#log = log
    this.askedPolls = askedPolls
    this.#heartbeat = setInterval(() => void this.#touch(), TOUCH_EVERY_MS).unref()
  }

  async offerDue(now: number, { everyMs, skipOpenBreakers }: OfferOptions): Promise<number> {
    if (!(await mayOffer(this.#db, everyMs))) return 0
    for (const lane of await lanesToHurry(this.#db, now, HURRIED_PER_PASS)) await this.offerUrgent(lane)
    const lanes = await lanesToOffer(this.#db, { now, skipOpenBreakers, most: LANES_PER_PASS })
    if (lanes.length === 0) return 0
    // A lane that got a job meanwhile keeps that one. In one order, so that two processes do not wait for each other.
    await this.#boss.insert(
      QUEUE,
      lanes
        .toSorted(byName)
        .map(({ lane, isUrgent }) => ({ singletonKey: KEY + lane, ...(isUrgent && { priority: URGENT }) })),
    )
    return lanes.length
  }

  async offerUrgent(lane: string): Promise<void> {
    await this.#boss.upsert(QUEUE, undefined, { singletonKey: KEY + lane, priority: URGENT })
  }

  async take(most: number, which: 'all' | 'urgent' = 'all'): Promise<readonly TakenLane[]> {
    const atLeast = which === 'urgent' ? { minPriority: URGENT } : {}
    const jobs = await this.#boss.fetch(QUEUE, { batchSize: most, includeMetadata: true, ...atLeast })
    return jobs.map((job) => {
      const lane = String(job.singletonKey).slice(KEY.length)
      this.#jobs.set(lane, job)
      return { lane, isUrgent: job.priority >= URGENT }
    })
  }

  async giveBack(lanes: readonly string[]): Promise<void> {
    const jobs = lanes.flatMap((lane) => this.#jobs.get(lane) ?? [])
    for (const lane of lanes) this.#jobs.delete(lane)
    if (jobs.length > 0) await this.#boss.complete(QUEUE, jobs)
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat)
    await this.giveBack([...this.#jobs.keys()]).catch(() => {})
    await this.#boss.stop({ graceful: false, close: true })
  }

  async #touch(): Promise<void> {
    const jobs = [...this.#jobs.values()]
    if (jobs.length === 0) return
    await this.#boss.touch(QUEUE, jobs).catch((error: unknown) => {
      this.#log?.debug({ reason: String(error) }, '[Queue] the lanes in hand could not be renewed')
    })
  }
}
