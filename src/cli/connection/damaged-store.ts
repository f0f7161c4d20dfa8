// A database file that is torn, or was never ours, is nothing that rights or a running server could mend.
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

export const DAMAGED_REMEDY =
  'Put a backup in its place ("tidings backup --help" tells how), or give another with --data.'

export function isDamaged(error: unknown): boolean {
  // Extended codes have the plain one in their lowest byte.
  const code = ((error as { errcode?: number } | null)?.errcode ?? 0) % 256
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB
}
