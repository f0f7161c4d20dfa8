// Where a part of an address, label or title stands among very many sources. Triggers add the texts of new sources. Those
// of sources that were there before follow in the background; until all are there, nothing is found this way.
// See docs/decisions/0170-counts-and-names-of-a-million-sources.md
import type { Database, Db } from '../database/db.ts'
import { slices } from '../database/insert-rows.ts'
import { readMeta } from '../meta.ts'

const SOURCES_AT_ONCE = 200
const LAST_ADDED = 'source-texts-after'
const KEEP_LAST = 'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value'

/** Ids of all sources that contain the part, and possibly of others; null: more than `most`, or nobody can tell. */
export async function sourcesWithPart(db: Db, part: string, most: number): Promise<string[] | null> {
  const query = db.dialect.sourceTexts.find(part.toLowerCase())
  if (query === null || (await isIncomplete(db))) return null
  const rows = await db.all(query.sql, [query.value, most + 1])
  return rows.length > most ? null : rows.map((row) => row.id as string)
}

async function isIncomplete(db: Db): Promise<boolean> {
  return Number((await db.get(`SELECT value FROM counters WHERE name = 'source-texts-backlog'`))?.value ?? 0) > 0
}

/** Adds the texts of some sources. Returns how many it looked at; 0 when none is missing, or another process adds them. */
export async function indexSources(db: Database): Promise<number> {
  if (!(await isIncomplete(db))) return 0
  return db.transaction(async (tx) => {
    const { sourceTexts, list } = tx.dialect
    const lock = tx.dialect.forUpdateSkipLocked('counters')
    if (!(await tx.get(`SELECT value FROM counters WHERE name = 'source-texts-backlog' ${lock}`))) return 0
    const after = (await readMeta(tx, LAST_ADDED)) ?? ''
    const rows = await tx.all('SELECT id FROM sources WHERE id > ? ORDER BY id LIMIT ?', [after, SOURCES_AT_ONCE])
    const ids = rows.map((row) => row.id as string)
    for (const some of slices(ids, sourceTexts.addedAtOnce)) {
      for (const sql of sourceTexts.add) if ((await tx.run(sql, [list(some)])) === 0) break
    }
    const last = ids.at(-1)
    if (last === undefined) await tx.run(`UPDATE counters SET value = 0 WHERE name = 'source-texts-backlog'`)
    else await tx.run(KEEP_LAST, [LAST_ADDED, last])
    await mergeSourceTexts(tx)
    return ids.length
  })
}

/** Each source that is added leaves a small piece of the index. */
export async function mergeSourceTexts(db: Db): Promise<void> {
  if (db.dialect.sourceTexts.merge) await db.run(db.dialect.sourceTexts.merge)
}
