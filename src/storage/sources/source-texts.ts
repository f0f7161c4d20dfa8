// Where a part of an address, label or title stands among very many sources. Triggers add the texts of new sources. Those
// of sources that were there before follow in the background; until all are there, nothing is found this way.
// See docs/decisions/0170-counts-and-names-of-a-million-sources.md
import type { Database, Db } from '../database/db.ts'
import { slices } from '../database/insert-rows.ts'
import type { ShortPartDialect, SourceTextQuery } from '../database/source-text-dialect.ts'
import { readMeta } from '../meta.ts'

const SOURCES_AT_ONCE = 200
const LAST_ADDED = 'source-texts-after'
const KEEP_LAST = 'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value'

/** Ids of all sources that contain the part, and possibly of others; null: more than `most`, or nobody can tell. */
export async function sourcesWithPart(db: Db, part: string, most: number): Promise<string[] | null> {
  const text = part.toLowerCase()
  const { find, shortParts } = db.dialect.sourceTexts
  const query = find(text, most + 1)
  if (await isIncomplete(db, query ? 'source-texts-backlog' : 'source-ends-backlog')) return null
  if (query) return idsOf(db, query, most)
  return shortParts && sourcesWithShortPart(db, shortParts, text, most)
}

const TERMS_AT_ONCE = 16
/** Comes after every term that begins with the same part. */
const END = '\u{10ffff}'.repeat(3)

/** The more terms begin with the part, the more sources have it: so after not too many terms there are more than `most`. */
async function sourcesWithShortPart(
  db: Db,
  { terms, findAny }: ShortPartDialect,
  part: string,
  most: number,
): Promise<string[] | null> {
  const found = new Set<string>()
  let from = part
  while (true) {
    const rows = await db.all(terms, [from, part + END, TERMS_AT_ONCE])
    const some = rows.map((row) => row.term as string)
    const last = some.at(-1)
    if (last === undefined) return [...found]
    const ids = await idsOf(db, findAny(some, most + 1), most)
    for (const id of ids ?? []) found.add(id)
    if (ids === null || found.size > most) return null
    from = `${last}\u0001`
  }
}

async function idsOf(db: Db, { sql, params, commonness }: SourceTextQuery, most: number): Promise<string[] | null> {
  if (commonness && (await db.get(commonness.sql, commonness.params))?.is_common) return null
  const rows = await db.all(sql, params)
  return rows.length > most ? null : rows.map((row) => row.id as string)
}

/** Sources may be missing, or the ends of their texts. Where sources are missing, ends are too. */
type Backlog = 'source-texts-backlog' | 'source-ends-backlog'

async function isIncomplete(db: Db, backlog: Backlog): Promise<boolean> {
  return Number((await db.get('SELECT value FROM counters WHERE name = ?', [backlog]))?.value ?? 0) > 0
}

/** Adds the texts of some sources. Returns how many it looked at; 0 when none is missing, or another process adds them. */
export async function indexSources(db: Database): Promise<number> {
  if (!(await isIncomplete(db, 'source-ends-backlog'))) return 0
  return db.transaction(async (tx) => {
    const { sourceTexts, list } = tx.dialect
    const lock = tx.dialect.forUpdateSkipLocked('counters')
    if (!(await tx.get(`SELECT value FROM counters WHERE name = 'source-ends-backlog' ${lock}`))) return 0
    const after = (await readMeta(tx, LAST_ADDED)) ?? ''
    const rows = await tx.all('SELECT id FROM sources WHERE id > ? ORDER BY id LIMIT ?', [after, SOURCES_AT_ONCE])
    const ids = rows.map((row) => row.id as string)
    for (const some of slices(ids, sourceTexts.addedAtOnce)) {
      for (const sql of sourceTexts.add) await tx.run(sql, [list(some)])
    }
    const last = ids.at(-1)
    if (last === undefined) {
      await tx.run(`UPDATE counters SET value = 0 WHERE name IN ('source-texts-backlog', 'source-ends-backlog')`)
    } else await tx.run(KEEP_LAST, [LAST_ADDED, last])
    await mergeSourceTexts(tx)
    return ids.length
  })
}

/** Each source that is added leaves a small piece of the index. */
export async function mergeSourceTexts(db: Db): Promise<void> {
  if (db.dialect.sourceTexts.merge) await db.run(db.dialect.sourceTexts.merge)
}
