// The little that the verbs need of a database. Statements are plain SQL with `?` for values; what differs between
// the engines is asked of the dialect. A transaction is an async function: on SQLite it lets the event loop turn
// between its statements while other writers wait, on PostgreSQL it holds one connection.
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
  /** All or nothing. May call `work` again when the engine asks for a retry. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface Transaction extends Db {
  /** Several statements without values: migrations. */
  script(sql: string): Promise<void>
}
