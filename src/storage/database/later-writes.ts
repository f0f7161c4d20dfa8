// Collects writes that do not depend on each other and sends them as one statement, because on PostgreSQL each statement
// is a round trip. They see what was there before all of them, so no two may write to the same row. SQLite pays nothing
// for a statement: there they are written at once.
import type { Db, Param, Row } from './db.ts'
import { prepared } from './prepared.ts'

interface Statement {
  readonly sql: string
  readonly params: readonly Param[]
  /** How others of the same statement call its result. */
  readonly name?: string
}

/** PostgreSQL takes 65,535 values with a statement. A single one has far fewer than the rest. */
const MOST_VALUES = 30_000

/** The query that decides whether anything is written is called so in the statement. */
const CONDITION = 'as_read'

export interface LaterWrites extends Db {
  /** A query of the same statement, which what is written after it may name. On PostgreSQL only. */
  define(name: string, sql: string, params: readonly Param[]): void
  flush(): Promise<void>
}

/** `condition`: a query; if it has no row, nothing is written. On PostgreSQL only. */
export function writingLater(tx: Db, condition: Statement | null = null): LaterWrites {
  if (!tx.dialect.isShared) return { ...tx, define: () => {}, flush: async () => {} }
  const waiting: Statement[] = []
  const together = (sql: string, params: readonly Param[]): [string, Param[]] => {
    const before = waiting.splice(0)
    const parts = before.map((one, index) => `${one.name ?? `write_${index}`} AS (${one.sql})`)
    if (condition) parts.unshift(`${CONDITION} AS (${condition.sql})`)
    const prefix = parts.length > 0 ? `WITH ${parts.join(', ')} ` : ''
    const values = [...(condition?.params ?? []), ...before.flatMap((one) => one.params), ...params]
    return [prepared(prefix + sql), values]
  }
  const flush = async (): Promise<void> => {
    const last = waiting.pop()
    if (last) await tx.run(...together(last.sql, last.params))
  }
  return {
    dialect: tx.dialect,
    ...(condition && { onlyIf: CONDITION }),
    define: (name, sql, params) => void waiting.push({ name, sql, params }),
    /** How many rows it changes is not known yet. */
    async run(sql, params = []) {
      const values = waiting.reduce((sum, one) => sum + one.params.length, params.length)
      // What depends on a condition is written together or not at all, and is short.
      if (!condition && values > MOST_VALUES) await flush()
      waiting.push({ sql, params })
      return 0
    },
    get: (sql: string, params: readonly Param[] = []): Promise<Row | undefined> => tx.get(...together(sql, params)),
    all: (sql: string, params: readonly Param[] = []): Promise<Row[]> => tx.all(...together(sql, params)),
    flush,
  }
}

/** The end of a query that is defined: it has a row only if anything is written. */
export function fromOnlyIf(tx: Db): string {
  return tx.onlyIf ? ` FROM ${tx.onlyIf}` : ''
}

/** The row of an INSERT. */
export function rowOf(tx: Db, values: string): string {
  return tx.onlyIf ? `SELECT ${values} FROM ${tx.onlyIf}` : `VALUES (${values})`
}

/** The end of the WHERE clause of an UPDATE. */
export function andOnlyIf(tx: Db): string {
  return tx.onlyIf ? ` AND EXISTS (SELECT 1 FROM ${tx.onlyIf})` : ''
}
