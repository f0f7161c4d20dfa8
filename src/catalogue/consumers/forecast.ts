// Expected requests per host and hour, from the plans of the asker's sources. In an outage of our own it is what to
// expect once the line is back, and says so.
//   - Up to MOST_READ sources: all of them are read, and the hosts with most requests come first.
//   - More: the total is estimated from a fair sample of sources (forecast-estimate.ts), and the hosts of each page come
//     by name. Those are exact, but for hosts that have themselves very many sources.
// See docs/decisions/0150-forecast-from-a-sample.md
import type { ForecastQuestion } from '../../domain/forecast.ts'
import { Problem } from '../../domain/problem.ts'
import { HOUR_MS } from '../../domain/schedule.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Engine } from '../../ports/engine.ts'
import type { LaneSize } from '../../ports/forecast-store.ts'
import type { ForecastView } from '../shapes/polling-answers.ts'
import { iso } from '../shapes/views.ts'
import { estimated } from './forecast-estimate.ts'
import { type LaneForecastParts, type LaneForecasts, laneForecasts, sumOf } from './lane-forecasts.ts'

export interface ForecastParts extends LaneForecastParts {
  readonly clock: Clock
  readonly engine: Pick<Engine, 'status'>
}

export interface ForecastRequest {
  readonly userId: string | null
  readonly hours: number
  readonly limit: number
  readonly cursor: string | null
}

const MOST_READ = 10_000

type Asked = ForecastRequest & ForecastQuestion
type HostForecast = ForecastView['hosts'][number]
type Hosts = Pick<ForecastView, 'hosts' | 'nextCursor'>

export async function forecast(parts: ForecastParts, request: ForecastRequest): Promise<ForecastView> {
  const { store, clock, config, engine } = parts
  const { hostRequestsPerMinute } = config.limits
  const asked = { ...request, now: clock.now(), limits: config.source, hostRequestsPerMinute }
  const after = readCursor(request.cursor)
  const sources = await store.countSources(request.userId)
  const { outage } = engine.status()
  const answer = sources > MOST_READ ? await estimate(parts, asked, sources, after) : await exact(parts, asked, after)
  return { outage: outage && { since: iso(outage.since) }, ...answer }
}

type Forecast = Omit<ForecastView, 'outage'>

async function exact(parts: ForecastParts, asked: Asked, after: Last | null): Promise<Forecast> {
  const lanes = await laneForecasts(parts, await parts.store.sampleSources(asked.userId, 1), asked)
  const total = sumOf(lanes.values(), asked.hours)
  return { ...hoursOf(asked.now, total), estimated: false, ...busiest(lanes, after, asked.limit) }
}

async function estimate(parts: ForecastParts, asked: Asked, sources: number, after: Last | null): Promise<Forecast> {
  const { now, lanes, total, times } = await estimated(parts, { ...asked, sources })
  const hosts = await byName(parts, { ...asked, now }, after, lanes, times)
  return { ...hoursOf(now, scaled(total, times)), estimated: true, ...hosts }
}

function hoursOf(now: number, total: readonly number[]): Pick<ForecastView, 'from' | 'hours'> {
  return {
    from: iso(now),
    hours: total.map((requests, hour) => ({ from: iso(now + hour * HOUR_MS), requests })),
  }
}

/** The last host of the page before. */
type Last = Pick<HostForecast, 'requests' | 'host'>

function busiest(lanes: LaneForecasts, after: Last | null, limit: number): Hosts {
  const before = (a: Last, b: Last) => b.requests - a.requests || (a.host < b.host ? -1 : 1)
  const hosts = [...lanes].map(([host, byHour]) => hostForecast(host, byHour)).sort(before)
  const left = after ? hosts.filter((host) => host.host !== after.host && before(after, host) < 0) : hosts
  return { hosts: left.slice(0, limit), nextCursor: left.length > limit ? writeCursor(left[limit - 1]) : null }
}

/** The page ends early rather than read more than MOST_READ sources. */
async function byName(
  parts: ForecastParts,
  asked: Asked,
  after: Last | null,
  sampled: LaneForecasts,
  times: number,
): Promise<Hosts> {
  const found = await parts.store.lanesAfter(after?.host ?? '', asked.limit + 1)
  const page = found.slice(0, asked.limit).slice(0, howManyToRead(found))
  const small = page.filter(isReadWhole).map(({ lane }) => lane)
  const exact = await laneForecasts(parts, await parts.store.sourcesOfLanes(asked.userId, small), asked)
  const hosts = page.flatMap(({ lane }) => {
    const estimate = sampled.get(lane)
    const byHour = exact.get(lane) ?? (small.includes(lane) || !estimate ? null : scaled(estimate, times))
    return byHour ? hostForecast(lane, byHour) : []
  })
  const last = page.at(-1)
  return {
    hosts,
    nextCursor: page.length < found.length && last ? writeCursor({ requests: 0, host: last.lane }) : null,
  }
}

/** Of a host with so many sources enough are in the sample. */
const VERY_MANY = 2000

function isReadWhole({ sources }: LaneSize): boolean {
  return sources < VERY_MANY
}

function howManyToRead(lanes: readonly LaneSize[]): number {
  let sources = 0
  const tooMany = lanes.findIndex((lane) => {
    sources += isReadWhole(lane) ? lane.sources : 0
    return sources > MOST_READ
  })
  return tooMany < 0 ? lanes.length : tooMany
}

function hostForecast(host: string, byHour: readonly number[]): HostForecast {
  return { host, requests: sum(byHour), byHour: [...byHour] }
}

function scaled(byHour: readonly number[], times: number): readonly number[] {
  return byHour.map((requests) => Math.round(requests * times))
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0)
}

function writeCursor(last: Last | undefined): string | null {
  return last ? `${last.requests}/${last.host}` : null
}

function readCursor(cursor: string | null): Last | null {
  if (cursor === null) return null
  const [, requests, host] = /^(\d{1,12})\/([^\0]+)$/.exec(cursor) ?? []
  if (requests !== undefined && host !== undefined) return { requests: Number(requests), host }
  const message = 'expected the nextCursor of an earlier answer'
  throw new Problem('invalid-input', `cursor: ${message}`, [{ path: 'cursor', message }])
}
