// A store with very many sources, written by a few SQL statements on either engine. Nothing in it is due for hours, but
// for as many sources as are asked for.
import type { Database, Transaction } from '../../src/storage/database/db.ts'
import { indexSources } from '../../src/storage/sources/source-texts.ts'
import { withoutTriggers } from '../../test/support/without-triggers.ts'

export interface Size {
  readonly sources: number
  readonly hosts: number
  readonly posts: number
  readonly due: number
  readonly now: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The numbers from 0 up to, but without, `count`, as a table `n` with the column `i`. */
function numbers({ dialect }: Transaction, count: number): string {
  return dialect.engine === 'postgres'
    ? `WITH n (i) AS (SELECT generate_series(0, ${count} - 1))`
    : `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count})`
}

const sourceId = (i: string) => `'00000000-0000-7000-8000-0000' || (10000000 + ${i})`

export async function fillStore(db: Database, size: Size): Promise<void> {
  // At once, because everything is counted at the end.
  await withoutTriggers(db, async (tx) => {
    await fillSources(tx, size)
    await fillHosts(tx, size)
    await fillHistory(tx, size)
    await fillPosts(tx, size)
  })
  // The server does this itself after a minute. Until then it reads whole tables.
  if (db.dialect.engine === 'postgres') await db.run('ANALYZE')
  await indexNames(db)
}

/** What a process does in the background after an upgrade. */
async function indexNames(db: Database): Promise<void> {
  while ((await indexSources(db)) > 0) {
    // Some sources at a time.
  }
}

/** One in a thousand of each rare health. */
async function fillSources(tx: Transaction, { sources, hosts, due, now }: Size): Promise<void> {
  const hash = tx.dialect.engine === 'postgres' ? `md5(i::text) || md5('x' || i)` : 'lower(hex(randomblob(32)))'
  const host = `'host' || (i % ${hosts}) || '.example'`
  const url = `'https://host' || (i % ${hosts}) || '.example/blog/' || i || '/feed.xml'`
  const title = `'Notes of author ' || i || ' about topic ' || (i % 997)`
  await tx.script(
    `${numbers(tx, sources)}
     INSERT INTO sources (id, podcast_id, type, url, title, poll_interval_minutes, enabled, honour_freshness, backfill_days,
       last_polled, last_succeeded_at, next_poll_at, consecutive_failures, permanent_run, validators, host, lane,
       url_key, url_hash, search, sort_name, has_credentials, trusted, created_at, version, post_count, quiet_since)
     SELECT ${sourceId('i')}, 'default', CASE WHEN i % 50 = 0 THEN 'website' ELSE 'rss' END, ${url}, ${title}, 1440,
       CASE WHEN i % 1000 = 1 THEN 0 ELSE 1 END, 1, 0,
       ${now - HOUR_MS} - i % 3600000, CASE WHEN i % 1000 = 2 THEN NULL ELSE ${now - HOUR_MS} END,
       CASE WHEN i < ${due} THEN ${now} - i ELSE ${now + 2 * HOUR_MS} + (CAST(i AS BIGINT) * 7919) % ${DAY_MS} END,
       CASE WHEN i % 1000 = 3 THEN 4 ELSE 0 END, '[]', '{"etag":"x","lastModified":null}', ${host}, ${host},
       ${url}, ${hash}, lower(${url}) || '\n\n' || lower(${title}), lower(${title}), 0, 1, ${now - 30 * DAY_MS} + i, 1,
       i % 211, CASE WHEN i % 1000 = 4 THEN ${now - 9 * DAY_MS} END
     FROM n`,
  )
}

async function fillHosts(tx: Transaction, { hosts, now }: Size): Promise<void> {
  await tx.script(
    `${numbers(tx, hosts)} INSERT INTO hosts (lane, not_before, last_request_at, last_succeeded_at, last_completed_at)
     SELECT 'host' || i || '.example', ${now - HOUR_MS}, ${now - HOUR_MS}, ${now - HOUR_MS}, ${now - HOUR_MS} FROM n`,
  )
  await tx.script(
    `${numbers(tx, hosts * 12)} INSERT INTO lane_hours (lane, hour, requests, conditional, not_modified, throttled, failures, bytes)
     SELECT 'host' || (i % ${hosts}) || '.example', ${Math.floor(now / HOUR_MS)} - i / ${hosts}, 2, 2, 1, 0, 0, 20000 FROM n`,
  )
}

/** Half of the sources have a record of a poll; every tenth of those left an event. */
async function fillHistory(tx: Transaction, { sources, now }: Size): Promise<void> {
  const polls = Math.floor(sources / 2)
  await tx.script(
    `${numbers(tx, polls)}
     INSERT INTO polls (source_id, seq, started_at, duration_ms, cause, outcome, not_modified, bytes, found, created, skipped)
     SELECT ${sourceId('i')}, 1, ${now} - ${polls} + i, 100, 'tick', CASE WHEN i % 100 = 0 THEN 'transient' ELSE 'success' END,
       i % 2, 1000, 20, 0, '{}' FROM n`,
  )
  await tx.script(
    `${numbers(tx, 720 * 64)} INSERT INTO poll_hours (podcast_id, hour, part, polls, failures, not_modified, created, bytes)
     SELECT 'default', ${Math.floor(now / HOUR_MS)} - i / 64, i % 64, 600, 6, 300, 20, 600000 FROM n`,
  )
}

/** One after another of sources that lie far apart. */
async function fillPosts(tx: Transaction, { posts, sources, now }: Size): Promise<void> {
  await tx.script(
    `${numbers(tx, posts)}
     INSERT INTO posts (id, podcast_id, source_id, title, body, url, published_at, categories, content_hash, created_at)
     SELECT i + 1, 'default', ${sourceId(`((CAST(i AS BIGINT) * 7919) % ${sources})`)}, 'Post ' || i, 'A text about topic ' || (i % 997),
       'https://host.example/' || i, ${now} - i, '[]', i, ${now} - ${posts} + i FROM n`,
  )
  const shared = tx.dialect.engine === 'postgres'
  await tx.script(
    `UPDATE counters SET value = ${posts} WHERE name IN ('searchable'${shared ? '' : `, 'posts'`});
     ${shared ? `SELECT setval('posts_ids', ${posts})` : ''}`,
  )
}
