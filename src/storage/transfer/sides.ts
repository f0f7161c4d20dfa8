// The two sides of a copy, and what a row of the source is on the other one.
import type { TransferOptions } from '../../ports/store-transfer.ts'
import type { Database, Db } from '../database/db.ts'
import type { Values } from './rows.ts'
import type { Table } from './tables.ts'
import { UNFINISHED_KEY } from './unfinished.ts'

export interface Sides extends TransferOptions {
  readonly from: Db
  readonly to: Database
  readonly total: number
  readonly newestIds: NewestIds
}

/** Of posts, articles, events and poll records, by the names of their tables. */
export type NewestIds = ReadonlyMap<string, number>

export async function newestIdsOf(db: Db): Promise<NewestIds> {
  const rows = await db.all(db.dialect.transfer.newestIds)
  return new Map(rows.map((row) => [String(row.name), Number(row.value)]))
}

/** The row as the target shall have it; null if it is not moved with the rows. */
export function asMoved(table: Table, row: Values, newestIds: NewestIds): Values | null {
  if (table.name === 'meta') return valueIn(table, row, 'key') === UNFINISHED_KEY ? null : row
  if (table.name !== 'counters') return row
  const name = String(valueIn(table, row, 'name'))
  if (newestIds.has(name)) return null
  // The search index is not moved: these counters say that everything is still to be indexed.
  if (name === 'searchable' || name === 'search-backlog')
    return replaced(table, row, 'value', newestIds.get('posts') ?? 0)
  return row
}

function valueIn(table: Table, row: Values, column: string): unknown {
  return row[table.columns.indexOf(column)]
}

export function replaced(table: Table, row: Values, column: string, value: number): Values {
  return row.with(table.columns.indexOf(column), value)
}
