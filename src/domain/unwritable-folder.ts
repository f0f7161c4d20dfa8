// What to do where the folder of the store cannot be written: read-only, or somebody else's.

const CODES: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS'])
/** SQLite's "read-only" and "cannot open". */
const SQLITE_CODES: ReadonlySet<number> = new Set([8, 14])

/** null: the error is another one. */
export function unwritableRemedy(error: unknown): string | null {
  const { code, errcode = 0 } = error as { readonly code?: unknown; readonly errcode?: number }
  if (!CODES.has(code) && !SQLITE_CODES.has(errcode & 0xff)) return null
  return 'Tidings has to write into this folder, even to read from it: give its user that right, or choose another folder with --data.'
}
