// Sources in the order that is asked for, by default the order they were made in. Each order reads an index, a window of
// keys at a time, and then the rows that the filters leave. So a search without a hit among very many sources does not
// hold the event loop.
import { type SourceHealth, URGENT_FIRST } from '../../domain/health.ts'
import type { Source } from '../../domain/source.ts'
import type { Page } from '../../ports/page.ts'
import type { SourceQuery, SourceSort } from '../../ports/source-store.ts'
import type { Db, Param } from '../database/db.ts'
import { invalid, pageOf, readCursor } from '../posts/page-cursor.ts'
import { HEALTH_CONDITIONS } from './health-conditions.ts'
import { readSource, SELECT_SOURCES, sortName, urlHash } from './source-row.ts'

const WINDOW = 1000
/** No instant is later than this or earlier than this: an index has them in place of "none". */
const LAST = Number.MAX_SAFE_INTEGER
const FIRST = -1

interface Condition {
  readonly sql: string
  readonly params: readonly Param[]
}

type Key = readonly [value: string | number, id: string]

interface Order {
  readonly key: string
  readonly isDescending: boolean
  keyOf(source: Source): Key
}

const KEYS: Readonly<
  Record<Exclude<SourceSort['by'], 'health'>, readonly [string, (source: Source) => string | number]>
> = {
  created: ['s.created_at', (source) => source.createdAt],
  title: ['s.sort_name', sortName],
  nextPollAt: [`COALESCE(s.next_poll_at, ${LAST})`, (source) => source.nextPollAt ?? LAST],
  lastPolled: [`COALESCE(s.last_polled, ${FIRST})`, (source) => source.lastPolled ?? FIRST],
  postCount: ['s.post_count', (source) => source.postCount],
}

export async function listSources(db: Db, query: SourceQuery): Promise<Page<Source>> {
  const sort = query.sort ?? { by: 'created', isDescending: false }
  if (sort.by === 'health') return listByHealth(db, query, sort.isDescending)
  const name = `${sort.isDescending ? '-' : ''}${sort.by}`
  const [key, sortValue] = KEYS[sort.by]
  const isText = sort.by === 'title'
  const [cursorName, value, id] = readCursor<readonly [string, string | number, string]>(query.cursor, [
    '',
    isText ? '' : 0,
    '',
  ]) ?? [name, null, '']
  if (cursorName !== name) throw invalid('cursor', 'expected the nextCursor of an answer with the same sort')
  const order: Order = {
    key,
    isDescending: sort.isDescending,
    keyOf: (source) => [sortValue(source), source.id],
  }
  const found = await sourcesAfter(db, query, order, value === null ? null : [value, id])
  return pageOf(found, query.limit, (source) => [name, ...order.keyOf(source)])
}

/** One health after another, each in the order of creation. Most healths are rare and have an index of their own. */
async function listByHealth(db: Db, query: SourceQuery, isDescending: boolean): Promise<Page<Source>> {
  const name = isDescending ? '-health' : 'health'
  const order: Order = { key: 's.created_at', isDescending, keyOf: (source) => [source.createdAt, source.id] }
  const healths: readonly SourceHealth[] = isDescending ? URGENT_FIRST.toReversed() : URGENT_FIRST
  const cursor = readCursor<readonly [string, number, number, string]>(query.cursor, ['', 0, 0, ''])
  if (cursor && cursor[0] !== name) throw invalid('cursor', 'expected the nextCursor of an answer with the same sort')
  const found: { source: Source; place: number }[] = []
  for (const [place, health] of healths.entries()) {
    const isWanted = (query.health ?? health) === health && place >= (cursor?.[1] ?? 0)
    if (!isWanted || found.length > query.limit) continue
    const after: Key | null = cursor && place === cursor[1] ? [cursor[2], cursor[3]] : null
    const wanted = { ...query, health: null, limit: query.limit - found.length }
    const ofHealth = `AND ${HEALTH_CONDITIONS[health]}`
    for (const source of await sourcesAfter(db, wanted, order, after, ofHealth)) found.push({ source, place })
  }
  const page = pageOf(found, query.limit, ({ source, place }) => [name, place, source.createdAt, source.id])
  return { items: page.items.map(({ source }) => source), nextCursor: page.nextCursor }
}

/** At most one source more than the page holds. */
async function sourcesAfter(db: Db, query: SourceQuery, order: Order, start: Key | null, also = ''): Promise<Source[]> {
  const within: Condition =
    query.podcastId === null
      ? { sql: `1 = 1 ${also}`, params: [] }
      : { sql: `s.podcast_id = ? ${also}`, params: [query.podcastId] }
  const filters = filtersOf(db, query)
  const size = filters.length > 0 ? WINDOW : query.limit + 1
  const found: Source[] = []
  let after = start
  while (found.length <= query.limit) {
    const keys = await keysAfter(db, within, order, after, size)
    found.push(...(await sourcesWith(db, keys, filters)))
    after = keys.at(-1) ?? after
    if (keys.length < size) break
  }
  return found.slice(0, query.limit + 1)
}

/** In two ranges, because many sources may have the same value, and no index serves `value > ? OR id > ?`. */
async function keysAfter(db: Db, within: Condition, order: Order, after: Key | null, size: number): Promise<Key[]> {
  const [than, direction] = order.isDescending ? ['<', 'DESC'] : ['>', 'ASC']
  const read = async (condition: Condition, limit: number): Promise<Key[]> => {
    const rows = await db.all(
      `SELECT ${order.key} AS value, s.id FROM sources s WHERE ${within.sql} AND ${condition.sql}
       ORDER BY ${order.key} ${direction}, s.id ${direction} LIMIT ?`,
      [...within.params, ...condition.params, limit],
    )
    return rows.map((row) => [row.value as string | number, row.id as string])
  }
  if (after === null) return read({ sql: '1 = 1', params: [] }, size)
  const same = await read({ sql: `${order.key} = ? AND s.id ${than} ?`, params: after }, size)
  if (same.length === size) return same
  return [...same, ...(await read({ sql: `${order.key} ${than} ?`, params: [after[0]] }, size - same.length))]
}

async function sourcesWith(db: Db, keys: readonly Key[], filters: readonly Condition[]): Promise<Source[]> {
  const ids = keys.map(([, id]) => id)
  const conditions = [db.dialect.oneOf('s.id'), ...filters.map(({ sql }) => sql)].join(' AND ')
  const rows = await db.all(`${SELECT_SOURCES} WHERE ${conditions}`, [
    db.dialect.list(ids),
    ...filters.flatMap(({ params }) => params),
  ])
  const places = new Map(ids.map((id, place) => [id, place]))
  const placeOf = ({ id }: Source) => places.get(id) ?? 0
  return rows.map(readSource).sort((a, b) => placeOf(a) - placeOf(b))
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
