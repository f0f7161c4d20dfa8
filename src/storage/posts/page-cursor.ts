// Cursors and positions as people hold them: opaque, checked when they come back.
import { Problem } from '../../domain/problem.ts'
import type { Page } from '../../ports/page.ts'

export type CursorKey = readonly (string | number)[]

/** One row more than the page holds was read, to know whether there is a next page. */
export function pageOf<T>(rows: readonly T[], limit: number, keyOf: (item: T) => CursorKey): Page<T> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const more = rows.length > limit && last !== undefined
  return { items, nextCursor: more ? Buffer.from(JSON.stringify(keyOf(last))).toString('base64url') : null }
}

/** `shape` gives one example value for each part of the key. */
export function keyOfCursor<K extends CursorKey>(cursor: string | null, shape: K): K | null {
  if (cursor === null) return null
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    const fits = Array.isArray(key) && key.length === shape.length && key.every((v, i) => fitsPart(v, shape[i]))
    if (fits) return key as unknown as K
  } catch {
    // Not one of ours: said below.
  }
  throw invalid('cursor', 'expected the nextCursor of an earlier answer')
}

/** What PostgreSQL would refuse in a bigint or a text, and we never gave out, is no part of a key either. */
function fitsPart(part: unknown, example: string | number | undefined): boolean {
  if (typeof example === 'number') return Number.isSafeInteger(part)
  return typeof part === 'string' && !part.includes('\0')
}

/** null when the text is no id that a row could have. */
export function rowId(id: string): number | null {
  return /^\d{1,15}$/.test(id) ? Number(id) : null
}

export function rowPosition(position: string): number {
  const id = rowId(position)
  if (id === null) throw invalid('position', 'expected a position that was given out earlier, or 0')
  return id
}

function invalid(path: string, message: string): Problem {
  return new Problem('invalid-input', `${path}: ${message}`, [{ path, message }])
}
