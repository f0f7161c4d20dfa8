// Sources in the order they were made. Filters that no index serves look at a window of rows at a time, so that a
// search without a hit among very many sources does not hold the event loop.
import type { Source } from '../../domain/source.ts'
import type { Page } from '../../ports/page.ts'
import type { SourceQuery } from '../../ports/source-store.ts'
import type { Db, Param } from '../database/db.ts'
import { pageOf, readCursor } from '../posts/page-cursor.ts'
import { HEALTH_CONDITIONS } from './health-conditions.ts'
import { readSource, SELECT_SOURCES, urlHash } from './source-row.ts'

const WINDOW = 1000

interface Condition {
  readonly sql: string
  readonly params: readonly Param[]
}

type Key = readonly [createdAt: number, id: string]

export async function listSources(db: Db, query: SourceQuery): Promise<Page<Source>> {
  const within: Condition =
    query.podcastId === null ? { sql: '1 = 1', params: [] } : { sql: 's.podcast_id = ?', params: [query.podcastId] }
  const filters = filtersOf(db, query)
  const found: Source[] = []
  let after: Key = readCursor(query.cursor, [0, '']) ?? [-1, '']
  while (found.length <= query.limit) {
    const until = filters.length > 0 ? await endOfWindow(db, within, after) : null
    const rows = await db.all(
      `${SELECT_SOURCES}
       WHERE ${[within, ...filters].map(({ sql }) => sql).join(' AND ')}
         AND (s.created_at, s.id) > (?, ?) ${until ? 'AND (s.created_at, s.id) <= (?, ?)' : ''}
       ORDER BY s.created_at, s.id LIMIT ?`,
      [
        ...[within, ...filters].flatMap(({ params }) => params),
        ...after,
        ...(until ?? []),
        query.limit + 1 - found.length,
      ],
    )
    found.push(...rows.map(readSource))
    if (!until) break
    after = until
  }
  return pageOf(found, query.limit, (source) => [source.createdAt, source.id])
}

async function endOfWindow(db: Db, within: Condition, after: Key): Promise<Key | null> {
  const row = await db.get(
    `SELECT s.created_at, s.id FROM sources s WHERE ${within.sql} AND (s.created_at, s.id) > (?, ?)
     ORDER BY s.created_at, s.id LIMIT 1 OFFSET ?`,
    [...within.params, ...after, WINDOW],
  )
  return row ? [Number(row.created_at), row.id as string] : null
}

function filtersOf(db: Db, { userId, type, host, health, q, url }: SourceQuery): Condition[] {
  const filters: Condition[] = []
  if (userId) filters.push({ sql: 'p.user_id = ?', params: [userId] })
  if (type) filters.push({ sql: 's.type = ?', params: [type] })
  if (host) filters.push({ sql: '(s.host = ? OR s.lane = ?)', params: [host, host] })
  if (health) filters.push({ sql: HEALTH_CONDITIONS[health], params: [] })
  if (q) filters.push({ sql: db.dialect.contains('s.search'), params: [q.toLowerCase()] })
  // As the person gave it, or as it is compared.
  if (url) filters.push({ sql: '(s.url = ? OR s.url_hash = ?)', params: [url, urlHash(url)] })
  return filters
}
