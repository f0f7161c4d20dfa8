// What all hosts of a very large store may expect, estimated from a fair sample of its sources. Reading the sample takes
// most of the time of a forecast, and plans change little in half a minute. So the last estimate is used again for that
// long, by whoever asks the same, unless sources were added, removed, enabled or disabled since. Whoever reads one page of
// hosts after the other then also gets the same total with each.
// See docs/decisions/0203-estimate-of-the-forecast-kept-for-half-a-minute.md
import type { ForecastQuestion } from '../../domain/forecast.ts'
import type { Store } from '../../ports/store.ts'
import { type LaneForecastParts, type LaneForecasts, laneForecasts, sumOf } from './lane-forecasts.ts'

const SAMPLE = 5000
const KEPT_MS = 30_000

/** `sources`: how many the sample stands for. */
export interface EstimateQuestion extends ForecastQuestion {
  readonly userId: string | null
  readonly sources: number
}

export interface Estimate {
  /** When it was made. Its first hour begins then. */
  readonly now: number
  /** Requests by hour, of the sample alone. */
  readonly lanes: LaneForecasts
  readonly total: readonly number[]
  /** How many sources each of the sample stands for. */
  readonly times: number
}

interface Kept {
  readonly question: EstimateQuestion
  readonly estimate: Estimate
}

const lastOf = new WeakMap<Store, Kept>()

export async function estimated(parts: LaneForecastParts, question: EstimateQuestion): Promise<Estimate> {
  const last = lastOf.get(parts.store)
  if (last && isSame(last.question, question)) return last.estimate
  const estimate = await fromSample(parts, question)
  lastOf.set(parts.store, { question, estimate })
  return estimate
}

function isSame(last: EstimateQuestion, question: EstimateQuestion): boolean {
  const ageMs = question.now - last.now
  const isRecent = ageMs >= 0 && ageMs < KEPT_MS
  return (
    isRecent && last.userId === question.userId && last.sources === question.sources && last.hours === question.hours
  )
}

async function fromSample(parts: LaneForecastParts, question: EstimateQuestion): Promise<Estimate> {
  const { now, hours, sources, userId } = question
  const sample = await parts.store.sampleSources(userId, SAMPLE / sources)
  const times = sources / Math.max(1, sample.length)
  // Of a sample the limit lets through as much less.
  const hostRequestsPerMinute = question.hostRequestsPerMinute / times
  const lanes = await laneForecasts(parts, sample, { ...question, hostRequestsPerMinute })
  return { now, lanes, total: sumOf(lanes.values(), hours), times }
}
