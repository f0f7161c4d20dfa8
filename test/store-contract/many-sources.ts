// Very many sources in one statement, for tests and benchmarks of scale: `due` of them are due at NOW, the others
// within the hour after it, over `lanes` hosts.
import { openSqlite } from '../../src/storage/database/sqlite-db.ts'
import { withoutTriggers } from '../support/without-triggers.ts'
import { NOW } from './fixtures.ts'

export interface Many {
  readonly sources: number
  readonly due: number
  readonly lanes: number
}

export async function seedSources(path: string, { sources, due, lanes }: Many): Promise<void> {
  const db = await openSqlite(path)
  await withoutTriggers(db, (tx) =>
    tx.script(`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${sources})
     INSERT INTO sources (id, podcast_id, type, url, poll_interval_minutes, enabled, honour_freshness, backfill_days,
       last_polled, last_succeeded_at, next_poll_at, consecutive_failures, permanent_run, validators, host, lane,
       url_key, url_hash, search, has_credentials, trusted, created_at, version)
     SELECT lower(hex(randomblob(16))), 'default', 'rss', 'https://host' || (i % ${lanes}) || '.example/' || i, 60, 1, 1, 0,
       ${NOW - 3_600_000}, ${NOW - 3_600_000},
       CASE WHEN i < ${due} THEN ${NOW} - i ELSE ${NOW} + 1 + (i * 7919) % 3600000 END, 0, '[]',
       '{"etag":"x","lastModified":null}', 'host' || (i % ${lanes}) || '.example', 'host' || (i % ${lanes}) || '.example',
       'https://host' || (i % ${lanes}) || '.example/' || i, lower(hex(randomblob(32))), 'https://host.example/' || i, 0, 1, ${NOW} + i, 1
     FROM n`),
  )
  await db.close()
}
