// Polls of many sources, newest first. Where few sources are asked about, their polls are read directly. Otherwise polls
// are read by time, a window at a time, and those of other sources are left out; after many windows the page ends early.
import type { SourceTypes } from '../../domain/source-type.ts'
import type { Page } from '../../ports/page.ts'
import type { PolledSource, PollQuery } from '../../ports/polling-store.ts'
import type { Db, Param, Row } from '../database/db.ts'
import { pageOf, readCursor } from '../posts/page-cursor.ts'
import { sourcesOfHost } from '../sources/few-sources.ts'
import { readPoll } from './polls.ts'

const FEW_SOURCES = 200
const MOST_OF_HOST = 2000
const WINDOW = 2000
const MOST_WINDOWS = 20

type Key = readonly [startedAt: number, id: number]
const NEWEST: Key = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]

interface Condition {
  readonly sql: string
  readonly params: readonly Param[]
}

export async function listAllPolls(db: Db, types: SourceTypes, query: PollQuery): Promise<Page<PolledSource>> {
  const before: Key = readCursor(query.cursor, NEWEST) ?? NEWEST
  const scope = scopeOf(query)
  const few = scope.sql === '' ? null : await fewSources(db, types, query, scope)
  const { rows, unread } = few ? await pollsOf(db, few, query, before) : await pollsByTime(db, scope, query, before)
  const page = pageOf(rows, query.limit, keyOf)
  const items = page.items.map((row) => ({
    record: readPoll(row),
    url: row.url as string,
    host: row.host as string | null,
    lane: row.lane as string,
  }))
  // Whatever is unread follows, even if this page is not full.
  return { items, nextCursor: page.nextCursor ?? (unread && pageOf([0, 0], 1, () => unread).nextCursor) }
}

const POLLS = 'SELECT o.*, s.url, s.host, s.lane FROM'

async function fewSources(
  db: Db,
  types: SourceTypes,
  { host, sourceId }: PollQuery,
  scope: Condition,
): Promise<string[] | null> {
  const ofHost = host !== null && sourceId === null ? await sourcesOfHost(db, types, host, MOST_OF_HOST) : null
  const rows = await db.all(
    `SELECT s.id FROM sources s JOIN podcasts p ON p.id = s.podcast_id
     WHERE ${ofHost ? `${db.dialect.oneOf('s.id')} AND ` : ''}${scope.sql} LIMIT ${FEW_SOURCES + 1}`,
    [...(ofHost ? [db.dialect.list(ofHost)] : []), ...scope.params],
  )
  return rows.length > FEW_SOURCES ? null : rows.map((row) => row.id as string)
}

async function pollsOf(db: Db, sourceIds: readonly string[], query: PollQuery, [at, id]: Key) {
  const { sql, params } = filtersOf(query)
  const rows = await db.all(
    `${POLLS} polls o JOIN sources s ON s.id = o.source_id
     WHERE ${db.dialect.oneOf('o.source_id')} AND ${sql} AND (o.started_at, o.id) < (?, ?)
     ORDER BY o.started_at DESC, o.id DESC LIMIT ?`,
    [db.dialect.list(sourceIds), ...params, at, id, query.limit + 1],
  )
  return { rows, unread: null }
}

async function pollsByTime(db: Db, scope: Condition, query: PollQuery, start: Key) {
  const found: Row[] = []
  const filters = filtersOf(query)
  let before: Key | null = start
  for (let windows = 0; before && windows < MOST_WINDOWS && found.length <= query.limit; windows++) {
    const end: Key | null = await endOfWindow(db, before, query.since)
    const window: Condition = {
      sql: `(o.started_at, o.id) < (?, ?) ${end ? 'AND (o.started_at, o.id) >= (?, ?)' : ''}`,
      params: [...before, ...(end ?? [])],
    }
    const where = [window, filters, scope].filter(({ sql }) => sql !== '')
    const rows = await db.all(
      `${POLLS} polls o JOIN sources s ON s.id = o.source_id JOIN podcasts p ON p.id = s.podcast_id
       WHERE ${where.map(({ sql }) => sql).join(' AND ')}
       ORDER BY o.started_at DESC, o.id DESC LIMIT ?`,
      [...where.flatMap(({ params }) => params), query.limit + 1 - found.length],
    )
    found.push(...rows)
    before = end
  }
  return { rows: found, unread: before }
}

/** The key of the last poll in a window; null when fewer polls are left. */
async function endOfWindow(db: Db, before: Key, since: number | null): Promise<Key | null> {
  const row = await db.get(
    `SELECT o.started_at, o.id FROM polls o WHERE (o.started_at, o.id) < (?, ?) AND o.started_at >= ?
     ORDER BY o.started_at DESC, o.id DESC LIMIT 1 OFFSET ${WINDOW - 1}`,
    [...before, since ?? 0],
  )
  return row ? keyOf(row) : null
}

function keyOf(row: Row): Key {
  return [Number(row.started_at), Number(row.id)]
}

function filtersOf({ outcome, since }: PollQuery): Condition {
  const sql = ['o.started_at >= ?', ...(outcome === null ? [] : ['o.outcome = ?'])].join(' AND ')
  return { sql, params: [since ?? 0, ...(outcome === null ? [] : [outcome])] }
}

function scopeOf({ userId, sourceId, host }: PollQuery): Condition {
  const conditions: Condition[] = []
  if (userId !== null) conditions.push({ sql: 'p.user_id = ?', params: [userId] })
  if (sourceId !== null) conditions.push({ sql: 's.id = ?', params: [sourceId] })
  if (host !== null) conditions.push({ sql: '(s.host = ? OR s.lane = ?)', params: [host, host] })
  return {
    sql: conditions.map(({ sql }) => sql).join(' AND '),
    params: conditions.flatMap(({ params }) => params),
  }
}
