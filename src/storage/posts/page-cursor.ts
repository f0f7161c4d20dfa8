// Cursors of pages and positions of consumers, as callers see them. A cursor is the key of the last row, encoded. Both
// are checked when a caller sends them back.
import { Problem } from '../../domain/problem.ts'
import type { Page } from '../../ports/page.ts'

export type CursorKey = readonly (string | number)[]

/** Takes one row more than the page holds, to know whether there is a next page. */
export function pageOf<T>(rows: readonly T[], limit: number, keyOf: (item: T) => CursorKey): Page<T> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const more = rows.length > limit && last !== undefined
  return { items, nextCursor: more ? writeCursor(keyOf(last)) : null }
}

export function writeCursor(key: CursorKey): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** `shape` gives one example value for each part of the key. */
export function readCursor<K extends CursorKey>(cursor: string | null, shape: K): K | null {
  if (cursor === null) return null
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    const fits = Array.isArray(key) && key.length === shape.length && key.every((v, i) => fitsPart(v, shape[i]))
    if (fits) return key as unknown as K
  } catch {
    // Not a cursor: the error below says so.
  }
  throw invalidCursor()
}

export function invalidCursor(): Problem {
  return invalid('cursor', 'expected the nextCursor of an earlier answer')
}

/** Refuses values that PostgreSQL refuses as a bigint or a text. No cursor of ours has them. */
function fitsPart(part: unknown, example: string | number | undefined): boolean {
  if (typeof example === 'number') return Number.isSafeInteger(part)
  return typeof part === 'string' && !part.includes('\0')
}

/** Returns null if no row can have this id. */
export function parseRowId(id: string): number | null {
  return /^\d{1,15}$/.test(id) ? Number(id) : null
}

export function readPosition(position: string): number {
  const id = parseRowId(position)
  if (id === null) throw invalid('position', 'expected a position that was given out earlier, or 0')
  return id
}

export function invalid(path: string, message: string): Problem {
  return new Problem('invalid-input', `${path}: ${message}`, [{ path, message }])
}
