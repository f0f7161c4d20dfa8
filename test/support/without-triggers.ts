// Very many rows at once: without triggers, and counted afterwards. Parts of names are then found as in a store that was
// just upgraded.
import type { Database, Transaction } from '../../src/storage/database/db.ts'

const TABLES = ['sources', 'posts']

export async function withoutTriggers(db: Database, work: (tx: Transaction) => Promise<void>): Promise<void> {
  await db.transaction(async (tx) => {
    const isPostgres = tx.dialect.engine === 'postgres'
    if (isPostgres) await tx.script('SET LOCAL statement_timeout = 0')
    const named = TABLES.map((table) => `'${table}'`).join(', ')
    const triggers = isPostgres
      ? []
      : await tx.all(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN (${named})`)
    for (const { name } of triggers) await tx.script(`DROP TRIGGER ${name}`)
    if (isPostgres) for (const table of TABLES) await tx.script(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
    await work(tx)
    if (isPostgres) for (const table of TABLES) await tx.script(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
    for (const { sql } of triggers) await tx.script(String(sql))
    await tx.script(RECOUNT)
  })
}

const RECOUNT = `
  DELETE FROM podcast_lanes;
  DELETE FROM podcast_counts;
  INSERT INTO podcast_lanes (podcast_id, lane, sources) SELECT podcast_id, lane, count(*) FROM sources GROUP BY podcast_id, lane;
  DELETE FROM podcast_counts;
  INSERT INTO podcast_counts (podcast_id, kind, part, n)
    SELECT podcast_id, 'sources', 0, sum(sources) FROM podcast_lanes GROUP BY podcast_id
    UNION ALL SELECT podcast_id, 'hosts', 0, count(*) FROM podcast_lanes WHERE lane <> '' GROUP BY podcast_id
    UNION ALL SELECT podcast_id, 'posts', 0, count(*) FROM posts GROUP BY podcast_id
    UNION ALL SELECT podcast_id, 'articles', 0, count(*) FROM articles GROUP BY podcast_id;
  UPDATE counters SET value = 1 WHERE name IN ('source-texts-backlog', 'source-ends-backlog');
`
