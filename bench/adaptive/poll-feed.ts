// Polls one simulated feed with the rules of the product and notes what came of it. No network, no store.
import { type AdaptiveBounds, learnedInterval } from '../../src/domain/learned-interval.ts'
import { newRhythm, quietSince, rhythmAfter } from '../../src/domain/rhythm.ts'
import type { Rhythm } from '../../src/domain/source.ts'
import { DAY, MINUTE, type Random, type SimulatedFeed } from './rhythms.ts'

export interface Polled {
  readonly requests: number
  /** Of each entry, from its publication to the poll that found it. */
  readonly delaysMs: readonly number[]
  /** Entries that left the document before any poll saw them. */
  readonly missed: number
  /** When the source was found quiet. */
  readonly quietAt: readonly { readonly at: number; readonly since: number }[]
}

export interface Polling {
  readonly from: number
  readonly until: number
  /** Nothing is counted before this. */
  readonly countFrom: number
  /** null: adaptive, starting with 30 minutes. */
  readonly fixedMinutes: number | null
  readonly bounds: AdaptiveBounds
}

const SET_MINUTES = 30

export function pollFeed(feed: SimulatedFeed, polling: Polling, random: Random): Polled {
  const { from, until, countFrom, fixedMinutes, bounds } = polling
  const delaysMs: number[] = []
  const quietAt: { at: number; since: number }[] = []
  let [requests, missed, seen, wasQuiet] = [0, 0, 0, false]
  let rhythm: Rhythm | null = null
  for (let now = from + random() * (fixedMinutes ?? SET_MINUTES) * MINUTE; now < until; ) {
    if (now >= countFrom) requests++
    const isFirst = rhythm === null
    rhythm ??= newRhythm(now)
    const published = countUntil(feed.instants, now, seen)
    const oldestShown = Math.max(0, published - feed.entries)
    if (published > seen) {
      for (let index = seen; index < published && !isFirst; index++) {
        const at = feed.instants[index] ?? now
        if (at < countFrom) continue
        if (index < oldestShown) missed++
        else delaysMs.push(now - at)
      }
      const found = feed.instants.slice(Math.max(seen, oldestShown), published)
      const added = isFirst ? { posts: [], earlier: found } : { posts: found, earlier: [] }
      const stored = isFirst ? 0 : found.length
      rhythm = rhythmAfter(rhythm, { ...added, documentEntries: published - oldestShown }, stored, now)
      seen = published
    }
    const since = quietSince(rhythm, now)
    if (since !== null && !wasQuiet) quietAt.push({ at: now, since })
    wasQuiet = since !== null
    const minutes = fixedMinutes ?? learnedInterval(rhythm, bounds, now) ?? SET_MINUTES
    now += minutes * MINUTE
  }
  return { requests, delaysMs, missed, quietAt }
}

function countUntil(instants: readonly number[], now: number, from: number): number {
  let count = from
  while (count < instants.length && (instants[count] ?? 0) <= now) count++
  return count
}

/** False alarms: the feed was found quiet, but published again later. `lateDays`: how long after the bound it was found. */
export function judgeQuiet(
  feed: SimulatedFeed,
  { quietAt }: Polled,
): { readonly falseAlarms: number; readonly lateDays: readonly number[] } {
  const last = feed.instants.at(-1) ?? 0
  return {
    falseAlarms: quietAt.filter(({ at }) => last > at).length,
    lateDays: quietAt.filter(({ at }) => last <= at).map(({ at, since }) => (at - since) / DAY),
  }
}
