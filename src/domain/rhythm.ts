// The rhythm in which a source publishes, and two things that it tells: that the source has gone quiet, and that a poll
// may have missed entries. What is kept per source is small, is written with the poll, and survives the clean-up of posts.
// How often to ask a source with this rhythm is said in learned-interval.ts.
import type { Chosen } from './choose.ts'
import type { Candidate } from './post.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './schedule.ts'
import type { Rhythm, Source } from './source.ts'

/** What one document adds to a rhythm. */
export interface Publications {
  /** Of the new posts; null: without a date. */
  readonly posts: readonly (number | null)[]
  /** Dates of entries that were too old to be stored. They tell of the rhythm before the source was added. */
  readonly earlier: readonly number[]
  readonly documentEntries: number
}

const GAPS = 20
const RECENT = 20
/** Posts that come together are one publication: shorter gaps would push those that count out of the last 20. */
const SHORTEST_GAP_MS = HOUR_MS
/** An older entry that stays in a feed for ever is no part of its rhythm. */
const EARLIER_DAYS = 180
const HALF_LIFE_MS = 14 * DAY_MS

export function newRhythm(now: number): Rhythm {
  const [hours, days] = [new Array<number>(24).fill(0), new Array<number>(7).fill(0)]
  const nothing = { stored: 0, dated: 0, lastPublishedAt: null, gapsMs: [], recent: [], documentEntries: 0 }
  return { firstSucceededAt: now, ...nothing, hours, days, countedFrom: null, countedAt: null }
}

export function publicationsOf(candidates: readonly Candidate[], { posts, dropped }: Chosen): Publications {
  const aged = dropped.filter(({ rule }) => rule === 'tooOld' || rule === 'beforeCreated')
  return {
    posts: posts.map(({ publishedAt }) => publishedAt),
    earlier: aged.flatMap(({ candidate }) => candidate.publishedAt ?? []),
    documentEntries: candidates.length,
  }
}

/** `stored`: how many of the posts were really stored. */
export function rhythmAfter(rhythm: Rhythm, found: Publications, stored: number, now: number): Rhythm {
  const counted = found.earlier.filter((at) => at > now - EARLIER_DAYS * DAY_MS)
  const isAllOld = rhythm.lastPublishedAt === null && found.posts.length + counted.length === 0
  // If nothing else is known of the source, it has been silent since the last of them.
  const earlier = (isAllOld ? found.earlier : counted).map((at) => Math.min(at, now))
  const posts = found.posts.map((at) => Math.min(at ?? now, now))
  const dates = found.posts.flatMap((at) => (at === null ? [] : Math.min(at, now)))
  const known = new Set(rhythm.recent)
  const newDates = [...earlier, ...dates].filter((at) => !known.has(at)).sort(ascending)
  const newEarlier = earlier.filter((at) => !known.has(at) && !dates.includes(at))
  return {
    ...rhythm,
    stored: rhythm.stored + stored,
    dated: rhythm.dated + Math.min(stored, dates.length) + newEarlier.length,
    ...withGaps(rhythm, [...earlier, ...posts].sort(ascending)),
    ...withCounts(rhythm, newDates, now),
    recent: [...rhythm.recent, ...newDates].sort(ascending).slice(-RECENT),
    documentEntries: found.documentEntries,
  }
}

/** What the store knows of a source that was polled before rhythms were kept. */
export interface PublishingHistory {
  readonly firstSucceededAt: number
  readonly stored: number
  /** Of posts and of entries that were once posts or too old, in any order. */
  readonly published: readonly number[]
  /** When polls found something new, as far as that is known: for sources without dates. */
  readonly foundAt: readonly number[]
}

export function rhythmOfHistory(history: PublishingHistory, now: number): Rhythm {
  const { firstSucceededAt, stored, published, foundAt } = history
  const began = newRhythm(firstSucceededAt)
  const dates = [...new Set(published)].sort(ascending)
  if (dates.length === 0) return { ...began, stored, ...withGaps(began, foundAt.toSorted(ascending)) }
  const learned = rhythmAfter(began, { posts: [], earlier: dates, documentEntries: 0 }, 0, now)
  return { ...learned, stored }
}

function withGaps(rhythm: Rhythm, published: readonly number[]): Pick<Rhythm, 'lastPublishedAt' | 'gapsMs'> {
  let last = rhythm.lastPublishedAt
  const gapsMs = [...rhythm.gapsMs]
  for (const at of published) {
    if (last !== null && at - last >= SHORTEST_GAP_MS) gapsMs.push(at - last)
    last = Math.max(last ?? at, at)
  }
  return { lastPublishedAt: last, gapsMs: gapsMs.slice(-GAPS) }
}

type Counts = Pick<Rhythm, 'hours' | 'days' | 'countedFrom' | 'countedAt'>

function withCounts(rhythm: Rhythm, dates: readonly number[], now: number): Counts {
  if (dates.length === 0) return rhythm
  const kept = weightOf(rhythm.countedAt ?? now, now)
  const [hours, days] = [rhythm.hours.map((count) => count * kept), rhythm.days.map((count) => count * kept)]
  for (const at of dates) {
    const [date, weight] = [new Date(at), weightOf(at, now)]
    hours[date.getUTCHours()] = (hours[date.getUTCHours()] ?? 0) + weight
    days[date.getUTCDay()] = (days[date.getUTCDay()] ?? 0) + weight
  }
  const countedFrom = Math.min(rhythm.countedFrom ?? now, ...dates.slice(0, 1))
  return { hours: hours.map(rounded), days: days.map(rounded), countedFrom, countedAt: now }
}

function weightOf(at: number, now: number): number {
  return 2 ** (-Math.max(0, now - at) / HALF_LIFE_MS)
}

/** Publications per millisecond, on the average of the last weeks. */
export function averageRate({ hours, countedFrom, countedAt }: Counts, now: number): number {
  if (countedFrom === null || countedAt === null) return 0
  const weight = hours.reduce((sum, count) => sum + count, 0) * weightOf(countedAt, now)
  // What a steady rate of one per millisecond would weigh after this time.
  const steady = (HALF_LIFE_MS / Math.LN2) * (1 - weightOf(countedFrom, now))
  return steady > 0 ? weight / steady : 0
}

const QUIET_AFTER_POSTS = 5
const QUIET_AFTER_DAYS = 7
const QUIET_AFTER_GAPS = 4

/** When the silence of a source became longer than all that is known of it; null: it is not. */
export function quietSince({ stored, lastPublishedAt, gapsMs }: Rhythm, now: number): number | null {
  if (stored < QUIET_AFTER_POSTS || lastPublishedAt === null) return null
  const since = lastPublishedAt + Math.max(QUIET_AFTER_DAYS * DAY_MS, QUIET_AFTER_GAPS * Math.max(0, ...gapsMs))
  return now > since ? since : null
}

export interface Gap {
  /** An interval at which the oldest entry of the document would have been seen by the poll before. */
  readonly intervalMinutes: number
}

const GAP_ENTRIES = 5

type GapSource = Pick<Source, 'lastSeenId' | 'lastSucceededAt'>

/**
 * Whether entries may have come and gone between two polls: nothing in the document is known from the poll before.
 * Only of types whose entries are told by their date.
 */
export function gapOf(candidates: readonly Candidate[], chosen: Chosen, source: GapSource, now: number): Gap | null {
  const { lastSucceededAt } = source
  if (lastSucceededAt === null || !isAllAfterLastSeen(candidates, source)) return null
  const isKnown = chosen.dropped.some(({ rule, candidate }) => {
    if (rule === 'tooOld') return false
    // `lastSeenId` ignores filtered entries: one counts as new if it was published after the poll before.
    if (rule === 'filtered') return (candidate.publishedAt ?? 0) <= lastSucceededAt
    return true
  })
  if (isKnown) return null
  const oldest = Math.min(...candidates.map(({ publishedAt }) => publishedAt ?? now))
  const minutes = Math.floor((now - Math.max(oldest, lastSucceededAt)) / MINUTE_MS)
  return { intervalMinutes: Math.max(1, minutes) }
}

/** Without a look at what is known: whether there may be a gap at all. */
export function isAllAfterLastSeen(candidates: readonly Candidate[], source: GapSource): boolean {
  const lastSeen = Date.parse(source.lastSeenId ?? '')
  if (source.lastSucceededAt === null || Number.isNaN(lastSeen) || candidates.length < GAP_ENTRIES) return false
  return candidates.every(({ publishedAt }) => publishedAt !== null && publishedAt > lastSeen)
}

function ascending(a: number, b: number): number {
  return a - b
}

function rounded(count: number): number {
  return Math.round(count * 100) / 100
}
