// Recognises a damaged database file, or a file that is no database. Only a backup helps then.
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

export const DAMAGED_REMEDY =
  'Put a backup in its place ("tidings restore --help" explains how), or choose another folder with --data.'

export function isDamaged(error: unknown): boolean {
  // The lowest byte of an extended code is the basic code.
  const code = ((error as { errcode?: number } | null)?.errcode ?? 0) % 256
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB
}
