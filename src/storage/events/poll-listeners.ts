// Whether anybody listens to finished polls. A poll that found nothing writes no event row unless somebody does: most
// polls find nothing, and their rows would cost more than the rest of the poll.
// Listeners of this process are counted here. On PostgreSQL they are also noted in the store, in its own time, because
// other processes poll for them. They count for a while after they left, so that whoever resumes finds what it missed.
// See docs/decisions/0152-no-event-rows-for-polls-that-found-nothing.md
import type { Database, Db } from '../database/db.ts'

const KEY = 'polls-heard-at'
const REMEMBERED_MS = 15 * 60_000
const NOTE_EVERY_MS = 5 * 60_000

export class PollListeners {
  readonly #db: Database
  #count = 0
  #leftAt: number | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(db: Database) {
    this.#db = db
  }

  /** Resolves when other processes can know. The function that it returns ends the listening. */
  async add(): Promise<() => void> {
    this.#count++
    this.#timer ??= setInterval(() => void this.#note().catch(() => {}), NOTE_EVERY_MS).unref()
    let isOver = false
    const end = (): void => {
      if (isOver) return
      isOver = true
      this.#leftAt = performance.now()
      if (--this.#count > 0 || !this.#timer) return
      clearInterval(this.#timer)
      this.#timer = null
    }
    await this.#note().catch((error: unknown) => {
      end()
      throw error
    })
    return end
  }

  get areHere(): boolean {
    return this.#count > 0 || (this.#leftAt !== null && performance.now() - this.#leftAt < REMEMBERED_MS)
  }

  async #note(): Promise<void> {
    if (!this.#db.dialect.isShared) return
    await this.#db.run(
      `INSERT INTO meta (key, value) VALUES (?, CAST(${NOW_MS} AS TEXT))
       ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      [KEY],
    )
  }
}

const NOW_MS = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)'

/** The condition is that of the index on webhooks. */
const A_WEBHOOK = `EXISTS (SELECT 1 FROM webhooks WHERE disabled_at IS NULL AND types LIKE '%poll.finished%')`
const ANOTHER_PROCESS = `EXISTS (SELECT 1 FROM meta WHERE key = '${KEY}' AND CAST(value AS BIGINT) > ${NOW_MS} - ${REMEMBERED_MS})`

/** As a condition, on PostgreSQL. */
export const HAS_OTHER_POLL_LISTENERS = `(${A_WEBHOOK} OR ${ANOTHER_PROCESS})`

/** Whether somebody listens who is not counted in this process: a webhook, or another process. */
export async function hasOtherPollListeners(db: Db): Promise<boolean> {
  const others = db.dialect.isShared ? HAS_OTHER_POLL_LISTENERS : A_WEBHOOK
  return Boolean(Number((await db.get(`SELECT CASE WHEN ${others} THEN 1 ELSE 0 END AS heard`))?.heard))
}
