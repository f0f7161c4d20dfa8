// How often to ask a source, learned from its rhythm.
//
//   - A regular source is asked shortly after its next publication is expected.
//   - Otherwise it is asked again once the posts to be expected since now would have waited WAITED_POST_MINUTES together.
//     So twice the posts do not mean twice the requests, and hours and days without posts need few of them.
//     A minute beyond the first LATE_MINUTES counts as four: few posts may wait much longer than the others.
//   - A source that has been silent for two weeks is asked as rarely as allowed.
import { averageRate } from './rhythm.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './schedule.ts'
import type { Rhythm } from './source.ts'

export interface AdaptiveBounds {
  readonly minMinutes: number
  readonly maxMinutes: number
}

const LEAST_POSTS = 5
const LEAST_DAYS = 3
const SILENT_DAYS = 14
const WAITED_POST_MINUTES = 8
const LATE_MINUTES = 20
const LATE_EXTRA = 3

/** null: there is too little evidence. */
export function learnedInterval(rhythm: Rhythm, bounds: AdaptiveBounds, now: number): number | null {
  const { dated, firstSucceededAt, lastPublishedAt } = rhythm
  if (dated < LEAST_POSTS || lastPublishedAt === null || now - firstSucceededAt < LEAST_DAYS * DAY_MS) return null
  const { minMinutes, maxMinutes } = bounds
  // Silences like those that the source is known for are part of its rhythm.
  const silentMs = Math.max(SILENT_DAYS * DAY_MS, 2 * Math.max(0, ...rhythm.gapsMs))
  if (now - lastPublishedAt >= silentMs) return maxMinutes
  const wanted = minutesToNextRegular(rhythm, now) ?? minutesUntilWorthAsking(rhythm, maxMinutes, now)
  const minutes = Math.min(wanted, minutesToFillDocument(rhythm))
  return Math.min(maxMinutes, Math.max(minMinutes, Math.round(minutes)))
}

const REGULAR_GAPS = 8
const REGULAR_SHARE = 0.75
const REGULAR_WITHIN = 0.1
/**
 * A source with short gaps that is asked just before it publishes waits for the publication after. From then on the time
 * is right, and it is asked as often as it publishes.
 */
const SHORTEST_WAIT = 0.6
const SHORT_GAP_MS = 2 * HOUR_MS

/** Until just after the next publication of a source that publishes like clockwork; null: it does not, or it is late. */
function minutesToNextRegular({ recent }: Rhythm, now: number): number | null {
  const gaps = recent.slice(1).map((at, index) => at - (recent[index] ?? at))
  const last = recent.at(-1)
  if (gaps.length < REGULAR_GAPS || last === undefined) return null
  const median = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0
  const near = gaps.filter((gap) => Math.abs(gap - median) <= REGULAR_WITHIN * median).length
  if (near < REGULAR_SHARE * gaps.length) return null
  const slackMs = Math.min(10 * MINUTE_MS, Math.max(MINUTE_MS, median / 20))
  const nextMs = last + median + slackMs - now
  if (nextMs <= 0) return null
  const isTooSoon = median <= SHORT_GAP_MS && nextMs < SHORTEST_WAIT * median
  return (isTooSoon ? nextMs + median : nextMs) / MINUTE_MS
}

const STEP_MINUTES = 5
const LATE_STEPS = LATE_MINUTES / STEP_MINUTES

function minutesUntilWorthAsking(rhythm: Rhythm, maxMinutes: number, now: number): number {
  const expected = expectedRate(rhythm, now)
  const arrivals: number[] = []
  let [posts, late, waited] = [0, 0, 0]
  for (let minutes = 0; minutes < maxMinutes; minutes += STEP_MINUTES) {
    const arriving = expected(now + minutes * MINUTE_MS) * STEP_MINUTES * MINUTE_MS
    late += arrivals.at(-LATE_STEPS) ?? 0
    waited += (posts + arriving / 2 + LATE_EXTRA * late) * STEP_MINUTES
    posts += arriving
    arrivals.push(arriving)
    if (waited >= WAITED_POST_MINUTES || wouldOverflow(posts, rhythm)) return minutes + STEP_MINUTES
  }
  return maxMinutes
}

/** More than half of the document would be new: a few posts more than expected, and some would be missed. */
function wouldOverflow(posts: number, { documentEntries }: Rhythm): boolean {
  return documentEntries > 0 && posts >= documentEntries / 2
}

/** So much of the document may be new: one burst is denser than another. */
const FILLED_SHARE = 0.75

/** The shortest time in which the source has published most of a document. */
function minutesToFillDocument({ recent, documentEntries }: Rhythm): number {
  const count = Math.min(recent.length, Math.max(2, Math.ceil(documentEntries * FILLED_SHARE)))
  const times = recent.slice(count - 1).map((at, index) => at - (recent[index] ?? at))
  return documentEntries === 0 || recent.length < 2 ? Number.POSITIVE_INFINITY : Math.min(...times) / MINUTE_MS
}

const WEEKDAYS_AFTER_DAYS = 14
/** The day of the week of the first of January 1970. */
const THURSDAY = 4

/** Posts per millisecond to be expected at an instant, by the hour of the day and the day of the week. */
function expectedRate(rhythm: Rhythm, now: number): (at: number) => number {
  const rate = averageRate(rhythm, now)
  const hourly = shares(smoothed(rhythm.hours))
  const knowsDays = now - (rhythm.countedFrom ?? now) >= WEEKDAYS_AFTER_DAYS * DAY_MS
  const daily = knowsDays ? shares(rhythm.days) : rhythm.days.map(() => 1)
  return (at) => {
    const [hour, day] = [Math.floor(at / HOUR_MS) % 24, (Math.floor(at / DAY_MS) + THURSDAY) % 7]
    return rate * (hourly[hour] ?? 1) * (daily[day] ?? 1)
  }
}

/** Counts of neighbouring hours count too: summer time moves them, and people are not punctual. */
function smoothed(hours: readonly number[]): readonly number[] {
  const at = (hour: number): number => hours[(hour + hours.length) % hours.length] ?? 0
  return hours.map((count, hour) => count / 2 + (at(hour - 1) + at(hour + 1)) / 4)
}

/** So many counts that say nothing are added to each: a few posts do not prove that nothing comes at other times. */
const UNKNOWN_SHARE = 0.1

/** As factors with a mean of 1. */
function shares(counts: readonly number[]): readonly number[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return counts.map(() => 1)
  return counts.map((count) => UNKNOWN_SHARE + (1 - UNKNOWN_SHARE) * ((count * counts.length) / total))
}
