// What must be in the store, compared with what is: every entry that a recorded poll was shown, once; and counts that
// add up.
import { classify } from '../../src/fetching/classify.ts'
import type { Database, Row } from '../../src/storage/database/db.ts'
import type { Entry } from './feeds.ts'

const DAY_MS = 86_400_000
const KEPT_DAYS = 7
/** Events after which sources are planned again. */
const TURNS = ['host.closed', 'outage.started', 'outage.ended', 'source.enabled', 'source.moved']
/** As polls record them, of the errors that the weather and our own outage bring. */
const WAY_OUT_REASONS = ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET'].map(
  (code) => classify({ code }, 'connect').reason,
)

export class Ledger {
  readonly #db: Database
  readonly #now: () => number
  readonly #report: (violation: string) => void
  /** By feed: what its last answer showed. */
  readonly #shown = new Map<number, readonly Entry[]>()
  /** By source: what must be stored. */
  readonly #owed = new Map<string, Map<string, Entry>>()
  readonly #failures = new Map<string, number>()
  /** Ids are not given twice, so nothing that is recorded later has a lower one. */
  #lastRecord = 0
  #lastTurn = 0
  records = 0
  /** True once something happened that may give failures back. */
  isForgiving = false

  constructor(db: Database, now: () => number, report: (violation: string) => void) {
    this.#db = db
    this.#now = now
    this.#report = report
  }

  show = (feed: number, entries: readonly Entry[]): void => {
    this.#shown.set(feed, entries)
  }

  /** What was recorded since the last call. */
  async readRecords(): Promise<readonly Row[]> {
    const records = await this.#db.all(
      `SELECT polls.*, sources.url, sources.created_at, sources.consecutive_failures, sources.enabled,
         sources.disabled_reason, sources.max_failures
       FROM polls JOIN sources ON sources.id = polls.source_id WHERE polls.id > ? ORDER BY polls.id`,
      [this.#lastRecord],
    )
    for (const [index, record] of records.entries()) {
      this.#lastRecord = Number(record.id)
      this.records++
      this.#checkRecord(record)
      const isLast = !records.slice(index + 1).some((other) => other.source_id === record.source_id)
      if (isLast) this.#checkCounter(record)
      if (record.outcome === 'success') this.#owe(record)
    }
    return records
  }

  #owe(record: Row): void {
    const feed = Number(/\/f\/(\d+)/.exec(String(record.url))?.[1])
    const owed = this.#owed.get(String(record.source_id)) ?? new Map<string, Entry>()
    this.#owed.set(String(record.source_id), owed)
    for (const entry of this.#shown.get(feed) ?? []) {
      const at = entry.publishedAt
      if (at === null || (at > Number(record.created_at) && at > this.#now() - (KEPT_DAYS - 1) * DAY_MS)) {
        owed.set(entry.guid, entry)
      }
    }
  }

  #checkRecord(record: Row): void {
    const skipped = Object.values(JSON.parse(String(record.skipped)) as Record<string, number>)
    const sum = Number(record.created) + skipped.reduce((all, count) => all + count, 0)
    if (record.outcome === 'success' && Number(record.found) !== sum) {
      this.#report(`counts: ${record.url} found ${record.found}, but created and skipped ${sum}`)
    }
  }

  #checkCounter(record: Row): void {
    const id = String(record.source_id)
    const before = this.#failures.get(id) ?? 0
    const now = Number(record.consecutive_failures)
    this.#failures.set(id, now)
    if (record.outcome === 'success' && now !== 0)
      this.#report(`counter: ${record.url} has ${now} failures after a success`)
    if (record.outcome !== 'success' && !this.isForgiving && now !== before + 1 && now !== 1) {
      this.#report(`counter: ${record.url} went from ${before} failures to ${now} by one`)
    }
  }

  /** Something was written since the last call that plans sources of a troubled host again. */
  async hasTurned(): Promise<boolean> {
    const before = this.#lastTurn
    const [last] = await this.#db.all(
      `SELECT max(id) AS id FROM events WHERE type IN (${TURNS.map((type) => `'${type}'`).join(', ')})`,
    )
    this.#lastTurn = Number(last?.id ?? 0)
    return this.#lastTurn > before
  }

  async tickedAt(): Promise<number> {
    const [tick] = await this.#db.all(`SELECT value FROM meta WHERE key = 'last-tick-at'`)
    return Number(tick?.value ?? 0)
  }

  /** Reads the whole store. */
  async audit(): Promise<void> {
    const sources = await this.#db.all(
      'SELECT id, url, post_count, enabled, disabled_reason, max_failures FROM sources',
    )
    for (const source of sources) {
      const posts = await this.#db.all('SELECT guid FROM posts WHERE source_id = ?', [String(source.id)])
      const guids = posts.map(({ guid }) => String(guid))
      const stored = new Set(guids)
      if (stored.size !== guids.length)
        this.#report(`stored twice: ${source.url} has ${guids.length - stored.size} posts twice`)
      if (Number(source.post_count) !== guids.length) {
        this.#report(`counts: ${source.url} says ${source.post_count} posts and has ${guids.length}`)
      }
      const lost = [...(this.#owed.get(String(source.id))?.keys() ?? [])].filter((guid) => !stored.has(guid))
      if (lost.length > 0)
        this.#report(`lost: ${source.url} was shown ${lost.join(', ')} and recorded it, but has no such post`)
      if (!source.enabled && source.disabled_reason !== null) await this.#checkDisabled(source)
    }
    const [broken] = await this.#db.all('PRAGMA foreign_key_check')
    if (broken) this.#report(`foreign keys: ${JSON.stringify(broken)}`)
  }

  /** Only failures that are permanent, one after another, disable a source. */
  async #checkDisabled(source: Row): Promise<void> {
    const most = Number(source.max_failures ?? 5)
    // A failure on the way out during our own outage is given back with all that it changed, or was never counted: what
    // came before and after it is in a row.
    const polls = await this.#db.all(
      `SELECT outcome FROM polls WHERE source_id = ? AND NOT (outcome = 'transient'
         AND reason IN (SELECT value FROM json_each(?))
         AND EXISTS (SELECT 1 FROM events AS began WHERE began.type = 'outage.started'
           AND polls.started_at + polls.duration_ms BETWEEN
             CAST(round(unixepoch(began.data ->> 'since', 'subsec') * 1000) AS INTEGER)
             AND COALESCE((SELECT at FROM events WHERE type = 'outage.ended' AND id > began.id ORDER BY id LIMIT 1), ?)))
       ORDER BY id`,
      [String(source.id), JSON.stringify(WAY_OUT_REASONS), this.#now()],
    )
    // Polls by hand may have followed, with any outcome.
    const run = polls.map(({ outcome }) => (outcome === 'permanent' ? 'p' : '.')).join('')
    if (!run.includes('p'.repeat(most)))
      this.#report(`disabled: ${source.url} without ${most} permanent failures in a row`)
  }
}
