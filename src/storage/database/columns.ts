// Reads objects from rows and writes them to columns. One table per type names the column and its kind for each field,
// and serves both directions.
import type { Param, Row } from './db.ts'

/** An `id` is a number in the database and a decimal string outside. */
export type ColumnType = 'text' | 'integer' | 'real' | 'boolean' | 'json' | 'id'

export type Columns<T> = { readonly [K in keyof T]-?: readonly [column: string, type: ColumnType] }

export interface Codec<T> {
  readonly columns: readonly string[]
  typeOf(column: string): ColumnType | undefined
  read(row: Row): T
  /** The columns and values of the fields that are set. Unknown keys are ignored. */
  write(values: Partial<T>): { columns: string[]; params: Param[] }
}

export function codecOf<T extends object>(table: Columns<T>): Codec<T> {
  const entries = Object.entries(table) as [string, readonly [string, ColumnType]][]
  return {
    columns: entries.map(([, [column]]) => column),
    typeOf: (wanted) => entries.find(([, [column]]) => column === wanted)?.[1][1],
    read(row) {
      const object: Record<string, unknown> = {}
      for (const [key, [column, kind]] of entries) object[key] = decode(row[column], kind)
      // Columns<T> makes sure that the table has every key of T.
      return object as T
    },
    write(values) {
      const given = values as Readonly<Record<string, unknown>>
      const columns: string[] = []
      const params: Param[] = []
      for (const [key, [column, kind]] of entries) {
        const value = given[key]
        if (value === undefined) continue
        columns.push(column)
        params.push(encode(value, kind))
      }
      return { columns, params }
    },
  }
}

function decode(value: unknown, kind: ColumnType): unknown {
  if (value === null || value === undefined) return null
  if (kind === 'boolean') return value === 1
  if (kind === 'json') return JSON.parse(value as string)
  if (kind === 'id') return String(value)
  return value
}

function encode(value: unknown, kind: ColumnType): Param {
  if (value === null) return null
  if (kind === 'boolean') return value ? 1 : 0
  if (kind === 'json') return JSON.stringify(value)
  // Both engines refuse a fraction in an integer column.
  if (kind === 'integer') return Math.round(value as number)
  if (kind === 'id') return Number(value)
  return kind === 'text' ? replaceNul(value as string) : (value as number)
}

/** PostgreSQL cannot store U+0000 in a text. It is replaced on both engines, so that they agree. */
export function replaceNul(value: string): string {
  return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
}
