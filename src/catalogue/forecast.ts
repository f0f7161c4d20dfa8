// Expected requests per host and hour, from the plans of the asker's sources. Hosts with most requests first.
import { expectedByHour, hostFreeAt } from '../domain/forecast.ts'
import { HOUR_MS } from '../domain/schedule.ts'
import type { Clock } from '../ports/clock.ts'
import type { Config } from '../ports/config.ts'
import type { Store } from '../ports/store.ts'
import type { ForecastView } from './answers.ts'
import { eachSource } from './each-source.ts'
import { iso } from './views.ts'

export interface ForecastParts {
  readonly store: Store
  readonly clock: Clock
  readonly config: Pick<Config, 'source'>
}

export async function forecast(
  { store, clock, config }: ForecastParts,
  { userId, hours }: { readonly userId: string | null; readonly hours: number },
): Promise<ForecastView> {
  const question = { now: clock.now(), hours, limits: config.source }
  const freeAt = new Map<string, number>()
  const byLane = new Map<string, number[]>()
  const total = new Array<number>(hours).fill(0)
  await eachSource(store, { podcastId: null, userId }, async (source) => {
    const { lane } = source
    if (lane === '' || !source.enabled) return
    if (!freeAt.has(lane)) freeAt.set(lane, hostFreeAt(await store.hostState(lane), question.now))
    const ofLane = byLane.get(lane) ?? new Array<number>(hours).fill(0)
    byLane.set(lane, ofLane)
    for (const [hour, requests] of expectedByHour(source, freeAt.get(lane) ?? question.now, question).entries()) {
      ofLane[hour] = (ofLane[hour] ?? 0) + requests
      total[hour] = (total[hour] ?? 0) + requests
    }
  })
  const hosts = [...byLane].map(([host, byHour]) => ({ host, requests: byHour.reduce((a, b) => a + b, 0), byHour }))
  return {
    from: iso(question.now),
    hours: total.map((requests, hour) => ({ from: iso(question.now + hour * HOUR_MS), requests })),
    hosts: hosts.sort((a, b) => b.requests - a.requests || (a.host < b.host ? -1 : 1)),
  }
}
