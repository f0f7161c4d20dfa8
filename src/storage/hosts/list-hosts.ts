// Lanes as people see them: those with a state and those with sources. Sources are counted within what the asker may
// see. The null lane is no host and is not listed.
import { unknownHost } from '../../domain/host.ts'
import { isNullLane } from '../../domain/lane.ts'
import { DAY_WITHOUT_REQUESTS } from '../../domain/politeness.ts'
import type { Page, PageQuery } from '../../ports/page.ts'
import type { HostListing } from '../../ports/polling-store.ts'
import type { Db, Row } from '../database/db.ts'
import { slices } from '../database/insert-rows.ts'
import { pageOf, readCursor } from '../posts/page-cursor.ts'
import { readHost } from './hosts.ts'
import { hostDays } from './lane-hours.ts'

export interface Scope {
  readonly userId: string | null
  readonly now: number
}

export async function listHosts(
  db: Db,
  query: PageQuery & Scope & { readonly waiting?: boolean },
): Promise<Page<HostListing>> {
  const [after] = readCursor(query.cursor, ['']) ?? ['']
  const lanes = query.waiting
    ? await waitingLanes(db, query, after, query.limit + 1)
    : query.userId === null
      ? await allLanes(db, after, query.limit + 1)
      : await lanesOf(db, query.userId, after, query.limit + 1)
  const page = pageOf(lanes, query.limit, (lane) => [lane])
  const items: HostListing[] = []
  for (const some of slices(page.items, 50)) items.push(...(await listings(db, some, query)))
  return { items, nextCursor: page.nextCursor }
}

export async function hostListing(db: Db, lane: string, scope: Scope): Promise<HostListing | null> {
  const [listing] = await listings(db, [lane], scope)
  if (!listing || isNullLane(lane)) return null
  const isKnown = listing.sources > 0 || (scope.userId === null && (await hasState(db, lane)))
  return isKnown ? listing : null
}

const laneAfter = (lane: string) => `
  SELECT min(lane) FROM (
    SELECT min(lane) AS lane FROM sources WHERE lane > ${lane}
    UNION ALL SELECT min(lane) AS lane FROM hosts WHERE lane > ${lane}) AS next`

/** Steps from lane to lane through two indexes, so a lane of very many sources costs one step. */
async function allLanes(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db.all(
    `WITH RECURSIVE steps (lane) AS (
       SELECT (${laneAfter('?')})
       UNION ALL SELECT (${laneAfter('steps.lane')}) FROM steps WHERE steps.lane IS NOT NULL)
     SELECT lane FROM steps WHERE lane IS NOT NULL LIMIT ?`,
    [after, after, limit],
  )
  return rows.map((row) => row.lane as string)
}

async function lanesOf(db: Db, userId: string, after: string, limit: number): Promise<string[]> {
  const rows = await db.all(
    `SELECT DISTINCT s.lane FROM sources s JOIN podcasts p ON p.id = s.podcast_id
     WHERE p.user_id = ? AND s.lane > ? ORDER BY s.lane LIMIT ?`,
    [userId, after, limit],
  )
  return rows.map((row) => row.lane as string)
}

/** Those that are left alone for now: closed, or with a breaker that is not. */
async function waitingLanes(db: Db, { userId, now }: Scope, after: string, limit: number): Promise<string[]> {
  const own = `AND EXISTS (SELECT 1 FROM sources s JOIN podcasts p ON p.id = s.podcast_id
     WHERE s.lane = h.lane AND p.user_id = ?)`
  const rows = await db.all(
    `SELECT h.lane FROM hosts h WHERE h.lane > ? AND (h.closed_until > ? OR h.breaker_state <> 'closed')
     ${userId === null ? '' : own} ORDER BY h.lane LIMIT ?`,
    [after, now, ...(userId === null ? [] : [userId]), limit],
  )
  return rows.map((row) => row.lane as string)
}

async function hasState(db: Db, lane: string): Promise<boolean> {
  return (await db.get('SELECT lane FROM hosts WHERE lane = ?', [lane])) !== undefined
}

async function listings(db: Db, lanes: readonly string[], { userId, now }: Scope): Promise<HostListing[]> {
  const list = db.dialect.list(lanes)
  const scope = userId === null ? '' : 'AND podcast_id IN (SELECT id FROM podcasts WHERE user_id = ?)'
  const owner = userId === null ? [] : [userId]
  const states = await db.all(`SELECT * FROM hosts WHERE ${db.dialect.oneOf('lane')}`, [list])
  const counts = await db.all(
    `SELECT lane, count(*) AS n, min(id) AS example FROM sources
     WHERE ${db.dialect.oneOf('lane')} ${scope} GROUP BY lane`,
    [list, ...owner],
  )
  const due = await db.all(
    `SELECT lane, count(*) AS n FROM sources
     WHERE ${db.dialect.oneOf('lane')} ${scope}
       AND enabled = 1 AND next_poll_at IS NOT NULL AND next_poll_at <= ? GROUP BY lane`,
    [list, ...owner, now],
  )
  const ids = counts.map((row) => row.example as string)
  const examples = await db.all(
    `SELECT s.lane, s.type, s.host, s.poll_delay_seconds, p.user_id
     FROM sources s JOIN podcasts p ON p.id = s.podcast_id WHERE ${db.dialect.oneOf('s.id')}`,
    [db.dialect.list(ids)],
  )
  const days = await hostDays(db, lanes, now)
  const [stateOf, countOf, dueOf, exampleOf] = [byLane(states), byLane(counts), byLane(due), byLane(examples)]
  return lanes.map((lane) => {
    const state = stateOf.get(lane)
    const example = exampleOf.get(lane)
    return {
      state: state ? readHost(state) : unknownHost(lane),
      sources: Number(countOf.get(lane)?.n ?? 0),
      due: Number(dueOf.get(lane)?.n ?? 0),
      example: example ? readExample(example) : null,
      day: days.get(lane) ?? DAY_WITHOUT_REQUESTS,
    }
  })
}

function readExample(row: Row): HostListing['example'] {
  return {
    userId: row.user_id as string,
    type: row.type as string,
    host: row.host as string | null,
    pollDelaySeconds: row.poll_delay_seconds as number | null,
  }
}

function byLane(rows: readonly Row[]): ReadonlyMap<unknown, Row> {
  return new Map(rows.map((row) => [row.lane, row]))
}
