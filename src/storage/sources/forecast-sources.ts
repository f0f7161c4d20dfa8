// What a forecast reads of sources and lanes: few columns, in slices that do not hold up the event loop.
import type { HostState } from '../../domain/host.ts'
import type { ForecastSource, LaneSize } from '../../ports/forecast-store.ts'
import { codecOf } from '../database/columns.ts'
import type { Db, Param, Row } from '../database/db.ts'
import { slices } from '../database/insert-rows.ts'
import { readHost } from '../hosts/hosts.ts'
import { countAllSources } from '../totals/totals.ts'

const codec = codecOf<Omit<ForecastSource, 'userId'>>({
  id: ['id', 'text'],
  type: ['type', 'text'],
  lane: ['lane', 'text'],
  trusted: ['trusted', 'boolean'],
  enabled: ['enabled', 'boolean'],
  pollIntervalMinutes: ['poll_interval_minutes', 'integer'],
  adaptive: ['adaptive', 'boolean'],
  learnedIntervalMinutes: ['learned_interval_minutes', 'integer'],
  maxBackoffHours: ['max_backoff_hours', 'integer'],
  consecutiveFailures: ['consecutive_failures', 'integer'],
  honourFreshness: ['honour_freshness', 'boolean'],
  lastPolled: ['last_polled', 'integer'],
  nextPollAt: ['next_poll_at', 'integer'],
  isMadeDue: ['made_due', 'boolean'],
  feedFreshness: ['feed_freshness', 'json'],
  freshUntil: ['fresh_until', 'integer'],
  retryAt: ['retry_at', 'integer'],
})
const COLUMNS = `${codec.columns.map((column) => `s.${column}`).join(', ')}, p.user_id`

function readForecastSource(row: Row): ForecastSource {
  return { ...codec.read(row), userId: row.user_id as string }
}

export async function countSources(db: Db, userId: string | null): Promise<number> {
  const count = async (condition: string, params: readonly Param[]) =>
    Number((await db.get(`SELECT count(*) AS n FROM sources WHERE ${condition}`, params))?.n)
  const [own, owner] = ownedBy(userId)
  const [all, disabled] = [await countAllSources(db, userId), await count(`enabled = 0 AND ${own}`, owner)]
  return all - disabled - (await count(`lane = '' AND enabled = 1 AND ${own}`, owner))
}

function ownedBy(userId: string | null): readonly [condition: string, params: readonly Param[]] {
  return userId === null ? ['1 = 1', []] : ['podcast_id IN (SELECT id FROM podcasts WHERE user_id = ?)', [userId]]
}

const HASHES = 2 ** 32
const SLICES = 16

/**
 * The hashes of URLs are as good as random numbers, and are indexed: those below a bound are a fair sample. CROSS JOIN makes
 * SQLite begin with the podcasts, so that it uses that index.
 */
export async function sampleSources(db: Db, userId: string | null, share: number): Promise<readonly ForecastSource[]> {
  const found: ForecastSource[] = []
  const hash = (slice: number) =>
    Math.floor((slice * share * HASHES) / SLICES)
      .toString(16)
      .padStart(8, '0')
  for (let slice = 0; slice < SLICES; slice++) {
    const isLastOfAll = share >= 1 && slice === SLICES - 1
    const rows = await db.all(
      `SELECT ${COLUMNS} FROM podcasts p CROSS JOIN sources s
       WHERE s.podcast_id = p.id AND s.url_hash >= ? ${isLastOfAll ? '' : 'AND s.url_hash < ?'} AND s.enabled = 1 AND s.lane <> ''
         ${userId === null ? '' : 'AND p.user_id = ?'}`,
      [hash(slice), ...(isLastOfAll ? [] : [hash(slice + 1)]), ...(userId === null ? [] : [userId])],
    )
    for (const row of rows) found.push(readForecastSource(row))
  }
  return found
}

export async function lanesAfter(db: Db, lane: string, limit: number): Promise<readonly LaneSize[]> {
  const rows = await db.all(
    `WITH RECURSIVE steps (lane) AS (
       SELECT min(lane) FROM sources WHERE lane > ?
       UNION ALL SELECT (SELECT min(lane) FROM sources WHERE lane > steps.lane) FROM steps WHERE steps.lane IS NOT NULL)
     SELECT lane, (SELECT count(*) FROM sources WHERE sources.lane = steps.lane) AS n
     FROM steps WHERE lane IS NOT NULL LIMIT ?`,
    [lane, limit],
  )
  return rows.map((row) => ({ lane: row.lane as string, sources: Number(row.n) }))
}

const LANES_AT_ONCE = 50

export async function sourcesOfLanes(
  db: Db,
  userId: string | null,
  lanes: readonly string[],
): Promise<readonly ForecastSource[]> {
  const found: ForecastSource[] = []
  for (const some of slices(lanes, LANES_AT_ONCE)) {
    const rows = await db.all(
      `SELECT ${COLUMNS} FROM sources s JOIN podcasts p ON p.id = s.podcast_id
       WHERE ${db.dialect.oneOf('s.lane')} AND s.enabled = 1 ${userId === null ? '' : 'AND p.user_id = ?'}`,
      [db.dialect.list(some), ...(userId === null ? [] : [userId])],
    )
    for (const row of rows) found.push(readForecastSource(row))
  }
  return found
}

const HOSTS_AT_ONCE = 1000

export async function hostsLeftAlone(db: Db, lanes: readonly string[], now: number): Promise<readonly HostState[]> {
  const found: HostState[] = []
  for (const some of slices(lanes, HOSTS_AT_ONCE)) {
    const rows = await db.all(
      `SELECT * FROM hosts WHERE ${db.dialect.oneOf('lane')} AND (closed_until > ? OR breaker_state <> 'closed')`,
      [db.dialect.list(some), now],
    )
    for (const row of rows) found.push(readHost(row))
  }
  return found
}
