// What a simulation shows: requests, lag, fairness among hosts of all sizes, promises that were broken as the hosts would
// see it, and the rows that the store would have.
import { DAY_MS, HOUR_MS } from '../../src/domain/schedule.ts'
import type { DueSources } from './due-sources.ts'
import { LagHistogram } from './lag-histogram.ts'
import type { Answer } from './made-up-world.ts'
import type { ScaleRules } from './scale-rules.ts'
import { type StoredRows, storeSizeOf } from './store-size.ts'

/** Hosts by their number of sources. */
const SIZES = [1, 10, 100, 1000, Number.POSITIVE_INFINITY]
const KEPT_POLLS = 100

export interface SimulatedPoll {
  readonly host: number
  readonly source: number
  readonly at: number
  readonly endedAt: number
  readonly plannedAt: number
  readonly isProbe: boolean
  readonly answer: Answer
}

interface SizeClass {
  readonly most: number
  hosts: number
  readonly lag: LagHistogram
}

export interface ScaleSize {
  readonly sources: number
  readonly hosts: number
  readonly days: number
  readonly workers: number
  readonly delaySeconds: number
  readonly seed: number
}

export class ScaleFigures {
  readonly #size: ScaleSize
  readonly #delayMs: number
  /** Of hosts that do not have the time for all their sources. */
  readonly saturatedLag = new LagHistogram()
  readonly #classes: SizeClass[] = SIZES.map((most) => ({ most, hosts: 0, lag: new LagHistogram() }))
  readonly #classOf: Uint8Array
  readonly #isSaturated: Uint8Array
  saturatedHosts = 0
  saturatedSources = 0
  /** As the hosts see it. */
  readonly #lastEndedAt: Float64Array
  readonly #leftAloneUntil: Float64Array
  overlaps = 0
  tooSoon = 0
  whileClosed = 0
  polls = 0
  posts = 0
  failures = 0
  readonly #pollsOf: Uint32Array
  readonly #notable: Uint32Array
  readonly #perHour: Float64Array
  #rules: ScaleRules | null = null

  constructor(size: ScaleSize, delayMs: number, due: DueSources, isSaturated: (host: number) => boolean) {
    this.#size = size
    this.#delayMs = delayMs
    this.#lastEndedAt = new Float64Array(size.hosts).fill(Number.NEGATIVE_INFINITY)
    this.#leftAloneUntil = new Float64Array(size.hosts)
    this.#pollsOf = new Uint32Array(size.sources)
    this.#notable = new Uint32Array(size.sources)
    this.#perHour = new Float64Array(size.days * 24 + 2)
    this.#isSaturated = Uint8Array.from({ length: size.hosts }, (_, host) => (isSaturated(host) ? 1 : 0))
    this.#classOf = Uint8Array.from({ length: size.hosts }, (_, host) =>
      SIZES.findIndex((most) => due.sourcesOf(host) <= most),
    )
    for (let host = 0; host < size.hosts; host++) {
      const sizeClass = this.#classes[this.#classOf[host] ?? 0]
      if (sizeClass) sizeClass.hosts++
      if (!this.#isSaturated[host]) continue
      this.saturatedHosts++
      this.saturatedSources += due.sourcesOf(host)
    }
  }

  /** Of hosts that have the time for all their sources. */
  get lag(): LagHistogram {
    return LagHistogram.of(this.#classes.map(({ lag }) => lag))
  }

  get violations(): number {
    return this.overlaps + this.tooSoon + this.whileClosed
  }

  add({ host, source, at, endedAt, plannedAt, isProbe, answer }: SimulatedPoll): void {
    this.polls++
    this.posts += answer.posts
    const isFailure = answer.kind !== 'new' && answer.kind !== 'unchanged'
    if (isFailure) this.failures++
    if (isFailure || answer.posts > 0) this.#notable[source] = (this.#notable[source] ?? 0) + 1
    this.#pollsOf[source] = (this.#pollsOf[source] ?? 0) + 1
    const hour = Math.floor(at / HOUR_MS)
    this.#perHour[hour] = (this.#perHour[hour] ?? 0) + 1
    this.#judge(host, at, endedAt, answer)
    if (isProbe) return
    const lagMs = at - plannedAt
    const lag = this.#isSaturated[host] ? this.saturatedLag : this.#classes[this.#classOf[host] ?? 0]?.lag
    lag?.add(lagMs)
  }

  /** As the host sees it, whatever the rules had in mind. */
  #judge(host: number, at: number, endedAt: number, { kind, retryAfterMs }: Answer): void {
    const lastEndedAt = this.#lastEndedAt[host] ?? 0
    if (at < lastEndedAt) this.overlaps++
    else if (at < lastEndedAt + this.#delayMs) this.tooSoon++
    if (at < (this.#leftAloneUntil[host] ?? 0)) this.whileClosed++
    this.#lastEndedAt[host] = endedAt
    if (kind === 'throttled') this.#leftAloneUntil[host] = endedAt + retryAfterMs
  }

  endWith(rules: ScaleRules): void {
    this.#rules = rules
  }

  rows(): StoredRows {
    const { sources, hosts, days } = this.#size
    let polls = 0
    for (let source = 0; source < sources; source++) {
      // The last hundred, and what failed or found something for 30 days, which is longer than this.
      polls += Math.min(this.#pollsOf[source] ?? 0, Math.max(KEPT_POLLS, this.#notable[source] ?? 0))
    }
    const visitsPerHostAndHour = this.polls / (hosts * days * 24)
    return { sources, hosts, posts: this.posts, polls, laneHours: hosts * 48 * Math.min(1, visitsPerHostAndHour) }
  }

  table(): string {
    const { sources, hosts, days, workers } = this.#size
    const perSecond = (1000 * this.polls) / (days * DAY_MS)
    const busiest = Math.max(...this.#perHour) / 3600
    const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
    const lagOf = (lag: LagHistogram): string =>
      `p50 ${seconds(lag.quantile(0.5))}, p99 ${seconds(lag.quantile(0.99))}, longest ${seconds(lag.longestMs)}`
    const lines = [
      `${sources} sources on ${hosts} hosts for ${days} days, ${workers} workers`,
      `requests: ${this.polls}, ${perSecond.toFixed(0)} a second, ${busiest.toFixed(0)} in the busiest hour`,
      `failures: ${this.failures}; sources disabled ${this.#rules?.disabled ?? 0}, breakers opened ${this.#rules?.opened ?? 0}`,
      `lag of hosts that have the time for all their sources: ${lagOf(this.lag)}`,
      ...this.#classes.map(
        ({ most, hosts: count, lag }) =>
          `  up to ${most} sources, ${count} hosts: ${lag.count > 0 ? lagOf(lag) : 'none'}`,
      ),
      `hosts that have not: ${this.saturatedHosts}, with ${this.saturatedSources} sources: ${lagOf(this.saturatedLag)}`,
      `politeness: overlaps ${this.overlaps}, too soon ${this.tooSoon}, while left alone ${this.whileClosed}`,
      storeSizeOf(this.rows(), days),
    ]
    return lines.join('\n')
  }
}
