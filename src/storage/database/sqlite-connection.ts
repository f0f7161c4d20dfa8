// One connection to a SQLite file: its prepared statements, and retries while another process locks the file.
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Param, Row } from './db.ts'

// The driver blocks the event loop while it waits for a lock. It waits briefly, and we sleep between its tries.
const DRIVER_WAIT_MS = 5
const BUSY_TIMEOUT_MS = 10_000
const KEPT_STATEMENTS = 300
const SQLITE_BUSY = 5

export class SqliteConnection {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { timeout: DRIVER_WAIT_MS, enableForeignKeyConstraints: true })
  }

  script(sql: string): void {
    this.#db.exec(sql)
  }

  all(sql: string, params: readonly Param[]): Row[] {
    return this.#prepared(sql).all(...bound(params))
  }

  get(sql: string, params: readonly Param[]): Row | undefined {
    return this.#prepared(sql).get(...bound(params))
  }

  run(sql: string, params: readonly Param[]): number {
    return Number(this.#prepared(sql).run(...bound(params)).changes)
  }

  /** Repeats `work` while another process locks the file, for ten seconds at most. */
  async retryWhileBusy<T>(work: () => T): Promise<T> {
    const startedAt = performance.now()
    for (let waitMs = 2; ; waitMs = Math.min(waitMs * 2, 100)) {
      try {
        return work()
      } catch (error) {
        if (!isBusy(error) || performance.now() - startedAt > BUSY_TIMEOUT_MS) throw error
      }
      await sleep(waitMs)
    }
  }

  close(): void {
    this.#statements.clear()
    this.#db.close()
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (statement) return statement
    statement = this.#db.prepare(sql)
    if (this.#statements.size >= KEPT_STATEMENTS) this.#statements.clear()
    this.#statements.set(sql, statement)
    return statement
  }
}

function bound(params: readonly Param[]): (string | number | null | Uint8Array)[] {
  // Lists arrive as JSON text: sqliteDialect.list made them.
  return params as (string | number | null | Uint8Array)[]
}

function isBusy(error: unknown): boolean {
  return (Number((error as { errcode?: number }).errcode) & 0xff) === SQLITE_BUSY
}
