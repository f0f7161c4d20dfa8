// Polls that somebody asked for, as jobs of pg-boss: one for each source that waits, in the order in which they came. Nobody
// fetches them, because pg-boss cannot give out the jobs of one lane only: the process that has the lane reads them and
// completes them with their answer. Until then they wait, so a crash in between loses none.
import type { PgBoss } from 'pg-boss'
import type { PollRequest } from '../../ports/coordinator.ts'
import type { AskedPoll, AskedPollQueue, PollAnswer } from '../../ports/lane-queue.ts'
import type { Database, Row } from '../database/db.ts'
import { prepared } from '../database/prepared.ts'
import { ASKED_POLLS, KEY, SCHEMA } from './lanes-to-offer.ts'

/** Longer than any lane is closed. */
const KEEP_WAITING_SECONDS = 7 * 24 * 3600
/** Longer than a caller needs to look for its answer. */
const KEEP_ANSWER_SECONDS = 600

type Asked = Pick<AskedPoll, 'trigger' | 'request'>

export async function openAskedPolls(boss: PgBoss, db: Database): Promise<AskedPollQueue> {
  await boss.createQueue(ASKED_POLLS, {
    policy: 'exclusive',
    ...{ retentionSeconds: KEEP_WAITING_SECONDS, deleteAfterSeconds: KEEP_ANSWER_SECONDS },
  })
  return new PgBossAskedPolls(boss, db)
}

class PgBossAskedPolls implements AskedPollQueue {
  readonly #boss: PgBoss
  readonly #db: Database

  constructor(boss: PgBoss, db: Database) {
    this.#boss = boss
    this.#db = db
  }

  async ask({ lane, trigger, request }: AskedPoll): Promise<string> {
    const asked: Asked = { trigger, request }
    for (;;) {
      const id =
        (await this.#boss.send(ASKED_POLLS, asked, { singletonKey: request.id, group: { id: KEY + lane } })) ??
        (await this.#waitingFor(request))
      // Null: the one that was in the way was answered this moment.
      if (id !== null) return id
    }
  }

  async #waitingFor({ id }: PollRequest): Promise<string | null> {
    const row = await this.#db.get(
      `SELECT id FROM ${SCHEMA}.job WHERE name = '${ASKED_POLLS}' AND state <= 'active' AND policy = 'exclusive'
         AND COALESCE(singleton_key, '') = ?`,
      [id],
    )
    return row ? String(row.id) : null
  }

  async waitingIn(lanes: readonly string[], most: number): Promise<readonly (AskedPoll & { readonly id: string })[]> {
    const { oneOf, list } = this.#db.dialect
    const rows = await this.#db.all(
      prepared(`SELECT id, group_id, data FROM ${SCHEMA}.job
       WHERE name = '${ASKED_POLLS}' AND state < 'active' AND NOT blocked AND ${oneOf('group_id')}
       ORDER BY created_on, id LIMIT ?`),
      [list(lanes.map((lane) => KEY + lane)), most],
    )
    return rows.map((row) => {
      const { trigger, request } = row.data as unknown as Asked
      return { id: String(row.id), lane: String(row.group_id).slice(KEY.length), trigger, request }
    })
  }

  async answer(id: string, answer: PollAnswer): Promise<void> {
    await this.#boss.complete(ASKED_POLLS, id, answer, { includeQueued: true })
  }

  async answersTo(ids: readonly string[]): Promise<ReadonlyMap<string, PollAnswer | 'gone'>> {
    const { oneOf, list } = this.#db.dialect
    const rows = await this.#db.all(
      prepared(`SELECT id, state, output FROM ${SCHEMA}.job
       WHERE name = '${ASKED_POLLS}' AND ${oneOf('CAST(id AS TEXT)')}`),
      [list(ids)],
    )
    const found = new Map(rows.map((row) => [String(row.id), row]))
    return new Map(ids.flatMap((id) => answerIn(id, found.get(id))))
  }

  async withdraw(id: string): Promise<void> {
    await this.#boss.cancel(ASKED_POLLS, id)
  }
}

function answerIn(id: string, row: Row | undefined): [string, PollAnswer | 'gone'][] {
  if (row?.state === 'completed') return [[id, row.output as unknown as PollAnswer]]
  return row?.state === 'created' ? [] : [[id, 'gone']]
}
