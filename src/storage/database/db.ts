// What queries need of a database. Statements are plain SQL with `?` for values. Differences between the engines are in
// dialect.ts. A transaction is an async function. On SQLite it gives way to the event loop between its statements while
// other writers wait. On PostgreSQL it holds one connection.
// See docs/decisions/0010-plain-sql-instead-of-kysely.md
import type { DiskSpace } from '../../domain/disk-space.ts'
import type { NewEvent } from '../../domain/event.ts'
import type { Dialect, Param } from './dialect.ts'

export type { Param } from './dialect.ts'
export type Row = Readonly<Record<string, unknown>>

export interface Db {
  readonly dialect: Dialect
  /** A query of the same statement, by name: nothing is written unless it has a row. See later-writes.ts. */
  readonly onlyIf?: string
  all(sql: string, params?: readonly Param[]): Promise<Row[]>
  get(sql: string, params?: readonly Param[]): Promise<Row | undefined>
  /** Returns how many rows were changed. */
  run(sql: string, params?: readonly Param[]): Promise<number>
}

export interface Database extends Db {
  /** Commits all of `work` or nothing. Calls `work` again when the engine asks for a retry. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Calls `listener` after each commit that wrote events, with the id of the first; returns how to stop that. */
  onEventsWritten(listener: (firstId: number) => void): () => void
  /** Calls `listener` after each commit with what happened, also with events that no row was written for. */
  onEvents(listener: (events: readonly NewEvent[]) => void): () => void
  /** One statement that writes, as a transaction of its own. Returns the first row of its RETURNING clause. */
  write(sql: string, params?: readonly Param[]): Promise<Row | undefined>
  /** Tells listeners of what was written by a statement of its own. `firstId`: of the events' rows; null: there are none. */
  announceEvents(events: readonly NewEvent[], how: { readonly firstId: number | null }): void
  /** null if the database is not on a disk of this machine. Rejects if the database file is gone. */
  diskSpace(): Promise<DiskSpace | null>
  close(): Promise<void>
  /** The same database over connections of its own, which polls do not take. Closed with this one. */
  forRequests?(): Database
}

export interface Transaction extends Db {
  /** Runs several statements without values, for migrations. */
  script(sql: string): Promise<void>
  /** Listeners are told after the commit, and only then. `firstId`: of their rows; null: there are none. */
  announceEvents(events: readonly NewEvent[], how: { readonly firstId: number | null }): void
}
