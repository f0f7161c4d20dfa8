// Reads a table in the order of its key, some rows at a time, and hashes what was read.
import { hash } from 'node:crypto'
import type { Db, Param, Row } from '../database/db.ts'
import type { Table } from './tables.ts'

/** A transaction of this size is quick on both engines, and fits into memory with the largest posts. */
const SLICE_CHARACTERS = 2_000_000
const MOST_ROWS = 1000
const FIRST_ROWS = 50

export type Values = readonly Param[]

export interface Slice {
  readonly rows: readonly Values[]
  /** The key of the last row. */
  readonly last: Values
}

export async function* slicesOf(db: Db, table: Table, after: Values | null): AsyncGenerator<Slice> {
  const { name, columns, key } = table
  const keyText = key.join(', ')
  let limit = FIRST_ROWS
  for (let last = after; ; ) {
    const where = last === null ? '' : `WHERE (${keyText}) > (${key.map(() => '?').join(', ')})`
    const sql = `SELECT ${columns.join(', ')} FROM ${name} ${where} ORDER BY ${keyText} LIMIT ?`
    const found = await db.all(sql, [...(last ?? []), limit])
    const lastRow = found.at(-1)
    if (!lastRow) return
    last = valuesOf(lastRow, key)
    const rows = found.map((row) => valuesOf(row, columns))
    yield { rows, last }
    limit = rowsThatFit(rows)
  }
}

function valuesOf(row: Row, columns: readonly string[]): Param[] {
  return columns.map((column) => row[column] as Param)
}

function rowsThatFit(rows: readonly Values[]): number {
  let characters = 0
  for (const row of rows) {
    for (const value of row) {
      characters += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
    }
  }
  const fitting = Math.floor((rows.length * SLICE_CHARACTERS) / (characters + 1))
  return Math.max(1, Math.min(MOST_ROWS, fitting))
}

/** The same for the same rows, in whatever order the engine returns them. A key makes every row different. */
export class Fingerprint {
  readonly #mixed = Buffer.alloc(32)
  rows = 0

  add(row: Values): void {
    const digest = hash('sha256', JSON.stringify(row.map(comparable)), 'buffer')
    for (let i = 0; i < digest.length; i++) this.#mixed[i] = (this.#mixed[i] ?? 0) ^ (digest[i] ?? 0)
    this.rows += 1
  }

  get checksum(): string {
    return this.#mixed.toString('hex')
  }
}

/** The drivers have different types for bytes. */
function comparable(value: Param): unknown {
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value
}
