// Made-up publishing rhythms with the shape of real ones. All of them are drawn from a seed, so that two runs agree.
import type { Chance } from '../seeded.ts'

export type Random = Chance

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export interface Span {
  readonly from: number
  readonly until: number
}

type Publish = (span: Span, zoneMs: number, random: Random) => number[]

export interface RhythmKind {
  readonly name: string
  /** How many of a hundred sources are like this. */
  readonly share: number
  readonly publish: Publish
}

/** Of real lists of feeds: most are personal blogs and feeds that have stopped; few publish by the hour. */
export const RHYTHMS: readonly RhythmKind[] = [
  { name: 'newsroom', share: 12, publish: newsroom },
  { name: 'on the hour', share: 8, publish: onTheHour },
  { name: 'weekday blog', share: 25, publish: weekdayBlog },
  { name: 'daily at a time', share: 8, publish: dailyAtATime },
  { name: 'now and then', share: 12, publish: nowAndThen },
  { name: 'monthly podcast', share: 10, publish: monthlyPodcast },
  { name: 'bursts', share: 10, publish: bursts },
  { name: 'stopped', share: 15, publish: stopped },
]

/** About 30 posts a day, most of them in the working hours of its time zone, half as many at the weekend. */
function newsroom(span: Span, zoneMs: number, random: Random): number[] {
  const perHour = (at: number): number => {
    const hour = hourOf(at, zoneMs)
    const byHour = hour >= 7 && hour < 20 ? 2.1 : hour >= 5 && hour < 23 ? 0.7 : 0.15
    return isWeekend(at, zoneMs) ? byHour / 2 : byHour
  }
  return thinned(span, 2.1, perHour, random)
}

function onTheHour(span: Span, _zoneMs: number, random: Random): number[] {
  const minute = random() * HOUR
  return each(span, HOUR, (at) => at + minute + random() * 2 * MINUTE)
}

/** On two of three weekdays, at some time of the working day, which its author prefers. */
function weekdayBlog(span: Span, zoneMs: number, random: Random): number[] {
  const preferred = 8 + random() * 8
  return each(span, DAY, (midnight) => {
    if (isWeekend(midnight, 0) || random() > 0.66) return null
    return midnight - zoneMs + (preferred + (random() + random() + random() - 1.5) * 2) * HOUR
  })
}

function dailyAtATime(span: Span, zoneMs: number, random: Random): number[] {
  const hour = random() * 24
  return each(span, DAY, (midnight) => midnight - zoneMs + hour * HOUR + random() * 5 * MINUTE)
}

/** Every four days on average, by chance, while its author is awake. */
function nowAndThen(span: Span, zoneMs: number, random: Random): number[] {
  const awake = (at: number): number => (hourOf(at, zoneMs) >= 8 ? 1 / 64 : 0)
  return thinned(span, 1 / 64, awake, random)
}

function monthlyPodcast(span: Span, zoneMs: number, random: Random): number[] {
  const [day, hour] = [random() * 28, 6 + random() * 4]
  return each(span, 30 * DAY, (from) => from - zoneMs + (day + (random() - 0.5) * 4) * DAY + hour * HOUR)
}

/** Five to fifteen posts within a few hours, every one to three weeks. */
function bursts(span: Span, zoneMs: number, random: Random): number[] {
  const instants: number[] = []
  for (let at = span.from; at < span.until; at += (7 + random() * 14) * DAY) {
    const start = at - (at % DAY) - zoneMs + (9 + random() * 6) * HOUR
    const count = 5 + Math.floor(random() * 11)
    for (let post = 0; post < count; post++) instants.push(start + random() * 4 * HOUR)
  }
  return instants
}

/** Once a blog, silent after the first quarter of the time. */
function stopped(span: Span, zoneMs: number, random: Random): number[] {
  const end = span.from + (span.until - span.from) * (0.1 + random() * 0.4)
  return weekdayBlog({ from: span.from, until: end }, zoneMs, random)
}

/** Instants of a process with a changing rate, from one with the highest rate. */
function thinned(span: Span, highest: number, perHour: (at: number) => number, random: Random): number[] {
  const instants: number[] = []
  for (let at = span.from; at < span.until; ) {
    at += (-Math.log(1 - random()) / highest) * HOUR
    if (random() < perHour(at) / highest) instants.push(at)
  }
  return instants
}

function each(span: Span, stepMs: number, publish: (from: number) => number | null): number[] {
  const instants: number[] = []
  for (let from = span.from - (span.from % stepMs); from < span.until; from += stepMs) {
    const at = publish(from)
    if (at !== null) instants.push(at)
  }
  return instants
}

function hourOf(at: number, zoneMs: number): number {
  return new Date(at + zoneMs).getUTCHours()
}

function isWeekend(at: number, zoneMs: number): boolean {
  return [0, 6].includes(new Date(at + zoneMs).getUTCDay())
}

export interface SimulatedFeed {
  readonly kind: string
  readonly instants: readonly number[]
  /** How many entries its document holds. */
  readonly entries: number
}

/** `count` feeds that have published for `historyDays` before `start`, in the shares above. */
export function simulatedFeeds(count: number, span: Span, random: Random): SimulatedFeed[] {
  const pool = RHYTHMS.flatMap((kind) => new Array<RhythmKind>(kind.share).fill(kind))
  return Array.from({ length: count }, (_, index) => {
    const kind = pool[Math.floor((index * pool.length) / count)] ?? pool[0]
    if (!kind) throw new Error('there are no rhythms')
    const zoneMs = Math.floor(random() * 24 - 11) * HOUR
    const instants = kind.publish(span, zoneMs, random).filter((at) => at < span.until)
    return { kind: kind.name, instants: instants.sort((a, b) => a - b), entries: 10 + Math.floor(random() * 21) }
  })
}
