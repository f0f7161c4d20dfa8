// The requests of one poll. Each goes out in the lane of the host it asks; a redirect to another host gives up the lane
// and enters the target's at its head, so a poll never has two lanes.
import { hostOf } from '../../domain/address.ts'
import type { HostState } from '../../domain/host.ts'
import { laneOrNull, laneToAsk } from '../../domain/lane.ts'
import type { Failure } from '../../domain/outcome.ts'
import { atLeast, type VisitDelay } from '../../domain/owner-spacing.ts'
import type { VisitTally } from '../../domain/politeness.ts'
import { quotaWord } from '../../domain/quota.ts'
import type { Source } from '../../domain/source.ts'
import type { DelayRules } from '../../domain/spacing.ts'
import type { Fetcher, FetchResult, Hop } from '../../ports/fetcher.ts'
import type { GivenUp, Visit, VisitRequest, VisitResult } from '../../ports/reader.ts'
import type { Turn } from '../lanes/turn.ts'
import { unlessAborted } from '../lanes/wait.ts'
import type { ClockDoubt } from '../planning/clock-doubt.ts'
import { HostStay, type HostStayDeps, type HostStayOptions } from './host-stay.ts'
import type { KeptFetches } from './kept-fetches.ts'
import { mayCarryCredentials, trustIn } from './trust.ts'
import { delayAt, hostAsked } from './visit-delay.ts'
import { counted, wasSent } from './visit-tally.ts'

export interface VisitDeps extends HostStayDeps {
  readonly fetcher: Fetcher
  readonly delays: DelayRules
  readonly kept: KeptFetches
  readonly clockDoubt: Pick<ClockDoubt, 'heard'>
  /** Aborted when the process must end. */
  readonly signal: AbortSignal
}

export interface VisitOptions extends HostStayOptions {
  /** How long a redirect's target may keep the poll waiting. */
  readonly targetWithinMs: number
  readonly basicAuth: string | null
  /** Set when nothing can be asked, such as credentials that cannot be opened. */
  readonly blocked: Failure | null
  readonly useKept: boolean
}

/** The last request's lane and times: what spacing is counted from. */
export interface Visited {
  readonly lane: string
  readonly startedAt: number
  readonly completedAt: number
  readonly delay: VisitDelay
  /** What the host said about a quota that makes the delay longer; null: the delay is as configured. */
  readonly quota: string | null
  /** False: our own guard refused the address, and the host heard nothing. */
  readonly reached: boolean
}

/** A request that may go out now. */
interface Departure {
  readonly url: string
  readonly trail: readonly Hop[]
  readonly startedAt: number
  readonly delay: VisitDelay
}

const NOTHING_OWED: VisitDelay = { ownMs: null, othersMs: 0, type: null }

export class PollVisit implements Visit {
  readonly #deps: VisitDeps
  readonly #source: Source
  readonly #options: VisitOptions
  readonly #stay: HostStay
  #fetching: Promise<unknown> | null = null
  visited: Visited | null = null
  /** Lanes that answered by redirecting the poll. */
  readonly passed = new Set<string>()
  wireBytes = 0
  /** The host whose answer, kept from a test fetch, this poll reads; null: it asked for what it reads. */
  keptFrom: string | null = null
  /** What the host itself asks for between two visits, whoever makes them. */
  leastDelayMs = 0

  constructor(deps: VisitDeps, source: Source, turn: Turn, options: VisitOptions) {
    this.#deps = deps
    this.#source = source
    this.#options = options
    this.#stay = new HostStay(deps, source.lane, turn, options, deps.signal)
  }

  /** What was asked of the present host, until it is written down. */
  get tally(): VisitTally | null {
    return this.#stay.tally
  }

  /** Goes with what is written about the host that was asked last. */
  get leasedBy(): string | null {
    return this.#stay.leasedBy
  }

  /** That host as it was before the first request. */
  get leasedHost(): HostState | null {
    return this.#stay.leasedHost
  }

  fetch(request: VisitRequest): Promise<VisitResult> {
    const fetching = this.#fetch(request)
    this.#fetching = fetching.catch(() => {})
    return fetching
  }

  /**
   * The result of the work, or of `otherwise` as soon as the visit is given up: reading a document may take long, and
   * shutting down does not wait for it. A request that is under way is aborted, and waited for.
   */
  async unlessGivenUp<T>(work: Promise<T>, otherwise: (givenUp: GivenUp) => T): Promise<T> {
    const result = await unlessAborted(work, this.#stay.signal)
    if (result !== 'aborted') return result
    await this.#fetching
    return otherwise(this.#stay.givenUp())
  }

  async #fetch(request: VisitRequest): Promise<VisitResult> {
    if (this.#stay.signal.aborted) return this.#stay.givenUp()
    const kept = this.#takeKept(request.url)
    if (kept) return kept
    const { blocked } = this.#options
    if (blocked) return { kind: 'failed', failure: blocked, url: request.url, trail: [], wireBytes: 0 }
    let url = request.url
    let trail: readonly Hop[] = []
    let isSeparate = request.separate === true && this.visited !== null
    if (isSeparate) this.#widenForGuess()
    for (;;) {
      const delay = this.#delay(hostAsked(url, this.#source), request.separate === true)
      const startedAt = await this.#stay.readyFor({
        lane: laneToAsk(this.#source.lane, url),
        isFirst: this.visited === null,
        isSeparate,
        withinMs: request.withinMs ?? this.#options.targetWithinMs,
        delay,
      })
      isSeparate = false
      if (typeof startedAt !== 'number') return startedAt
      const result = await this.#ask(request, { url, trail, startedAt, delay })
      if (result.kind === 'aborted') return this.#stay.givenUp()
      if (result.kind !== 'elsewhere') return result
      url = result.location
      trail = result.trail
      // On the same host, each redirect is asked about, or the limit of requests a minute was reached.
      if (laneToAsk(this.#source.lane, url) !== this.#stay.lane) this.passed.add(this.#stay.lane)
      if ((await request.beforeRedirect?.(url)) === false) return { kind: 'given-up', because: 'not-needed' }
    }
  }

  #takeKept(url: string): VisitResult | null {
    const { kept } = this.#deps
    const body = this.#options.useKept ? kept.take(this.#source, url, this.credentialsFor(url)) : null
    if (body) {
      // No poll has counted these bytes yet, and what a 304 saves is measured by them.
      this.wireBytes += body.wireBytes
      this.keptFrom = hostOf(body.url)
    }
    return body
  }

  async #ask(request: VisitRequest, { url, trail, startedAt, delay }: Departure): Promise<FetchResult> {
    const { clock, fetcher } = this.#deps
    let result: FetchResult | null = null
    try {
      result = await fetcher.fetch({
        url,
        accept: request.accept,
        validators: request.validators,
        basicAuth: this.credentialsFor(url) ?? undefined,
        headers: request.headers,
        trusted: request.configured ? 'configured' : trustIn(url, this.#source),
        followRedirects: request.followRedirects,
        mostRequests: request.beforeRedirect ? 1 : Math.max(this.#stay.requestsLeft, 1),
        trail,
        signal: this.#stay.signal,
      })
      if ('wireBytes' in result) this.wireBytes += result.wireBytes
      return result
    } finally {
      const completedAt = clock.now()
      const asked = { request, url, result, hopsBefore: trail.length, startedAt, completedAt }
      const tally = wasSent(asked) ? counted(this.tally, asked) : this.tally
      const reached = tally !== null
      if (result && 'headers' in result) this.#deps.clockDoubt.heard(this.#stay.lane, result.headers.date)
      const word = result && 'headers' in result ? quotaWord(result.headers, completedAt) : null
      const quota = word?.kind === 'slow-down' && word.delayMs > delay.othersMs ? word : null
      const owed = reached ? atLeast(delay, quota?.delayMs ?? 0) : NOTHING_OWED
      const { lane } = this.#stay
      // The clock may have been set back meanwhile. A last request ahead of it would void the spacing that begins now.
      const times = { startedAt: Math.min(startedAt, completedAt), completedAt }
      this.visited = { lane, ...times, delay: owed, quota: quota?.reason ?? null, reached }
      this.#stay.noteRequest(this.visited, tally)
    }
  }

  #delay(host: string | null, isGuess: boolean): VisitDelay {
    return atLeast(delayAt(host, isGuess, this.#source, this.#deps.delays), this.leastDelayMs)
  }

  #widenForGuess(): void {
    const last = this.visited
    if (!last) return
    const guess = this.#delay(laneOrNull(last.lane), true)
    const delay = atLeast(last.delay, guess.othersMs)
    this.visited = { ...last, delay }
    this.#stay.widenSpacing(this.visited)
  }

  credentialsFor(url: string): string | null {
    return (mayCarryCredentials(url, this.#source) && this.#options.basicAuth) || null
  }

  leave(isRecorded: boolean): Promise<void> {
    return this.#stay.leave(isRecorded)
  }
}
