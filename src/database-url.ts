// What a database URL names: a SQLite file, a SQLite database in memory, or a PostgreSQL server.
import { fileURLToPath } from 'node:url'

export type Database =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string }

/** `path` is as written, relative to the working folder, or ':memory:'. Returns null for any other form. */
export function databaseOf(url: string): Database | null {
  if (/^postgres(ql)?:\/\//.test(url)) return URL.parse(url) ? { engine: 'postgres', url } : null
  if (!url.startsWith('file:') || url.includes('?') || url.includes('#')) return null
  if (url === 'file::memory:') return { engine: 'sqlite', path: ':memory:' }
  const path = url.startsWith('file://') ? pathOfFileUrl(url) : url.slice('file:'.length)
  return path && !/[/\\]$/.test(path) ? { engine: 'sqlite', path } : null
}

function pathOfFileUrl(url: string): string | null {
  try {
    return fileURLToPath(url)
  } catch {
    return null
  }
}
