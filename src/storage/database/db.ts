// What queries need of a database. Statements are plain SQL with `?` for values. Differences between the engines are in
// dialect.ts. A transaction is an async function. On SQLite it gives way to the event loop between its statements while
// other writers wait. On PostgreSQL it holds one connection.
// See docs/decisions/0010-plain-sql-instead-of-kysely.md
import type { DiskSpace } from '../../domain/disk-space.ts'
import type { Dialect, Param } from './dialect.ts'

export type { Param } from './dialect.ts'
export type Row = Readonly<Record<string, unknown>>

export interface Db {
  readonly dialect: Dialect
  all(sql: string, params?: readonly Param[]): Promise<Row[]>
  get(sql: string, params?: readonly Param[]): Promise<Row | undefined>
  /** Returns how many rows were changed. */
  run(sql: string, params?: readonly Param[]): Promise<number>
}

export interface Database extends Db {
  /** Commits all of `work` or nothing. Calls `work` again when the engine asks for a retry. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Calls `listener` after each commit that wrote events; returns how to stop that. */
  onEventsWritten(listener: () => void): () => void
  /** null if the database is not on a disk of this machine. Rejects if the database file is gone. */
  diskSpace(): Promise<DiskSpace | null>
  close(): Promise<void>
}

export interface Transaction extends Db {
  /** Runs several statements without values, for migrations. */
  script(sql: string): Promise<void>
  /** Event rows were written: listeners are told after the commit, and only then. */
  announceEvents(): void
}
