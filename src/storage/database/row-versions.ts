// Which version of its row an object was read from, where the engine tells (see `rowVersion` in dialect.ts). Whoever
// writes later finds out in the same statement whether the row is still as it was read.
import type { Row } from './db.ts'

const versions = new WeakMap<object, string>()

export function readFrom<T extends object>(row: Row, object: T): T {
  if (typeof row.row_version === 'string') versions.set(object, row.row_version)
  return object
}

/** null: it is not known. A copy of what was read is not known either. */
export function rowVersionOf(object: object): string | null {
  return versions.get(object) ?? null
}
