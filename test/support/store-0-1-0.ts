// A store as version 0.1.0 left it, with rows in every table: made by the migrations of that version, which never change.
import { hash } from 'node:crypto'
import type { Database, Param } from '../../src/storage/database/db.ts'
import { migrate, readMigrations } from '../../src/storage/database/migrate.ts'
import { openDatabase } from '../../src/storage/open-store.ts'

/** The last migration of 0.1.0. */
const LAST_MIGRATION = 7
const HOUR_MS = 3_600_000

export interface OldFacts {
  readonly feedUrl: string
  readonly now: number
  /** The hash of a user's token, and the sealed X key of the default user. */
  readonly tokenHash: string
  readonly sealedKey: { readonly keyId: string; readonly sealed: string }
}

type OldRow = Readonly<Record<string, Param>>

export const OLD_POST = { title: 'Whales', body: 'All about whales', guid: 'old-1' }
export const CLEANED_UP = { title: 'Cleaned', body: 'It was cleaned up', guid: 'old-0' }

export async function makeOldStore(url: string, facts: OldFacts): Promise<void> {
  const db = await openDatabase(url, {})
  try {
    await migrate(db, readMigrations(db.dialect.engine).slice(0, LAST_MIGRATION))
    await db.run(`UPDATE counters SET value = 1 WHERE name IN ('posts', 'articles', 'events')`)
    for (const [table, row] of rowsOf(facts)) await insert(db, table, row)
  } finally {
    await db.close()
  }
}

async function insert(db: Database, table: string, row: OldRow): Promise<void> {
  const marks = Object.keys(row).map(() => '?')
  const sql = `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${marks.join(', ')})`
  await db.run(sql, Object.values(row))
}

function rowsOf({ feedUrl, now, tokenHash, sealedKey }: OldFacts): [string, OldRow][] {
  const yesterday = now - 24 * HOUR_MS
  const text = { title: OLD_POST.title, body: OLD_POST.body, url: 'https://example.org/1', author: 'Ann' }
  const found = { podcast_id: 'default', source_id: 'src-1', published_at: yesterday, created_at: yesterday }
  const post = { ...found, ...text, guid: OLD_POST.guid, content_hash: hash('sha256', OLD_POST.body) }
  const { guid: _, ...article } = post
  return [
    ['meta', { key: 'last-tick-at', value: String(now - HOUR_MS) }],
    ['users', { id: 'default', name: 'Ada', created_at: yesterday }],
    ['users', { id: 'u-2', name: 'Grace', created_at: yesterday }],
    ['podcasts', { id: 'default', user_id: 'default', name: 'Daily', topic: 'Sea', created_at: yesterday }],
    ['tokens', { id: 't-1', user_id: 'u-2', name: 'laptop', admin: 0, token_hash: tokenHash, created_at: yesterday }],
    ['secrets', { scope: 'key', owner_id: 'default', name: 'x', ...sealedRow(sealedKey), updated_at: yesterday }],
    ['sources', sourceRow(feedUrl, yesterday)],
    ['posts', { id: 1, ...post, categories: '["sea"]' }],
    ['articles', { id: 1, ...article, is_processed: 1 }],
    ['post_articles', { post_id: 1, article_id: 1 }],
    [
      'tombstones',
      {
        ...{ source_id: 'src-1', content_hash: hash('sha256', CLEANED_UP.body), guid: CLEANED_UP.guid },
        ...{ url: 'https://example.org/0', published_at: yesterday + 1000 },
      },
    ],
    ['hosts', { lane: '127.0.0.1', last_request_at: yesterday, last_succeeded_at: yesterday, last_poll_ok: 1 }],
    ['polls', pollRow(yesterday)],
    ['poll_days', { source_id: 'src-1', day: 20_000, polls: 48, transient: 1, permanent: 0, created: 3, bytes: 1000 }],
    ['events', eventRow(yesterday)],
    ['purges', { source_id: 'gone' }],
    [
      'lane_hours',
      {
        ...{ lane: '127.0.0.1', hour: Math.floor(yesterday / HOUR_MS), requests: 2, conditional: 1, not_modified: 1 },
        ...{ throttled: 0, failures: 0, bytes: 500, smallest_gap_ms: 1000 },
      },
    ],
    ['cursors', { podcast_id: 'default', name: 'reader', position: 1, updated_at: yesterday }],
    ['removed_posts', { podcast_id: 'default', position: 0 }],
    [
      'webhooks',
      {
        ...{ id: 'w-1', user_id: 'default', url: 'https://example.org/hook', types: '["posts.created"]', trusted: 0 },
        ...{ position: 1, failures: 3, created_at: yesterday },
      },
    ],
    [
      'deliveries',
      {
        ...{ webhook_id: 'w-1', event_id: 1, message_id: 'msg_1', type: 'posts.created', payload: '{}' },
        ...{ created_at: yesterday, attempts: 8, last_error: 'refused' },
      },
    ],
  ]
}

function sealedRow({ keyId, sealed }: OldFacts['sealedKey']): OldRow {
  return { key_id: keyId, sealed }
}

function sourceRow(url: string, at: number): OldRow {
  return {
    ...{ id: 'src-1', podcast_id: 'default', type: 'rss', url, label: 'Sea news', poll_interval_minutes: 30 },
    ...{ enabled: 1, honour_freshness: 1, backfill_days: 7, last_polled: at, last_succeeded_at: at },
    ...{ last_seen_id: new Date(at).toISOString(), next_poll_at: at + HOUR_MS, consecutive_failures: 0 },
    ...{ permanent_run: '[]', validators: '{"etag":null,"lastModified":null}', host: '127.0.0.1', lane: '127.0.0.1' },
    ...{ url_key: url, url_hash: hash('sha256', url), search: `${url} sea news`, has_credentials: 0, trusted: 1 },
    ...{ created_at: at, version: 1, has_own_interval: 1 },
  }
}

function pollRow(at: number): OldRow {
  const rules = ['unreadable', 'filtered', 'notNew', 'late', 'tooOld', 'beforeCreated', 'edited', 'duplicate']
  const skipped = JSON.stringify(Object.fromEntries(rules.map((rule) => [rule, 0])))
  return {
    ...{ source_id: 'src-1', seq: 1, started_at: at, duration_ms: 12, cause: 'tick', outcome: 'success' },
    ...{ http_status: 200, not_modified: 0, bytes: 321, found: 1, created: 1, skipped },
  }
}

function eventRow(at: number): OldRow {
  const about = { user_id: 'default', podcast_id: 'default', source_id: 'src-1', host: '127.0.0.1' }
  return { id: 1, type: 'posts.created', at, ...about, data: '{"sourceId":"src-1","count":1}' }
}
