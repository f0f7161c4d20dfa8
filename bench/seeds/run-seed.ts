// One seed: a world, an engine in it, and everything that goes wrong, until something breaks a promise or all is well.
import './no-threads.ts'

import { isStoreAway, Problem } from '../../src/domain/problem.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/domain/schedule.ts'
import type { Config } from '../../src/ports/config.ts'
import type { Database, Row } from '../../src/storage/database/db.ts'
import { openMigratedDatabase } from '../../src/storage/open-store.ts'
import { between, type Chance, pick, streamOf } from '../seeded.ts'
import { configOf, MAX_BACKOFF_HOURS } from './config.ts'
import { faultLog } from './fault-log.ts'
import { FORETOLD_HOURS, Foretold } from './foretold.ts'
import { inProcessDocuments, loadReaders } from './in-process-documents.ts'
import { Ledger } from './ledger.ts'
import { EngineLife } from './life.ts'
import { Manners } from './manners.ts'
import { SimulatedNetwork } from './network.ts'
import { People } from './people.ts'
import type { SeedPlan } from './plan.ts'
import { Promises } from './promises.ts'
import { VirtualTime, WORLD_START } from './virtual-time.ts'

/** After the last fault, all enabled sources succeed within this time. */
const CALM_HOURS = 9

export interface SeedResult {
  readonly plan: SeedPlan
  /** The first promise that was broken; null: none. */
  readonly violation: string | null
  readonly requests: number
  readonly records: number
  readonly lives: number
  /** The same for the same plan, always. */
  readonly digest: string
}

export async function runSeed(plan: SeedPlan): Promise<SeedResult> {
  await loadReaders()
  const { db, schemaVersion } = await openMigratedDatabase('file::memory:', { now: WORLD_START })
  const time = new VirtualTime()
  const giveBack = time.takeOver()
  try {
    return await new SeedRun(plan, time, db, schemaVersion).run()
  } finally {
    giveBack()
    await db.close()
  }
}

class SeedRun {
  readonly #plan: SeedPlan
  readonly #time: VirtualTime
  readonly #db: Database
  readonly #schemaVersion: number
  readonly #chance: Chance
  readonly #chanceOfWhy: Chance
  readonly #config: Config
  readonly #manners: Manners
  readonly #ledger: Ledger
  readonly #network: SimulatedNetwork
  readonly #people: People
  readonly #promises: Promises
  readonly #delays = new Map<number, number | null>()
  readonly #violations: string[] = []
  #life: EngineLife | null = null
  #lives = 0
  #ids = 0
  #digest = 0
  #isCalm = false
  #diskFullUntil = -1
  #hasWritten = false
  /** Since then no tick is known to have come. */
  #hasJumped = false
  #tickAtJump: number | null = null

  constructor(plan: SeedPlan, time: VirtualTime, db: Database, schemaVersion: number) {
    this.#plan = plan
    this.#time = time
    this.#db = db
    this.#schemaVersion = schemaVersion
    this.#chance = streamOf(plan.seed, 'run')
    this.#chanceOfWhy = streamOf(plan.seed, 'why')
    this.#config = configOf(plan)
    const report = (violation: string): void => {
      this.#violations.push(violation)
    }
    this.#manners = new Manners(time, report, (request) => this.#note(request))
    this.#promises = new Promises(report)
    this.#ledger = new Ledger(db, () => time.now(), report)
    // What looks like our own outage is given back.
    this.#ledger.isForgiving = plan.faults.some((fault) => ['outage', 'dns', 'reset'].includes(fault))
    this.#network = new SimulatedNetwork({
      plan,
      time,
      manners: this.#manners,
      delayMs: (feed, host, kind) => this.#delayMs(feed, host, kind),
      capMs: MAX_BACKOFF_HOURS * HOUR_MS,
      onServed: (feed, entries) => {
        this.#ledger.show(feed, entries)
        this.#life?.tempt()
      },
    })
    this.#people = new People({
      plan,
      life: () => this.#life,
      delays: this.#delays,
      onDelayChanged: () => this.#manners.delayChanged(),
      later: (ms, run) => void this.#time.after(ms, run),
      onTouched: (id) => this.#promises.forget(id),
    })
  }

  async run(): Promise<SeedResult> {
    const { minutes, faults } = this.#plan
    this.#isCalm = true
    await this.#begin()
    this.#isCalm = false
    this.#askWhyLater()
    if (faults.includes('people')) this.#actLater()
    if (faults.includes('clock')) this.#jumpLater()
    if (faults.includes('store')) this.#fillDiskLater()
    await this.#passTo(minutes * MINUTE_MS, async () => false)
    this.#isCalm = true
    await this.#recover()
    if (!this.#violations[0]) await this.#compareForecast()
    if (!this.#violations[0]) await this.#ledger.audit()
    const digest = (this.#digest >>> 0).toString(16)
    const counted = { requests: this.#manners.requests, records: this.#ledger.records, lives: this.#lives }
    return { plan: this.#plan, violation: this.#violations[0] ?? null, ...counted, digest }
  }

  /** Timer after timer, until `elapsedMs`, the first violation, or `isOver`. */
  async #passTo(elapsedMs: number, isOver: () => Promise<boolean>): Promise<void> {
    for (;;) {
      await this.#time.settled()
      await this.#look()
      if (this.#violations.length > 0 || (await isOver())) return
      if (!this.#time.ringNext(elapsedMs)) return
    }
  }

  async #look(): Promise<void> {
    if (!this.#hasWritten) return
    this.#hasWritten = false
    const before = this.#ledger.records
    if (await this.#ledger.hasTurned()) this.#promises.forgetTroubled()
    for (const record of await this.#ledger.readRecords()) {
      this.#promises.keep(record)
      this.#note(`${record.id} ${record.outcome} ${record.started_at} ${record.created} ${record.found}`)
    }
    if (Math.floor(before / 40) !== Math.floor(this.#ledger.records / 40)) await this.#ledger.audit()
  }

  async #compareForecast(): Promise<void> {
    if (!this.#life) return
    const foretold = await Foretold.ask(this.#life, this.#db, this.#config, this.#time.now(), this.#longestLaneMs())
    await this.#passTo(this.#time.elapsedMs + FORETOLD_HOURS * HOUR_MS, async () => false)
    this.#violations.push(...(await foretold.compare(this.#db)))
  }

  async #recover(): Promise<void> {
    // By records, not by instants: when the clock was set back, a success of before the calm seems to come after it.
    const [last] = await this.#db.all('SELECT COALESCE(max(id), 0) AS id FROM polls')
    this.#promises.forget(null)
    const waitingFor = (): Promise<readonly Row[]> =>
      this.#db.all(
        `SELECT id, url FROM sources WHERE enabled = 1 AND NOT EXISTS
           (SELECT 1 FROM polls WHERE source_id = sources.id AND id > ? AND outcome = 'success')`,
        [Number(last?.id)],
      )
    let looked = this.#ledger.records
    await this.#passTo(this.#time.elapsedMs + CALM_HOURS * HOUR_MS, async () => {
      if (looked === this.#ledger.records) return false
      looked = this.#ledger.records
      return (await waitingFor()).length === 0
    })
    const [stuck] = this.#violations.length > 0 ? [] : await waitingFor()
    if (!stuck) return
    const why = await this.#life?.engine.why(String(stuck.id)).catch(() => null)
    const inWords = why?.sentence ?? 'no process runs'
    this.#violations.push(`stuck: ${stuck.url} did not succeed in ${CALM_HOURS} calm hours: ${inWords}`)
  }

  async #begin(): Promise<void> {
    const life = this.#newLife()
    await this.#people.addFirst(life)
    await life.engine.start()
  }

  #newLife(): EngineLife {
    const life: EngineLife = new EngineLife({
      plan: this.#plan,
      time: this.#time,
      db: this.#db,
      schemaVersion: this.#schemaVersion,
      network: this.#network,
      documents: inProcessDocuments(() => this.#readerFailure()),
      config: this.#config,
      log: faultLog((violation) => this.#violations.push(violation)),
      number: this.#lives++,
      isCalm: () => this.#isCalm,
      isDiskFull: () => this.#time.elapsedMs < this.#diskFullUntil,
      onStoreError: () => {
        this.#manners.forgetRecentWords()
        this.#manners.endForgotten()
        this.#promises.forget(null)
      },
      onWrite: () => {
        this.#hasWritten = true
      },
      onSpin: () => this.#violations.push('spins: the engine goes on and on without waiting, so no time passes'),
      onDeath: () => this.#afterDeath(),
      newId: () => `0000000000000000-${String(++this.#ids).padStart(6, '0')}`,
    })
    this.#life = life
    return life
  }

  #afterDeath(): void {
    this.#life = null
    this.#manners.cutShort()
    this.#promises.forget(null)
    this.#manners.forgetRecentWords()
    const downMs = pick(this.#chance, [0, 0, 1000, 5 * MINUTE_MS, 40 * MINUTE_MS])
    this.#time.after(downMs, () => {
      void this.#newLife().engine.start()
    })
  }

  #askWhyLater(): void {
    this.#time.after(between(this.#chanceOfWhy, 5 * MINUTE_MS, 40 * MINUTE_MS), () => {
      this.#askWhyLater()
      if (this.#isCalm) this.#promises.checkLate(this.#time.now(), this.#longestLaneMs(), this.#turnsMs())
      void this.#askWhy().catch(() => {})
    })
  }

  async #askWhy(): Promise<void> {
    const ids = (await this.#db.all('SELECT id FROM sources ORDER BY id')).map(({ id }) => String(id))
    // Until a tick has come through, plans may be those of another time: a clock was set, or the disk is full.
    const tickedAt = await this.#ledger.tickedAt()
    if (this.#isBeforeTickAfterJump(tickedAt)) return
    const sinceTickMs = Math.abs(this.#time.now() - tickedAt)
    const isInTime = sinceTickMs <= 2 * this.#config.source.tickSeconds * 1000
    if (isInTime && this.#life && ids.length > 0)
      await this.#promises.ask(this.#life.engine, pick(this.#chanceOfWhy, ids))
  }

  /** After a small jump the last tick seems recent, although none has noticed the jump yet. */
  #isBeforeTickAfterJump(tickedAt: number): boolean {
    if (!this.#hasJumped) return false
    this.#tickAtJump ??= tickedAt
    this.#hasJumped = this.#tickAtJump === tickedAt
    if (!this.#hasJumped) this.#tickAtJump = null
    return this.#hasJumped
  }

  /** Two ticks, and a slow visit with the longest spacing for each source there may be. */
  #longestLaneMs(): number {
    return 2 * this.#config.source.tickSeconds * 1000 + (this.#plan.sources + 6) * 2 * MINUTE_MS
  }

  #turnsMs(): number {
    return this.#plan.sources * this.#config.source.tickSeconds * 1000
  }

  #actLater(): void {
    this.#time.after(this.#people.nextActionMs(), () => {
      if (this.#isCalm) return
      this.#actLater()
      void this.#act()
    })
  }

  async #act(): Promise<void> {
    const ids = (await this.#db.all('SELECT id FROM sources ORDER BY id')).map(({ id }) => String(id))
    await this.#people.act(ids).catch((error: unknown) => {
      if (error instanceof Problem || isStoreAway(error)) return
      this.#violations.push(`unexpected: a person got ${error instanceof Error ? error.stack : String(error)}`)
    })
  }

  #jumpLater(): void {
    this.#time.after(between(this.#chance, HOUR_MS, 5 * HOUR_MS), () => {
      if (this.#isCalm) return
      const ms = Math.round(between(this.#chance, -4 * HOUR_MS, 6 * HOUR_MS))
      this.#time.jump(ms)
      this.#hasJumped = true
      this.#tickAtJump = null
      // Plans are made again with the next tick, and what was said before that does not count.
      this.#promises.forget(null)
      this.#time.after(2 * this.#config.source.tickSeconds * 1000, () => this.#promises.forget(null))
      if (ms < 0) this.#manners.forgetWords()
      this.#ledger.isForgiving = true
      this.#jumpLater()
    })
  }

  #fillDiskLater(): void {
    this.#time.after(between(this.#chance, HOUR_MS, 6 * HOUR_MS), () => {
      if (this.#isCalm) return
      this.#diskFullUntil = this.#time.elapsedMs + between(this.#chance, 1000, 20 * MINUTE_MS)
      this.#fillDiskLater()
    })
  }

  #readerFailure() {
    if (this.#isCalm || !this.#plan.faults.includes('reader') || this.#chance() > 0.05) return null
    const code = pick(this.#chance, ['reader-timeout', 'reader-crashed'] as const)
    return { code, httpStatus: null, reason: 'the reader of documents ended' }
  }

  #delayMs(feed: number | null, host: string, kind: 'feed' | 'page' | 'robots'): number {
    const own = feed === null ? null : (this.#delays.get(feed) ?? null)
    // Said again here on purpose: a check that asks the engine's own rule would believe whatever that says.
    const { hostOverrides, pollDelaySeconds } = this.#config.source
    const configured = (type: string): number => hostOverrides[host]?.pollDelaySeconds ?? pollDelaySeconds[type] ?? 0
    if (kind === 'feed') return (own ?? configured('rss')) * 1000
    const asPage = configured('website')
    // A source's own delay counts for pages on its own host only, and the person may have moved it.
    return Math.min(asPage, own ?? asPage, kind === 'robots' ? 0 : asPage) * 1000
  }

  #note(text: string): void {
    for (const character of text) this.#digest = Math.imul(this.#digest ^ character.charCodeAt(0), 0x01000193)
  }
}
