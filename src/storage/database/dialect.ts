// Every difference between the two engines that a query has to know, with its reason. Everything else is the same SQL
// on both: ON CONFLICT, RETURNING, partial and expression indexes, row values, recursive queries.

import { binaryArray } from './binary-array.ts'
import { type IdDialect, postgresIds, sqliteIds } from './id-dialect.ts'
import { postgresSearch } from './postgres-search.ts'
import type { SearchDialect } from './search-dialect.ts'
import { postgresSourceTexts, type SourceTextDialect, sqliteSourceTexts } from './source-text-dialect.ts'
import { sqliteSearch } from './sqlite-search.ts'
import { postgresTransfer, sqliteTransfer, type TransferDialect } from './transfer-dialect.ts'

export type Param = string | number | null | Uint8Array | readonly string[] | readonly number[]

export interface Dialect {
  readonly engine: 'sqlite' | 'postgres'
  /** A server that several processes share, with a time of its own. A statement to it is a round trip. */
  readonly isShared: boolean
  /** Numbers the placeholders for PostgreSQL. No statement may have a question mark in a literal. */
  statement(sql: string): string
  /** PostgreSQL has several writers, so rows that are read before they are written are locked. SQLite has one writer. */
  forUpdate(table: string): string
  /** As forUpdate, but others may add and remove rows that refer to the locked one by a foreign key. */
  forNoKeyUpdate(table: string): string
  /** As forUpdate, but skips rows that another transaction has locked. */
  forUpdateSkipLocked(table: string): string
  /** As forNoKeyUpdate, but skips rows that another transaction has locked. */
  forNoKeyUpdateSkipLocked(table: string): string
  /**
   * Until the end of the transaction nobody else gets a lock for the bound name. null: SQLite has one writer. Two numbers,
   * because ids are locked by one.
   */
  readonly lockName: string | null
  /** `column` is in a list. The list is bound as one value, so the statement's text does not depend on its length. */
  oneOf(column: string): string
  list(values: readonly string[] | readonly number[]): Param
  /** `column` contains the bound text. LIKE would interpret % and _, and the engines fold case differently. */
  contains(column: string): string
  /** A further column, `row_version`, that differs after each change of the row; on SQLite nobody needs it. */
  rowVersion(table: string): string
  /** PostgreSQL pays a round trip per statement. On SQLite a long statement blocks the event loop. */
  readonly rowsPerStatement: number
  /** As rowsPerStatement. Each row that SQLite inserts by a statement of its own costs a few µs more. */
  readonly rowsPerInsert: number
  /** A placeholder inside an expression: PostgreSQL cannot infer its type. */
  readonly bigint: string
  isUniqueViolation(error: unknown): boolean
  isForeignKeyViolation(error: unknown): boolean
  readonly search: SearchDialect
  readonly sourceTexts: SourceTextDialect
  readonly ids: IdDialect
  readonly transfer: TransferDialect
}

export const sqliteDialect: Dialect = {
  engine: 'sqlite',
  isShared: false,
  statement: (sql) => sql,
  forUpdate: () => '',
  forNoKeyUpdate: () => '',
  forUpdateSkipLocked: () => '',
  forNoKeyUpdateSkipLocked: () => '',
  lockName: null,
  oneOf: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  list: (values) => JSON.stringify(values),
  contains: (column) => `instr(${column}, ?) > 0`,
  rowVersion: () => '',
  rowsPerStatement: 1,
  rowsPerInsert: 10,
  bigint: '?',
  // SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_PRIMARYKEY
  isUniqueViolation: (error) => [2067, 1555].includes(Number((error as { errcode?: number }).errcode)),
  // SQLITE_CONSTRAINT_FOREIGNKEY
  isForeignKeyViolation: (error) => (error as { errcode?: number }).errcode === 787,
  search: sqliteSearch,
  sourceTexts: sqliteSourceTexts,
  ids: sqliteIds,
  transfer: sqliteTransfer,
}

const numbered = new Map<string, string>()

/** Columns of numbers have several types, of which the binary form names one. */
function isTexts(values: readonly string[] | readonly number[]): values is readonly string[] {
  return typeof values[0] === 'string'
}

export const postgresDialect: Dialect = {
  engine: 'postgres',
  isShared: true,
  statement(sql) {
    const known = numbered.get(sql)
    if (known !== undefined) return known
    let n = 0
    const text = sql.replace(/\?/g, () => `$${++n}`)
    // There are few statements, but an INSERT of many rows has a text for each number of rows.
    if (numbered.size > 1000) numbered.clear()
    numbered.set(sql, text)
    return text
  },
  forUpdate: (table) => `FOR UPDATE OF ${table}`,
  forNoKeyUpdate: (table) => `FOR NO KEY UPDATE OF ${table}`,
  forUpdateSkipLocked: (table) => `FOR UPDATE OF ${table} SKIP LOCKED`,
  forNoKeyUpdateSkipLocked: (table) => `FOR NO KEY UPDATE OF ${table} SKIP LOCKED`,
  lockName: 'SELECT pg_advisory_xact_lock(1, hashtext(?))',
  oneOf: (column) => `${column} = ANY(?)`,
  list: (values) => (isTexts(values) ? binaryArray('text', values) : values),
  contains: (column) => `strpos(${column}, ?) > 0`,
  // The transaction that wrote the row.
  rowVersion: (table) => `, CAST(${table}.xmin AS TEXT) AS row_version`,
  rowsPerStatement: 100,
  rowsPerInsert: 100,
  bigint: 'CAST(? AS BIGINT)',
  isUniqueViolation: (error) => (error as { code?: string }).code === '23505',
  isForeignKeyViolation: (error) => (error as { code?: string }).code === '23503',
  search: postgresSearch,
  sourceTexts: postgresSourceTexts,
  ids: postgresIds,
  transfer: postgresTransfer,
}
