// Holds an SQLite file for this instance of the library, so that no `serve` and no other instance polls on it at the same
// time: two of them would not know when the other visited a host.
// See docs/decisions/0004-sqlite-transaction-as-process-lock.md
import { setTimeout } from 'node:timers/promises'
import { databaseOf } from '../database-url.ts'
import { Problem } from '../domain/problem.ts'
import { readServeFile } from '../store-lock/serve-file.ts'
import { type Lock, lockForServe } from '../store-lock/store-lock.ts'

/** A command that is about to end releases the file soon. */
const PATIENCE_MS = 2000
const LOOK_EVERY_MS = 50

export class FileHold {
  /** null: PostgreSQL, or a database in memory, which nobody else can open. */
  readonly #path: string | null
  #lock: Lock | null = null
  #taking: Promise<void> | null = null

  constructor(databaseUrl: string) {
    const database = databaseOf(databaseUrl)
    this.#path = database?.engine === 'sqlite' && database.path !== ':memory:' ? database.path : null
  }

  /** Until `release`. Throws the problem 'store-in-use' if somebody else has the file. */
  take(): Promise<void> {
    if (this.#path === null || this.#lock !== null) return Promise.resolve()
    this.#taking ??= this.#takeLock(this.#path).finally(() => {
      this.#taking = null
    })
    return this.#taking
  }

  /** For the time of `work`, if it is not held anyway. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#lock !== null) return work()
    await this.take()
    try {
      return await work()
    } finally {
      this.release()
    }
  }

  release(): void {
    this.#lock?.release()
    this.#lock = null
  }

  async #takeLock(path: string): Promise<void> {
    const giveUpAt = performance.now() + PATIENCE_MS
    for (;;) {
      this.#lock = lockForServe(path)
      if (this.#lock) return
      const running = readServeFile(path)
      if (running || performance.now() > giveUpAt) throw inUse(path, running)
      await setTimeout(LOOK_EVERY_MS)
    }
  }
}

function inUse(path: string, running: { readonly url: string; readonly pid: number } | null): Problem {
  const own = 'or give this program a database of its own'
  return new Problem(
    'store-in-use',
    running
      ? `A tidings serve works on ${path} (${running.url}, process ${running.pid}). Use its REST API, stop it first, ${own}.`
      : `Another program or tidings command works on ${path}. Let it end, or call stop() there, ${own}.`,
  )
}
