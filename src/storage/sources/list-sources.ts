// Sources in the order that is asked for, by default the order they were made in. Where a filter leaves few, those are
// read. Otherwise each order reads an index, and looks at a window of sources at a time. So a search without a hit among
// very many sources does not hold the event loop.
import { type SourceHealth, URGENT_FIRST } from '../../domain/health.ts'
import type { Source } from '../../domain/source.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import type { Page } from '../../ports/page.ts'
import type { SourceQuery, SourceSort } from '../../ports/source-store.ts'
import type { Db } from '../database/db.ts'
import { invalid, pageOf, readCursor } from '../posts/page-cursor.ts'
import { type Condition, fewSources, ownedBy } from './few-sources.ts'
import { HEALTH_CONDITIONS } from './health-conditions.ts'
import { readSource, SELECT_SOURCES, sortName, urlHash } from './source-row.ts'

/** A filter that many sources pass fills a page from a small window. Where few do, larger ones cost less. */
const FIRST_WINDOW = 500
const LARGEST_WINDOW = 10_000
const WINDOW_GROWTH = 4
/** No instant is later than this or earlier than this: an index has them in place of "none". */
const LAST = Number.MAX_SAFE_INTEGER
const FIRST = -1

type Key = readonly [value: string | number, id: string]

interface Search {
  readonly within: Condition
  /** null: every source that is within. */
  readonly fits: Condition | null
  readonly order: Order
  /** How many sources are looked at in one statement. */
  readonly size: number
}

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

export async function listSources(db: Db, types: SourceTypes, query: SourceQuery): Promise<Page<Source>> {
  const sort = query.sort ?? { by: 'created', isDescending: false }
  if (sort.by === 'health') return listByHealth(db, types, query, sort.isDescending)
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
  const few = await fewSources(db, types, query)
  const found = await sourcesAfter(db, { query, few }, order, value === null ? null : [value, id])
  return pageOf(found, query.limit, (source) => [name, ...order.keyOf(source)])
}

/** One health after another, each in the order of creation. Most healths are rare and have an index of their own. */
async function listByHealth(
  db: Db,
  types: SourceTypes,
  query: SourceQuery,
  isDescending: boolean,
): Promise<Page<Source>> {
  const name = isDescending ? '-health' : 'health'
  const order: Order = { key: 's.created_at', isDescending, keyOf: (source) => [source.createdAt, source.id] }
  const healths: readonly SourceHealth[] = isDescending ? URGENT_FIRST.toReversed() : URGENT_FIRST
  const cursor = readCursor<readonly [string, number, number, string]>(query.cursor, ['', 0, 0, ''])
  if (cursor && cursor[0] !== name) throw invalid('cursor', 'expected the nextCursor of an answer with the same sort')
  const few = await fewSources(db, types, query)
  const found: { source: Source; place: number }[] = []
  for (const [place, health] of healths.entries()) {
    const isWanted = (query.health ?? health) === health && place >= (cursor?.[1] ?? 0)
    if (!isWanted || found.length > query.limit) continue
    const after: Key | null = cursor && place === cursor[1] ? [cursor[2], cursor[3]] : null
    const wanted = { ...query, health, limit: query.limit - found.length }
    for (const source of await sourcesAfter(db, { query: wanted, few }, order, after)) found.push({ source, place })
  }
  const page = pageOf(found, query.limit, ({ source, place }) => [name, place, source.createdAt, source.id])
  return { items: page.items.map(({ source }) => source), nextCursor: page.nextCursor }
}

interface Asked {
  readonly query: SourceQuery
  /** null: all sources have to be looked at. */
  readonly few: readonly string[] | null
}

/** At most one source more than the page holds. */
async function sourcesAfter(db: Db, { query, few }: Asked, order: Order, start: Key | null): Promise<Source[]> {
  const filters = filtersOf(db, query)
  if (few) return sourcesAmong(db, few, all([withinOf(query), ...filters]), { order, start, limit: query.limit })
  const fits = filters.length > 0 ? all(filters) : null
  const search: Omit<Search, 'size'> = { within: withinOf(query), fits, order }
  const found: Source[] = []
  let after = start
  let size = fits ? FIRST_WINDOW : query.limit + 1
  while (found.length <= query.limit) {
    const { ids, end } = await windowAfter(db, { ...search, size }, after)
    found.push(...(await sourcesOf(db, ids.slice(0, query.limit + 1 - found.length))))
    if (end === null) break
    after = end
    size = Math.min(size * WINDOW_GROWTH, LARGEST_WINDOW)
  }
  return found
}

/** The inner LIMIT keeps the engine from walking an index over all sources instead. */
async function sourcesAmong(
  db: Db,
  few: readonly string[],
  fits: Condition,
  { order: { key, isDescending }, start, limit }: { order: Order; start: Key | null; limit: number },
): Promise<Source[]> {
  const [than, direction] = isDescending ? ['<', 'DESC'] : ['>', 'ASC']
  const range = start ? `AND (${key} ${than} ? OR (${key} = ? AND s.id ${than} ?))` : ''
  const rows = await db.all(
    `SELECT s.id FROM (SELECT * FROM sources WHERE ${db.dialect.oneOf('id')} LIMIT ?) AS s
     WHERE ${fits.sql} ${range} ORDER BY ${key} ${direction}, s.id ${direction} LIMIT ?`,
    [db.dialect.list(few), few.length, ...fits.params, ...(start ? [start[0], start[0], start[1]] : []), limit + 1],
  )
  return sourcesOf(
    db,
    rows.map((row) => row.id as string),
  )
}

/** The ids that fit. `end`: the last key that was looked at; null: there are no more. */
interface Window {
  readonly ids: readonly string[]
  readonly end: Key | null
}

/** In two ranges, because many sources may have the same value, and no index serves `value > ? OR id > ?`. */
async function windowAfter(db: Db, search: Search, after: Key | null): Promise<Window> {
  if (after === null) return readWindow(db, search, { sql: '1 = 1', params: [] })
  const { key, isDescending } = search.order
  const than = isDescending ? '<' : '>'
  const same = await readWindow(db, search, { sql: `${key} = ? AND s.id ${than} ?`, params: after })
  if (same.end !== null) return same
  const further = await readWindow(db, search, { sql: `${key} ${than} ?`, params: [after[0]] })
  return { ids: [...same.ids, ...further.ids], end: further.end }
}

async function readWindow(db: Db, { within, fits, order, size }: Search, range: Condition): Promise<Window> {
  const direction = order.isDescending ? 'DESC' : 'ASC'
  const inOrder = (key: string, id: string) => `ORDER BY ${key} ${direction}, ${id} ${direction}`
  const { sql, params } = all([within, range])
  const rows = await db.all(
    `SELECT value, id FROM (
       SELECT ${order.key} AS value, s.id AS id, (${fits?.sql ?? '1 = 1'}) AS fits FROM sources s WHERE ${sql} ${inOrder(order.key, 's.id')} LIMIT ?
     ) AS looked_at WHERE fits ${inOrder('value', 'id')}`,
    [...(fits?.params ?? []), ...params, size],
  )
  const last = await db.get(
    `SELECT ${order.key} AS value, s.id FROM sources s WHERE ${sql} ${inOrder(order.key, 's.id')} LIMIT 1 OFFSET ?`,
    [...params, size - 1],
  )
  return {
    ids: rows.map(({ id }) => id as string),
    end: last ? [last.value as string | number, last.id as string] : null,
  }
}

function all(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => sql).join(' AND '),
    params: conditions.flatMap(({ params }) => params),
  }
}

async function sourcesOf(db: Db, ids: readonly string[]): Promise<Source[]> {
  if (ids.length === 0) return []
  const rows = await db.all(`${SELECT_SOURCES} WHERE ${db.dialect.oneOf('s.id')}`, [db.dialect.list(ids)])
  const places = new Map(ids.map((id, place) => [id, place]))
  const placeOf = ({ id }: Source) => places.get(id) ?? 0
  return rows.map(readSource).sort((a, b) => placeOf(a) - placeOf(b))
}

/** What indexes answer. Each rare health has one, in the order of creation. */
function withinOf({ podcastId, health }: SourceQuery): Condition {
  const conditions: Condition[] = [{ sql: '1 = 1', params: [] }]
  if (podcastId !== null) conditions.push({ sql: 's.podcast_id = ?', params: [podcastId] })
  if (health) conditions.push({ sql: HEALTH_CONDITIONS[health], params: [] })
  return all(conditions)
}

function filtersOf(db: Db, { userId, type, host, q, url }: SourceQuery): Condition[] {
  const filters: Condition[] = []
  if (userId) filters.push(ownedBy(userId))
  if (type) filters.push({ sql: 's.type = ?', params: [type] })
  if (host) filters.push({ sql: '(s.host = ? OR s.lane = ?)', params: [host, host] })
  if (q) filters.push({ sql: db.dialect.contains('s.search'), params: [q.toLowerCase()] })
  // As the person gave it, or as it is compared.
  if (url) filters.push({ sql: '(s.url = ? OR s.url_hash = ?)', params: [url, urlHash(url)] })
  return filters
}
