// What is remembered of a source's entries, stored or tombstoned.
import type { KnownEntry } from '../../domain/post.ts'
import { codecOf } from '../database/columns.ts'
import type { Db } from '../database/db.ts'
import { slices } from '../database/insert-rows.ts'

const ASKED_AT_ONCE = 200
/** Indexed so far: guids and URLs come from outside and may be longer than an index entry can be. */
const INDEXED_CHARACTERS = 200

const codec = codecOf<KnownEntry>({
  guid: ['guid', 'text'],
  contentHash: ['content_hash', 'text'],
  url: ['url', 'text'],
  publishedAt: ['published_at', 'integer'],
})

export async function knownEntries(
  db: Db,
  sourceId: string,
  of: { guids: readonly string[]; hashes: readonly string[]; urls: readonly string[] },
): Promise<readonly KnownEntry[]> {
  const known = new Map<string, KnownEntry>()
  for (const [column, values] of [
    ['guid', of.guids],
    ['url', of.urls],
  ] as const) {
    const asked = new Set(values)
    const beginnings = new Set(Array.from(asked, (value) => beginning(value)))
    for (const some of slices(beginnings, ASKED_AT_ONCE)) {
      // IS NOT NULL lets SQLite see that the index, which leaves out nulls, will do.
      const key = `${column} IS NOT NULL AND ${db.dialect.oneOf(`substr(${column}, 1, ${INDEXED_CHARACTERS})`)}`
      for (const entry of await entriesWith(db, sourceId, key, some)) {
        if (asked.has(entry[column] ?? '')) known.set(entry.contentHash, entry)
      }
    }
  }
  for (const some of slices(new Set(of.hashes), ASKED_AT_ONCE)) {
    const key = db.dialect.oneOf('content_hash')
    for (const entry of await entriesWith(db, sourceId, key, some)) known.set(entry.contentHash, entry)
  }
  return [...known.values()]
}

async function entriesWith(db: Db, sourceId: string, key: string, values: readonly string[]): Promise<KnownEntry[]> {
  const where = `source_id = ? AND ${key}`
  const columns = 'guid, content_hash, url, published_at'
  const rows = await db.all(
    `SELECT ${columns} FROM posts WHERE ${where} UNION ALL SELECT ${columns} FROM tombstones WHERE ${where}`,
    [sourceId, db.dialect.list(values), sourceId, db.dialect.list(values)],
  )
  return rows.map(codec.read)
}

/** In one statement, so that an entry which clean-up turns into a tombstone just now is seen as one or the other. */
export async function knownHashes(db: Db, sourceId: string, hashes: Iterable<string>): Promise<Set<string>> {
  const known = new Set<string>()
  const where = `source_id = ? AND ${db.dialect.oneOf('content_hash')}`
  for (const some of slices(new Set(hashes), ASKED_AT_ONCE)) {
    const list = db.dialect.list(some)
    const rows = await db.all(
      `SELECT content_hash FROM posts WHERE ${where} UNION ALL SELECT content_hash FROM tombstones WHERE ${where}`,
      [sourceId, list, sourceId, list],
    )
    for (const row of rows) known.add(row.content_hash as string)
  }
  return known
}

/** As both engines' substr counts: by code point, not by UTF-16 unit. */
function beginning(value: string): string {
  return value.length <= INDEXED_CHARACTERS ? value : [...value].slice(0, INDEXED_CHARACTERS).join('')
}
