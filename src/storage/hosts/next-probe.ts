// Who is worth a probe, and whose turn it is. Turns go round in the order of names: two rows tell the next one.
import type { HostState } from '../../domain/host.ts'
import { MINUTE_MS } from '../../domain/schedule.ts'
import type { Source } from '../../domain/source.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import { AT_ONCE_MS, LONGEST_DELAY_MS } from '../../domain/spacing.ts'
import type { Db, Param, Row } from '../database/db.ts'
import { readHost } from './hosts.ts'

export async function enabledRotation(db: Db, lane: string, after: string | null): Promise<readonly string[]> {
  return turnsOf(after, (afterId) => enabledAfter(db, 'lane', lane, afterId))
}

export async function probeRotation(db: Db, lane: string, after: string | null): Promise<readonly string[]> {
  const enabled = await turnsOf(after, async (afterId) => {
    const own = await enabledAfter(db, 'lane', lane, afterId)
    const led = await enabledAfter(db, 'leads_to', lane, afterId)
    return own && led ? (String(own.id) < String(led.id) ? own : led) : (own ?? led)
  })
  return enabled.length > 0 ? enabled : turnsOf(after, (afterId) => disabledInRunAfter(db, lane, afterId))
}

/** Auto-disabled since the host's last success. They come back when the host does, so somebody has to ask it. */
function disabledInRunAfter(db: Db, lane: string, afterId: string): Promise<Row | undefined> {
  return db.get(
    `SELECT s.id FROM sources s JOIN hosts h ON h.lane = s.lane
     WHERE s.lane = ? AND s.enabled = 0 AND s.disabled_reason IS NOT NULL AND s.auto_disabled_at > h.last_succeeded_at
       AND s.id > ? ORDER BY s.id LIMIT 1`,
    [lane, afterId],
  )
}

/** The first of all, and the first after the last one to have a turn. */
async function turnsOf(after: string | null, next: (afterId: string) => Promise<Row | undefined>): Promise<string[]> {
  return firstTwo([await next(''), after === null ? undefined : await next(after)], 'id')
}

function enabledAfter(db: Db, column: 'lane' | 'leads_to', lane: string, afterId: string): Promise<Row | undefined> {
  return db.get(`SELECT id FROM sources WHERE ${column} = ? AND enabled = 1 AND id > ? ORDER BY id LIMIT 1`, [
    lane,
    afterId,
  ])
}

export async function nextMadeDue(db: Db, lane: string, now: number): Promise<string | null> {
  const row = await db.get(
    `SELECT id FROM sources WHERE lane = ? AND made_due = 1 AND enabled = 1 AND next_poll_at <= ?
     ORDER BY next_poll_at, id LIMIT 1`,
    [lane, now],
  )
  return row ? String(row.id) : null
}

export async function hasSources(db: Db, lane: string): Promise<boolean> {
  const found = async (column: string) => db.get(`SELECT id FROM sources WHERE ${column} = ? LIMIT 1`, [lane])
  return ((await found('lane')) ?? (await found('leads_to'))) !== undefined
}

type OwnerLanes = Pick<SourceTypes, 'services'>

/** The owners' lanes of a service, as a range that an index finds: ';' comes next after ':'. */
const isOf = (service: string, lane: string): string => `(${lane} >= '${service}:' AND ${lane} < '${service};')`
const isOfAny = (services: readonly string[], lane: string): string =>
  services.map((service) => isOf(service, lane)).join(' OR ') || '1 = 0'
const IS_POLLED = 'EXISTS (SELECT 1 FROM sources s WHERE s.lane = hosts.lane AND s.enabled = 1)'

export async function countGoodHosts(db: Db, { services }: OwnerLanes, except: readonly string[]): Promise<number> {
  const others = await db.get(
    `SELECT count(*) AS n FROM hosts
     WHERE last_poll_ok = 1 AND NOT (${isOfAny(services, 'lane')}) AND NOT (${db.dialect.oneOf('lane')}) AND ${IS_POLLED}`,
    [db.dialect.list(except)],
  )
  let count = Number(others?.n)
  for (const service of services.filter((name) => !except.includes(name))) {
    const ofService = `last_poll_ok = 1 AND ${isOf(service, 'lane')} AND ${IS_POLLED}`
    if (await db.get(`SELECT lane FROM hosts WHERE ${ofService} LIMIT 1`)) count++
  }
  return count
}

/** Says in SQL what `isSoonFree` says of a row: test/store-contract/same-rules.ts holds both to the same answer. */
const IS_FREE = `(closed_until IS NULL OR closed_until <= ?)
  AND (last_request_at > ? OR (${isSoonOver('not_before')} AND ${isSoonOver('others_not_before')}))`

/** A reservation further ahead than any delay is from before the clock was set back. */
function isSoonOver(column: string): string {
  return `(${column} IS NULL OR ${column} <= ? OR ${column} > ?)`
}

function freeAt(now: number): number[] {
  const spacing = [now + MINUTE_MS, now + LONGEST_DELAY_MS]
  return [now, now + AT_ONCE_MS, ...spacing, ...spacing]
}

export async function hostsThatWorked(
  db: Db,
  { services }: OwnerLanes,
  { since, now, except, limit }: { since: number; now: number; except: readonly string[]; limit: number },
): Promise<readonly HostState[]> {
  const worked = `last_succeeded_at >= ? AND ${IS_FREE} AND breaker_state = 'closed' AND ${IS_POLLED}`
  const order = 'ORDER BY last_poll_ok DESC, last_succeeded_at DESC, lane LIMIT ?'
  const facts = [since, ...freeAt(now)]
  const rows = await db.all(
    `SELECT * FROM hosts WHERE ${worked} AND NOT (${isOfAny(services, 'lane')}) AND NOT (${db.dialect.oneOf('lane')}) ${order}`,
    [...facts, db.dialect.list(except), limit],
  )
  // A service counts its owners' requests: it is asked when there are not enough others.
  const found = [...rows]
  for (const service of services.filter((name) => !except.includes(name))) {
    if (found.length >= limit) break
    found.push(
      ...(await db.all(`SELECT * FROM hosts WHERE ${worked} AND ${isOf(service, 'lane')} ${order}`, [...facts, 1])),
    )
  }
  return found.map(readHost)
}

export async function laneRotation(
  db: Db,
  { services }: OwnerLanes,
  { now, after }: { now: number; after: string | null },
): Promise<readonly string[]> {
  const free = freeAt(now)
  const lanes = `SELECT s.lane FROM sources s LEFT JOIN hosts ON hosts.lane = s.lane
    WHERE ${IS_FREE} AND s.enabled = 1 AND s.lane <> ''`
  // A host that is down by itself is asked when there is nobody else: an outage nobody asks about would never end.
  for (const some of [`${lanes} AND (breaker_state IS NULL OR breaker_state = 'closed')`, lanes]) {
    const spokesmen: string[] = []
    for (const service of services) {
      const lane = (await db.get(`${some} AND ${isOf(service, 's.lane')} ORDER BY s.lane LIMIT 1`, free))?.lane
      if (lane !== undefined) spokesmen.push(String(lane))
    }
    // All lanes of a service ask one host: one of them takes a turn.
    const hosts = `${some} AND (NOT (${isOfAny(services, 's.lane')}) OR ${db.dialect.oneOf('s.lane')})`
    const found = await inTurn(db, hosts, [...free, db.dialect.list(spokesmen)], after)
    if (found.length > 0) return found
  }
  return []
}

async function inTurn(db: Db, lanes: string, params: readonly Param[], after: string | null): Promise<string[]> {
  const sql = `SELECT lane FROM (${lanes}) AS asked WHERE lane > ? ORDER BY lane LIMIT 1`
  const first = await db.get(sql, [...params, ''])
  return firstTwo([first, after === null ? undefined : await db.get(sql, [...params, after])], 'lane')
}

export async function countDueAhead(
  db: Db,
  { id, lane, nextPollAt }: Pick<Source, 'id' | 'lane' | 'nextPollAt'>,
  now: number,
  except: readonly string[],
): Promise<number> {
  if (nextPollAt === null) return 0
  const row = await db.get(
    `SELECT count(*) AS n FROM sources
     WHERE lane = ? AND enabled = 1 AND next_poll_at IS NOT NULL AND next_poll_at <= ? AND (next_poll_at, id) < (?, ?)
       AND NOT (${db.dialect.oneOf('id')})`,
    [lane, now, nextPollAt, id, db.dialect.list(except)],
  )
  return Number(row?.n)
}

function firstTwo(rows: readonly (Readonly<Record<string, unknown>> | undefined)[], column: string): string[] {
  return [...new Set(rows.flatMap((row) => (row ? [row[column] as string] : [])))]
}
