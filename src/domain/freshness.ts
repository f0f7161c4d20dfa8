// Until when a server has said that asking again is pointless: the latest of
//   Cache-Control max-age less Age, else Expires (`no-cache` and `no-store` state nothing, Expires included);
//   the feed's ttl; its sy: period; and the end of the skipped hours or days that hold the planned instant.
// A 304 states it as much as a 200. Nothing stated is null; how far to follow it is for the schedule to say.
import { parseHttpDate } from './http-date.ts'

export type FreshnessOrigin = 'cache-control' | 'expires' | 'ttl' | 'update-period' | 'skip-hours' | 'skip-days'

export interface Freshness {
  readonly until: number
  readonly from: FreshnessOrigin
}

/** What a feed says about how often to come. */
export interface StatedByFeed {
  readonly ttlMinutes: number | null
  readonly updatePeriodMs: number | null
  readonly skipHours: readonly number[]
  /** 0 is Sunday. */
  readonly skipDays: readonly number[]
}

export interface FreshnessQuestion {
  readonly now: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly feed: StatedByFeed | null
  /** When the source would be polled next without any of this. */
  readonly plannedAt: number
}

const HOUR_MS = 3_600_000
/** Nothing is fresh for longer than this, whatever it says: 68 years, the most RFC 9111 asks anybody to count. */
const MAX_SECONDS = 2 ** 31

export function freshUntil({ now, headers, feed, plannedAt }: FreshnessQuestion): Freshness | null {
  const stated = [
    ofHeaders(now, headers),
    lasting(now, feed?.ttlMinutes, 60_000, 'ttl'),
    lasting(now, feed?.updatePeriodMs, 1, 'update-period'),
  ].filter((it) => it !== null)
  const latest = stated.reduce<Freshness | null>((best, it) => (best && best.until >= it.until ? best : it), null)
  const planned = Math.max(plannedAt, latest?.until ?? plannedAt)
  return (feed && endOfSkipping(planned, feed)) ?? latest
}

function ofHeaders(now: number, headers: FreshnessQuestion['headers']): Freshness | null {
  const control = parseCacheControl(headers['cache-control'])
  if (control.noCache || control.noStore) return null
  if (control.maxAgeSeconds !== null) {
    const leftSeconds = control.maxAgeSeconds - (parseSeconds(headers.age?.split(',', 1)[0]) ?? 0)
    return lasting(now, leftSeconds, 1000, 'cache-control')
  }
  const expires = headers.expires === undefined ? null : parseHttpDate(headers.expires, now)
  return expires !== null && expires > now ? { until: expires, from: 'expires' } : null
}

function lasting(
  now: number,
  count: number | null | undefined,
  unitMs: number,
  from: FreshnessOrigin,
): Freshness | null {
  if (count == null || !(count > 0)) return null
  return { until: now + Math.min(count * unitMs, MAX_SECONDS * 1000), from }
}

/** The end of the run of skipped hours and days that holds `planned`; null when none does, or when all are skipped. */
function endOfSkipping(planned: number, feed: StatedByFeed): Freshness | null {
  const hours = new Set(feed.skipHours.map((hour) => hour % 24))
  const days = new Set(feed.skipDays.map((day) => day % 7))
  if (hours.size >= 24 || days.size >= 7) return null
  const skips = (at: number): 'skip-hours' | 'skip-days' | null => {
    const date = new Date(at)
    if (days.has(date.getUTCDay())) return 'skip-days'
    return hours.has(date.getUTCHours()) ? 'skip-hours' : null
  }
  const from = skips(planned)
  if (!from) return null
  let end = planned - (planned % HOUR_MS)
  while (skips(end)) end += HOUR_MS
  return { until: end, from }
}

export interface CacheControl {
  readonly maxAgeSeconds: number | null
  readonly noCache: boolean
  readonly noStore: boolean
}

/** s-maxage is for shared caches and ignored. Of several max-age the shortest counts; nonsense counts as not said. */
export function parseCacheControl(value: string | undefined): CacheControl {
  const ages: number[] = []
  const names = new Set<string>()
  // A quoted value may hold commas.
  for (const [, name = '', quoted, bare] of (value ?? '').matchAll(
    /([^\s,=";]+)\s*(?:=\s*(?:"([^"]*)"|([^\s,;]*)))?/g,
  )) {
    names.add(name.toLowerCase())
    const age = name.toLowerCase() === 'max-age' ? parseSeconds(quoted ?? bare) : null
    if (age !== null) ages.push(age)
  }
  return {
    maxAgeSeconds: ages.length > 0 ? Math.min(...ages) : null,
    noCache: names.has('no-cache'),
    noStore: names.has('no-store'),
  }
}

function parseSeconds(text: string | undefined): number | null {
  const trimmed = text?.trim() ?? ''
  return /^\d+$/.test(trimmed) ? Math.min(Number(trimmed), MAX_SECONDS) : null
}
