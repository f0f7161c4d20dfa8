// Between rows and the domain's objects: one table of columns per kind of object says both directions.
import type { Param, Row } from './db.ts'

/** `id`: a number in the database, a decimal string outside. */
export type ColumnType = 'text' | 'integer' | 'real' | 'boolean' | 'json' | 'id'

export type Columns<T> = { readonly [K in keyof T]-?: readonly [column: string, type: ColumnType] }

export interface Codec<T> {
  readonly columns: readonly string[]
  read(row: Row): T
  /** Columns and values of what is given; keys of other things are passed over. */
  write(values: Partial<T>): { columns: string[]; params: Param[] }
}

export function codecOf<T extends object>(table: Columns<T>): Codec<T> {
  const entries = Object.entries(table) as [string, readonly [string, ColumnType]][]
  return {
    columns: entries.map(([, [column]]) => column),
    read(row) {
      const object: Record<string, unknown> = {}
      for (const [key, [column, kind]] of entries) object[key] = decode(row[column], kind)
      // The table names every key of T with the kind that its column holds.
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
  // Both engines refuse half a millisecond in a column of whole ones.
  if (kind === 'integer') return Math.round(value as number)
  if (kind === 'id') return Number(value)
  return kind === 'text' ? text(value as string) : (value as number)
}

/** PostgreSQL cannot hold U+0000 in a text, so neither engine is given one. */
export function text(value: string): string {
  return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
}
