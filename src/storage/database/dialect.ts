// Every difference between the two engines that a query has to know, with its reason. Everything else is the same SQL
// on both: ON CONFLICT, RETURNING, partial and expression indexes, row values, recursive queries.

import { postgresSearch, type SearchDialect, sqliteSearch } from './search-dialect.ts'

export type Param = string | number | null | Uint8Array | readonly string[] | readonly number[]

export interface Dialect {
  readonly engine: 'sqlite' | 'postgres'
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
  /** `column` is in a list. The list is bound as one value, so the statement's text does not depend on its length. */
  oneOf(column: string): string
  list(values: readonly string[] | readonly number[]): Param
  /** `column` contains the bound text. LIKE would interpret % and _, and the engines fold case differently. */
  contains(column: string): string
  /** PostgreSQL pays a round trip per statement. On SQLite a row costs 3 µs, and a long statement blocks the event loop. */
  readonly rowsPerStatement: number
  /** A placeholder inside an expression: PostgreSQL cannot infer its type. */
  readonly bigint: string
  isUniqueViolation(error: unknown): boolean
  isForeignKeyViolation(error: unknown): boolean
  readonly search: SearchDialect
}

export const sqliteDialect: Dialect = {
  engine: 'sqlite',
  statement: (sql) => sql,
  forUpdate: () => '',
  forNoKeyUpdate: () => '',
  forUpdateSkipLocked: () => '',
  forNoKeyUpdateSkipLocked: () => '',
  oneOf: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  list: (values) => JSON.stringify(values),
  contains: (column) => `instr(${column}, ?) > 0`,
  rowsPerStatement: 1,
  bigint: '?',
  // SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_PRIMARYKEY
  isUniqueViolation: (error) => [2067, 1555].includes(Number((error as { errcode?: number }).errcode)),
  // SQLITE_CONSTRAINT_FOREIGNKEY
  isForeignKeyViolation: (error) => (error as { errcode?: number }).errcode === 787,
  search: sqliteSearch,
}

const numbered = new Map<string, string>()

export const postgresDialect: Dialect = {
  engine: 'postgres',
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
  oneOf: (column) => `${column} = ANY(?)`,
  list: (values) => values,
  contains: (column) => `strpos(${column}, ?) > 0`,
  rowsPerStatement: 100,
  bigint: 'CAST(? AS BIGINT)',
  isUniqueViolation: (error) => (error as { code?: string }).code === '23505',
  isForeignKeyViolation: (error) => (error as { code?: string }).code === '23503',
  search: postgresSearch,
}
