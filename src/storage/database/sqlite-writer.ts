// Writes to SQLite, one transaction at a time. Transactions of one turn of the event loop are committed together, at its
// end: a commit copies every changed page into the write-ahead log, and polls that end at the same time change many of the
// same pages. Each transaction of such a group is a savepoint, so that one that fails undoes nothing of the others. None of
// them is over before the commit: if that fails, all of them have failed.
// See docs/decisions/0176-waiting-transactions-are-committed-together.md
import type { SqliteAvailability } from './sqlite-availability.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import type { TimeSlice } from './time-slice.ts'
import type { WalCheckpoints } from './wal-checkpoints.ts'
import { WriteQueue } from './write-queue.ts'

/** Nobody joins a group that is older, because those in it wait for the commit. */
const JOIN_WITHIN_MS = 10

export interface SqliteWriterParts {
  readonly connection: SqliteConnection
  readonly availability: SqliteAvailability
  readonly slice: TimeSlice
  /** null: in memory. */
  readonly checkpoints: WalCheckpoints | null
}

interface Group {
  readonly startedAt: number
  readonly committed: PromiseWithResolvers<void>
  size: number
}

export class SqliteWriter {
  readonly #parts: SqliteWriterParts
  readonly #queue = new WriteQueue()
  #group: Group | null = null

  constructor(parts: SqliteWriterParts) {
    this.#parts = parts
  }

  /** For work that must not run beside a transaction. Resolves with the function that leaves the queue. */
  async enterQueue(): Promise<() => void> {
    const leaveQueue = await this.#queue.enter()
    if (this.#group) this.#commit(this.#group)
    return leaveQueue
  }

  /** Returns what `work` returns, when it is committed. */
  async write<T>(work: () => Promise<T>): Promise<T> {
    const { result, group } = await this.#takeTurn(work)
    await group.committed.promise
    return result
  }

  async #takeTurn<T>(work: () => Promise<T>): Promise<{ result: T; group: Group }> {
    const leaveQueue = await this.#queue.enter()
    try {
      const group = this.#group ?? (await this.#begin())
      return { result: await this.#join(group, work), group }
    } catch (error) {
      throw this.#parts.availability.onError(error)
    } finally {
      if (this.#group && !this.#mayGrow(this.#group)) this.#commit(this.#group)
      this.#leave(leaveQueue)
    }
  }

  async #begin(): Promise<Group> {
    const { connection, availability, slice } = this.#parts
    if (slice.isUsedUp) await slice.nextTurn()
    availability.requireFiles()
    await connection.retryWhileBusy(() => connection.script('BEGIN IMMEDIATE'))
    const committed = Promise.withResolvers<void>()
    // Those in the group hear of it. Without anybody in it, nobody needs to.
    committed.promise.catch(() => {})
    const group = { startedAt: performance.now(), committed, size: 0 }
    this.#group = group
    if (this.#mayGrow(group)) setImmediate(() => void this.#endTurn(group))
    return group
  }

  /** A transaction that is under way gave way to the event loop: it ends first, and is in the group. */
  async #endTurn(group: Group): Promise<void> {
    if (this.#group !== group) return
    const leaveQueue = await this.#queue.enter()
    if (this.#group === group) this.#commit(group)
    this.#leave(leaveQueue)
  }

  /** The first one needs no savepoint: without others, all of the transaction is its own. */
  async #join<T>(group: Group, work: () => Promise<T>): Promise<T> {
    const { connection } = this.#parts
    const isFirst = group.size === 0
    if (!isFirst) connection.script('SAVEPOINT joined')
    try {
      const result = await work()
      if (!isFirst) connection.script('RELEASE joined')
      group.size++
      return result
    } catch (error) {
      if (isFirst) this.#giveUp(group, error)
      else this.#undo(group, error)
      throw error
    }
  }

  /** A full disk makes SQLite roll back the whole transaction, and then all of the group have failed. */
  #undo(group: Group, error: unknown): void {
    const { connection } = this.#parts
    try {
      connection.script('ROLLBACK TO joined; RELEASE joined')
    } catch {
      this.#giveUp(group, error)
    }
  }

  #mayGrow({ startedAt }: Group): boolean {
    return this.#parts.checkpoints !== null && performance.now() - startedAt < JOIN_WITHIN_MS
  }

  #commit(group: Group): void {
    const { connection, availability } = this.#parts
    try {
      connection.script('COMMIT')
      // Once more: what was committed into a deleted file is lost.
      availability.requireFiles()
      availability.onWritten()
      this.#group = null
      group.committed.resolve()
    } catch (error) {
      this.#giveUp(group, availability.onError(error))
    }
  }

  #giveUp(group: Group, error: unknown): void {
    this.#group = null
    try {
      this.#parts.connection.script('ROLLBACK')
    } catch {
      // SQLite rolled back by itself (disk full), or the transaction is committed.
    }
    group.committed.reject(error)
  }

  /** The next writer waits for a checkpoint. The event loop and the caller do not. */
  #leave(leaveQueue: () => void): void {
    const { checkpoints } = this.#parts
    if (this.#group === null && checkpoints?.isDue()) void checkpoints.run().finally(leaveQueue)
    else leaveQueue()
  }
}
