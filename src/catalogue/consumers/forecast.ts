// Expected requests per host and hour, from the plans of the asker's sources. Hosts with most requests first. In an
// outage of our own it is what to expect once the line is back, and says so.
import { underRules } from '../../domain/breaker.ts'
import { expectedByHour, type ForecastQuestion, hostFreeAt, onceBack } from '../../domain/forecast.ts'
import { type HostState, unknownHost } from '../../domain/host.ts'
import { isNullLane } from '../../domain/lane.ts'
import { HOUR_MS } from '../../domain/schedule.ts'
import type { Source } from '../../domain/source.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Config } from '../../ports/config.ts'
import type { Engine } from '../../ports/engine.ts'
import type { Store } from '../../ports/store.ts'
import type { ForecastView } from '../shapes/polling-answers.ts'
import { iso } from '../shapes/views.ts'
import { eachSource } from '../sources/each-source.ts'

export interface ForecastParts {
  readonly store: Store
  readonly clock: Clock
  readonly config: Pick<Config, 'source'>
  readonly engine: Pick<Engine, 'status'>
  readonly types: SourceTypes
}

interface LaneForecast {
  readonly host: HostState
  readonly byHour: number[]
  /** Waiting for the host to be back: they are planned together. */
  readonly waiting: Source[]
  /** Its owner stored no key, which its sources need: their polls end before they ask. */
  readonly lacksKey: boolean
}

export async function forecast(
  { store, clock, config, engine, types }: ForecastParts,
  { userId, hours }: { readonly userId: string | null; readonly hours: number },
): Promise<ForecastView> {
  const question = { now: clock.now(), hours, limits: config.source }
  const lanes = new Map<string, LaneForecast>()
  const laneOf = async ({ lane, type, userId: owner }: Source): Promise<LaneForecast> => {
    const known = lanes.get(lane)
    if (known) return known
    const state = (await store.hostState(lane)) ?? unknownHost(lane)
    const host = { ...state, breaker: underRules(state.breaker, config.source.breaker) }
    const provider = types.find(type)?.keyProvider ?? null
    const lacksKey = provider !== null && (await store.getSecret('key', owner, provider)) === null
    const made = { host, byHour: new Array<number>(hours).fill(0), waiting: [], lacksKey }
    lanes.set(lane, made)
    return made
  }
  await eachSource(store, { podcastId: null, userId }, async (source) => {
    if (isNullLane(source.lane) || !source.enabled) return
    const lane = await laneOf(source)
    if (lane.lacksKey) return
    if (lane.host.breaker.state === 'closed') expect(lane, [source], question)
    else lane.waiting.push(source)
  })
  for (const lane of lanes.values()) {
    const { host, waiting } = lane
    expect(lane, onceBack(waiting, host.breaker, hostFreeAt(host, question.now), question.limits), question)
  }
  return viewOf([...lanes], question, engine.status().outage)
}

function expect({ host, byHour }: LaneForecast, sources: readonly Source[], question: ForecastQuestion): void {
  const freeAt = hostFreeAt(host, question.now)
  for (const source of sources) {
    for (const [hour, requests] of expectedByHour(source, freeAt, question).entries()) {
      byHour[hour] = (byHour[hour] ?? 0) + requests
    }
  }
}

function viewOf(
  lanes: readonly (readonly [string, LaneForecast])[],
  { now, hours }: ForecastQuestion,
  outage: { readonly since: number } | null,
): ForecastView {
  const total = Array.from({ length: hours }, (_, hour) => sum(lanes.map(([, { byHour }]) => byHour[hour] ?? 0)))
  const hosts = lanes.map(([host, { byHour }]) => ({ host, requests: sum(byHour), byHour }))
  return {
    from: iso(now),
    outage: outage && { since: iso(outage.since) },
    hours: total.map((requests, hour) => ({ from: iso(now + hour * HOUR_MS), requests })),
    hosts: hosts.sort((a, b) => b.requests - a.requests || (a.host < b.host ? -1 : 1)),
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0)
}
