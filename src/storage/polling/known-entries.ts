// What is remembered of a source's entries, stored or tombstoned.
import type { KnownEntry } from '../../domain/post.ts'
import { codecOf } from '../database/columns.ts'
import type { Db } from '../database/db.ts'
import { slices } from '../database/insert-rows.ts'
import { prepared } from '../database/prepared.ts'

const ASKED_AT_ONCE = 200
/** Indexed so far: guids and URLs come from outside and may be longer than an index entry can be. */
const INDEXED_CHARACTERS = 200

const COLUMNS = 'guid, content_hash, url, published_at'

const codec = codecOf<KnownEntry>({
  guid: ['guid', 'text'],
  contentHash: ['content_hash', 'text'],
  url: ['url', 'text'],
  publishedAt: ['published_at', 'integer'],
})

/** Of the entries of a document. */
export interface Asked {
  readonly guids: readonly string[]
  readonly hashes: readonly string[]
  readonly urls: readonly string[]
}

export async function knownEntries(db: Db, sourceId: string, of: Asked): Promise<readonly KnownEntry[]> {
  const [guids, urls, hashes] = [new Set(of.guids), new Set(of.urls), new Set(of.hashes)]
  const parts = [indexedPartsOf(guids), indexedPartsOf(urls), [...slices(hashes, ASKED_AT_ONCE)]]
  const known = new Map<string, KnownEntry>()
  for (let index = 0; index < Math.max(...parts.map((part) => part.length)); index++) {
    const lists = parts.map((part) => db.dialect.list(part[index] ?? []))
    const rows = await db.all(
      prepared(entriesWithAny(db)),
      lists.flatMap((list) => [sourceId, list, sourceId, list]),
    )
    for (const entry of rows.map(codec.read)) {
      // Of long ones only the beginning was compared.
      const isAsked = guids.has(entry.guid ?? '') || urls.has(entry.url ?? '') || hashes.has(entry.contentHash)
      if (isAsked) known.set(entry.contentHash, entry)
    }
  }
  return [...known.values()]
}

function indexedPartsOf(values: ReadonlySet<string>): string[][] {
  return [...slices(new Set(Array.from(values, indexedPart)), ASKED_AT_ONCE)]
}

/** All three questions in one statement, each by an index of its own: on PostgreSQL a statement is a round trip. */
function entriesWithAny(db: Db): string {
  return [hasIndexedPart(db, 'guid'), hasIndexedPart(db, 'url'), db.dialect.oneOf('content_hash')]
    .flatMap((which) => ['posts', 'tombstones'].map((table) => ({ table, which })))
    .map(({ table, which }) => `SELECT ${COLUMNS} FROM ${table} WHERE source_id = ? AND ${which}`)
    .join(' UNION ALL ')
}

/** In one statement, so that an entry which clean-up turns into a tombstone just now is seen as one or the other. */
export async function knownHashes(db: Db, sourceId: string, hashes: Iterable<string>): Promise<Set<string>> {
  const known = new Set<string>()
  const where = `source_id = ? AND ${db.dialect.oneOf('content_hash')}`
  for (const some of slices(new Set(hashes), ASKED_AT_ONCE)) {
    const list = db.dialect.list(some)
    const rows = await db.all(
      prepared(
        `SELECT content_hash FROM posts WHERE ${where} UNION ALL SELECT content_hash FROM tombstones WHERE ${where}`,
      ),
      [sourceId, list, sourceId, list],
    )
    for (const row of rows) known.add(row.content_hash as string)
  }
  return known
}

/** Whether the part of a column that is indexed is in a list of such parts. */
export function hasIndexedPart({ dialect }: Db, column: 'guid' | 'url'): string {
  // IS NOT NULL lets SQLite see that the index, which leaves out nulls, will do.
  return `${column} IS NOT NULL AND ${dialect.oneOf(`substr(${column}, 1, ${INDEXED_CHARACTERS})`)}`
}

/** As both engines' substr counts: by code point, not by UTF-16 unit. */
export function indexedPart(value: string): string {
  return value.length <= INDEXED_CHARACTERS ? value : [...value].slice(0, INDEXED_CHARACTERS).join('')
}
