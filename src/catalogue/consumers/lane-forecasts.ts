// What each lane may expect from some of its sources, hour by hour.
import { underRules } from '../../domain/breaker.ts'
import {
  expectedByHour,
  type ForecastQuestion,
  hostFreeAt,
  onceBack,
  underRequestLimit,
} from '../../domain/forecast.ts'
import { type HostState, unknownHost } from '../../domain/host.ts'
import { isLimited } from '../../domain/request-limit.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import type { Config } from '../../ports/config.ts'
import type { ForecastSource } from '../../ports/forecast-store.ts'
import type { Store } from '../../ports/store.ts'

export interface LaneForecastParts {
  readonly store: Store
  readonly config: Pick<Config, 'source' | 'limits'>
  readonly types: SourceTypes
}

/** Requests by hour. */
export type LaneForecasts = ReadonlyMap<string, readonly number[]>

export async function laneForecasts(
  parts: LaneForecastParts,
  sources: readonly ForecastSource[],
  question: ForecastQuestion,
): Promise<LaneForecasts> {
  const lanes = Map.groupBy(sources, ({ lane }) => lane)
  const leftAlone = await parts.store.hostsLeftAlone([...lanes.keys()], question.now)
  const hosts = new Map(leftAlone.map((host) => [host.lane, host]))
  const forecasts = new Map<string, readonly number[]>()
  for (const [lane, ofLane] of lanes) {
    // Few lanes need a key, and waiting for an answer thousands of times takes long.
    const provider = keyProviderOf(parts, ofLane)
    const asks = provider === null || (await hasKey(parts, ofLane, provider))
    const host = hosts.get(lane) ?? unknownHost(lane)
    forecasts.set(lane, asks ? expected(parts, ofLane, host, question) : new Array<number>(question.hours).fill(0))
  }
  return forecasts
}

function keyProviderOf({ types }: LaneForecastParts, [source]: readonly ForecastSource[]): string | null {
  return (source && types.find(source.type)?.keyProvider) ?? null
}

/** Without the key that its sources need, their polls end before they ask. */
async function hasKey(
  { store }: LaneForecastParts,
  [source]: readonly ForecastSource[],
  provider: string,
): Promise<boolean> {
  return source !== undefined && (await store.getSecret('key', source.userId, provider)) !== null
}

function expected(
  { config }: LaneForecastParts,
  sources: readonly ForecastSource[],
  state: HostState,
  question: ForecastQuestion,
): readonly number[] {
  const breaker = underRules(state.breaker, config.source.breaker)
  const freeAt = hostFreeAt({ ...state, breaker }, question.now)
  const planned = breaker.state === 'closed' ? sources : onceBack(sources, breaker, freeAt, question.limits)
  const limited = planned.filter(isLimited)
  const inAll = (some: readonly ForecastSource[]) => totalOf(some, freeAt, question)
  if (limited.length === 0) return inAll(planned)
  const unlimited = inAll(planned.filter((source) => !isLimited(source)))
  const letThrough = underRequestLimit(inAll(limited), limited.length, question.hostRequestsPerMinute)
  return unlimited.map((requests, hour) => requests + (letThrough[hour] ?? 0))
}

function totalOf(sources: readonly ForecastSource[], freeAt: number, question: ForecastQuestion): readonly number[] {
  return sumOf(
    sources.map((source) => expectedByHour(source, freeAt, question)),
    question.hours,
  )
}

/** Each hour of all of them together. By index: with thousands of forecasts iterators would take most of the time. */
export function sumOf(forecasts: Iterable<readonly number[]>, hours: number): readonly number[] {
  const sum = new Array<number>(hours).fill(0)
  for (const byHour of forecasts) {
    for (let hour = 0; hour < hours; hour++) sum[hour] = (sum[hour] ?? 0) + (byHour[hour] ?? 0)
  }
  return sum
}
