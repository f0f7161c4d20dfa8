// A made-up Internet: few hosts with thousands of sources and many with one, answers that take their time, hosts that are
// down for minutes or hours, hosts that ask to be left alone, and addresses that are gone for good. All of it is drawn from
// a seed.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/schedule.ts'
import { between, type Chance, streamOf } from '../seeded.ts'

/** Minutes between two polls, and how many of a hundred sources have them. */
const INTERVALS = [
  [30, 10],
  [60, 40],
  [120, 25],
  [240, 15],
  [1440, 10],
] as const
/** Posts a day, and how many of a hundred sources publish so much; see adaptive/rhythms.ts. */
const POSTS_A_DAY = [
  [30, 12],
  [24, 8],
  [1, 8],
  [0.5, 35],
  [0.03, 20],
  [0, 17],
] as const
/** The n-th largest host has n^-0.7 of the sources of the largest: of 200,000 hosts it has 0.8% of all sources. */
const TAIL = 0.7
const GONE_SHARE = 0.005
const STRICT_SHARE = 0.01
const THROTTLED_SHARE = 0.02
const DAYS_BETWEEN_OUTAGES = 20

export interface Answer {
  readonly kind: 'unchanged' | 'new' | 'gone' | 'down' | 'throttled'
  readonly tookMs: number
  /** New posts. */
  readonly posts: number
  /** With 'throttled': how long it asks to be left alone. */
  readonly retryAfterMs: number
}

const DOWN: Answer = { kind: 'down', tookMs: 10_000, posts: 0, retryAfterMs: 0 }

export class MadeUpWorld {
  /** Sources of host h have the numbers from `from[h]` up to `from[h + 1]`. */
  readonly from: Uint32Array
  readonly intervalMinutes: Uint16Array
  readonly #postsADay: Float32Array
  readonly #isGone: Uint8Array
  readonly #isStrict: Uint8Array
  readonly #tookMs: Float32Array
  /** The present or next time that a host is down. */
  readonly #downAt: Float64Array
  readonly #downUntil: Float64Array
  readonly #chance: Chance

  constructor(sources: number, hosts: number, seed: number) {
    const chance = streamOf(seed, 'world')
    this.#chance = chance
    this.from = sizesOf(sources, hosts)
    this.intervalMinutes = Uint16Array.from({ length: sources }, () => drawn(chance, INTERVALS))
    this.#postsADay = Float32Array.from({ length: sources }, () => drawn(chance, POSTS_A_DAY))
    this.#isGone = Uint8Array.from({ length: sources }, () => (chance() < GONE_SHARE ? 1 : 0))
    this.#isStrict = Uint8Array.from({ length: hosts }, () => (chance() < STRICT_SHARE ? 1 : 0))
    // Half of them answer within 0.2 s, one in a hundred takes longer than 2 s.
    this.#tookMs = Float32Array.from({ length: hosts }, () => 200 * Math.exp(normal(chance)))
    this.#downAt = Float64Array.from({ length: hosts }, () => chance() * DAYS_BETWEEN_OUTAGES * DAY_MS)
    this.#downUntil = Float64Array.from(this.#downAt, (at) => at + outageMs(chance))
  }

  /** How long the host takes to answer, on average. */
  usualMs(host: number): number {
    return this.#tookMs[host] ?? 0
  }

  /** `sinceMs`: since the source was asked before. */
  answer(host: number, source: number, at: number, sinceMs: number): Answer {
    if (this.#isDown(host, at)) return DOWN
    const chance = this.#chance
    const tookMs = (this.#tookMs[host] ?? 0) * (0.5 + chance())
    if (this.#isStrict[host] && chance() < THROTTLED_SHARE) {
      return { kind: 'throttled', tookMs, posts: 0, retryAfterMs: between(chance, 5, 30) * MINUTE_MS }
    }
    if (this.#isGone[source]) return { kind: 'gone', tookMs, posts: 0, retryAfterMs: 0 }
    const expected = ((this.#postsADay[source] ?? 0) * Math.min(sinceMs, DAY_MS)) / DAY_MS
    const posts = Math.floor(expected + chance())
    return { kind: posts > 0 ? 'new' : 'unchanged', tookMs, posts, retryAfterMs: 0 }
  }

  #isDown(host: number, at: number): boolean {
    while (at >= (this.#downUntil[host] ?? 0)) {
      const next = (this.#downUntil[host] ?? 0) - Math.log(1 - this.#chance()) * DAYS_BETWEEN_OUTAGES * DAY_MS
      this.#downAt[host] = next
      this.#downUntil[host] = next + outageMs(this.#chance)
    }
    return at >= (this.#downAt[host] ?? 0)
  }
}

function sizesOf(sources: number, hosts: number): Uint32Array {
  const weights = Float64Array.from({ length: hosts }, (_, rank) => (rank + 1) ** -TAIL)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const from = new Uint32Array(hosts + 1)
  // Each host has one source at least; the rest is shared out by weight.
  let owed = 0
  for (let host = 0; host < hosts; host++) {
    owed += ((weights[host] ?? 0) / sum) * (sources - hosts)
    const size = 1 + Math.floor(owed)
    owed -= size - 1
    from[host + 1] = (from[host] ?? 0) + size
  }
  from[hosts] = sources
  return from
}

/** From ten minutes to half a day. */
function outageMs(chance: Chance): number {
  return 10 * MINUTE_MS + chance() ** 3 * 12 * HOUR_MS
}

function drawn(chance: Chance, from: readonly (readonly [value: number, share: number])[]): number {
  let left = chance() * 100
  for (const [value, share] of from) {
    left -= share
    if (left < 0) return value
  }
  return from[0]?.[0] ?? 0
}

function normal(chance: Chance): number {
  return Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance())
}
