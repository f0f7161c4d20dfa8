// The requests of one poll. Each goes out in the lane of the host it asks; a redirect to another host gives
// up the lane and enters the target's at its head, so a poll never holds two lanes.
import { hostOf } from '../domain/host.ts'
import type { Failure } from '../domain/outcome.ts'
import type { VisitTally } from '../domain/politeness.ts'
import type { Source } from '../domain/source.ts'
import { closedUntil, type DelayRules, resolveDelay, spacingEndsAt } from '../domain/spacing.ts'
import type { Clock } from '../ports/clock.ts'
import type { Fetcher, FetchResult, Hop } from '../ports/fetcher.ts'
import type { PutOff, Visit, VisitRequest, VisitResult } from '../ports/reader.ts'
import type { Store } from '../ports/store.ts'
import type { KeptFetches } from './kept-fetches.ts'
import type { Lanes, Turn } from './lanes.ts'
import { afterRealTime } from './real-time.ts'
import { counted } from './visit-tally.ts'
import { unlessAborted, wait } from './wait.ts'

const MOST_FOR_A_GUESS_SECONDS = 1

export interface VisitDeps {
  readonly clock: Clock
  readonly fetcher: Fetcher
  readonly lanes: Lanes
  readonly store: Pick<Store, 'hostState' | 'reserveHost' | 'takeHost' | 'noteVisit'>
  readonly delays: DelayRules
  readonly kept: KeptFetches
  /** Aborted when the process must end. */
  readonly signal: AbortSignal
}

export interface VisitOptions {
  /** How long a redirect's target may keep the poll waiting. */
  readonly targetWithinMs: number
  readonly basicAuth: string | null
  /** Set when nothing can be asked, such as credentials that cannot be opened. */
  readonly blocked: Failure | null
  readonly useKept: boolean
  /** Steps back when another process has asked its host first: its plan may have been carried out by then. */
  readonly stepsBack?: boolean
  /** Asked in each lane that a redirect leads to: until when the poll must be put off, null to go on. */
  readonly gate?: ((lane: string) => Promise<PutOff | null>) | undefined
  readonly signal?: AbortSignal | undefined
}

/** The last request's lane and times: what spacing is counted from. */
export interface Visited {
  readonly lane: string
  readonly startedAt: number
  readonly completedAt: number
  readonly delayMs: number
}

export class PollVisit implements Visit {
  readonly #deps: VisitDeps
  readonly #source: Source
  readonly #options: VisitOptions
  readonly #signal: AbortSignal
  #turn: Turn
  #fetching: Promise<unknown> | null = null
  visited: Visited | null = null
  /** What was asked in the present lane, until it is written down. */
  tally: VisitTally | null = null
  /** Lanes that answered by sending the poll elsewhere. */
  readonly passed = new Set<string>()
  wireBytes = 0
  /** The host that gave what this poll reads, earlier and not to it; null: what it reads it asked for. */
  keptFrom: string | null = null

  constructor(deps: VisitDeps, source: Source, turn: Turn, options: VisitOptions) {
    this.#deps = deps
    this.#source = source
    this.#turn = turn
    this.#options = options
    this.#signal = options.signal ? AbortSignal.any([deps.signal, options.signal]) : deps.signal
  }

  fetch(request: VisitRequest): Promise<VisitResult> {
    const fetching = this.#fetch(request)
    this.#fetching = fetching.catch(() => {})
    return fetching
  }

  /**
   * What somebody makes of this visit, or 'aborted' as soon as that is not wanted any more: documents may be long in
   * reading, and the end of the process does not wait for them. What is being asked is given up, and waited for.
   */
  async unlessGivenUp<T>(work: Promise<T>): Promise<T | 'aborted'> {
    const result = await unlessAborted(work, this.#signal)
    if (result === 'aborted') await this.#fetching
    return result
  }

  async #fetch(request: VisitRequest): Promise<VisitResult> {
    if (this.#signal.aborted) return { kind: 'aborted' }
    const kept = this.#options.useKept ? this.#deps.kept.take(this.#source, request.url) : null
    if (kept) {
      // Nobody has told of these bytes yet, and what a 304 saves is measured by them.
      this.wireBytes += kept.wireBytes
      this.keptFrom = hostOf(kept.url)
      return kept
    }
    const { blocked } = this.#options
    if (blocked) return { kind: 'failed', failure: blocked, url: request.url, trail: [], wireBytes: 0 }
    let url = request.url
    let trail: readonly Hop[] = []
    let separate = request.separate === true && this.visited !== null
    if (separate) this.#widenForGuess()
    for (;;) {
      const putOff = await this.#enterLaneOf(url, separate, request.withinMs ?? this.#options.targetWithinMs)
      separate = false
      if (putOff) return putOff
      const result = await this.#ask(url, request, trail)
      if (result.kind !== 'elsewhere') return result
      this.passed.add(this.#turn.lane)
      url = result.location
      trail = result.trail
    }
  }

  /** Ends the turn; spacing counts from the last completion even when nothing was recorded. */
  async leave(recorded: boolean): Promise<void> {
    this.#turn.releaseSlot()
    try {
      if (!recorded) await this.#pushSpacing()
    } finally {
      this.tally = null
      this.#turn.leave()
    }
  }

  async #ask(url: string, request: VisitRequest, trail: readonly Hop[]): Promise<FetchResult> {
    const { clock, fetcher } = this.#deps
    const { lane } = this.#turn
    const delayMs = this.#delayMs(this.#hostAsked(url), request.separate === true)
    // Reserved before the request: a crash in the middle of it leaves the spacing behind.
    const startedAt = delayMs > 0 ? await this.#reserve(lane, delayMs) : clock.now()
    if (startedAt === null) return { kind: 'aborted' }
    let result: FetchResult | null = null
    try {
      result = await fetcher.fetch({
        url,
        accept: request.accept,
        validators: request.validators,
        basicAuth: this.#credentialsFor(url),
        headers: request.headers,
        trusted: request.configured ? 'configured' : this.#source.trusted,
        followRedirects: request.followRedirects,
        trail,
        signal: this.#signal,
      })
      if ('wireBytes' in result) this.wireBytes += result.wireBytes
      return result
    } finally {
      const completedAt = clock.now()
      this.visited = { lane, startedAt, completedAt, delayMs }
      this.tally = counted(this.tally, { request, url, result, hopsBefore: trail.length, startedAt, completedAt })
      this.#turn.releaseSlot()
    }
  }

  /** The lane is this process's; another one on the same store may have come first. It is waited for, or null. */
  async #reserve(lane: string, delayMs: number): Promise<number | null> {
    const { clock, store } = this.#deps
    const isOwnTurn = this.visited?.lane === lane
    const stepsBack = this.#options.stepsBack === true && this.visited === null
    for (;;) {
      const startedAt = clock.now()
      const visit = { startedAt, notBefore: startedAt + delayMs }
      if (isOwnTurn) await store.reserveHost(lane, visit)
      const freeAt = isOwnTurn ? null : await store.takeHost(lane, visit)
      if (freeAt === null || this.#signal.aborted) return startedAt
      if (stepsBack) return null
      await wait(clock, freeAt - startedAt, this.#signal)
    }
  }

  /**
   * Around a guess the host gets the spacing of pages, up to a second: nobody knows yet that what is asked is a feed, and
   * somebody waits for what becomes of it.
   */
  #delayMs(host: string | null, guessed: boolean): number {
    const { seconds } = resolveDelay(this.#source, host, this.#deps.delays)
    const asPage = guessed ? resolveDelay({ ...this.#source, type: 'website' }, host, this.#deps.delays).seconds : 0
    return Math.max(seconds, Math.min(asPage, MOST_FOR_A_GUESS_SECONDS)) * 1000
  }

  #widenForGuess(): void {
    const last = this.visited
    if (last) this.visited = { ...last, delayMs: Math.max(last.delayMs, this.#delayMs(last.lane || null, true)) }
  }

  /** X is one host to people and to overrides, wherever its API answers. */
  #hostAsked(url: string): string | null {
    if (this.#turn.lane === '') return null
    return this.#source.type === 'twitter' ? this.#source.host : hostOf(url)
  }

  #credentialsFor(url: string): string | undefined {
    const { basicAuth } = this.#options
    const downgraded = this.#source.url.startsWith('https:') && !url.startsWith('https:')
    return basicAuth && hostOf(url) === hostOf(this.#source.url) && !downgraded ? basicAuth : undefined
  }

  async #enterLaneOf(
    url: string,
    separate: boolean,
    withinMs: number,
  ): Promise<Extract<VisitResult, { kind: 'put-off' | 'aborted' }> | null> {
    // X is asked in its owner's lane, whatever address its API has.
    const lane = this.#source.type === 'twitter' ? this.#source.lane : (hostOf(url) ?? '')
    if (lane === this.#turn.lane && !this.#turn.free && !separate) {
      if (this.visited) this.#turn.releaseSlot = await this.#deps.lanes.slots.take()
      return null
    }
    await this.leave(false)
    const entered = await enterAtHead(this.#deps, lane, withinMs, this.#signal)
    if (entered === 'aborted') return { kind: 'aborted' }
    if ('turn' in entered) {
      this.#turn = entered.turn
      const putOff = await this.#options.gate?.(lane)
      return putOff ? { kind: 'put-off', ...putOff } : null
    }
    return { kind: 'put-off', ...entered }
  }

  async #pushSpacing(): Promise<void> {
    const last = this.visited
    if (!last || last.lane === '') return
    const { lane, startedAt, completedAt, delayMs } = last
    await this.#deps.store.reserveHost(lane, { startedAt, notBefore: completedAt + delayMs })
    if (this.tally) await this.#deps.store.noteVisit(lane, this.tally)
  }
}

/**
 * A turn at the head of a lane, if it comes within the given time. What the store knows (closed, spacing) is
 * judged by the clock; time spent behind somebody else's request is real time, as that request's limits are.
 */
export async function enterAtHead(
  deps: Pick<VisitDeps, 'clock' | 'lanes' | 'store'>,
  lane: string,
  withinMs: number,
  signal: AbortSignal,
): Promise<{ turn: Turn } | PutOff | 'aborted'> {
  const held = await heldLonger(deps, lane, withinMs)
  if (held) return held
  const ending = AbortSignal.any([signal, deps.lanes.stopping])
  if (ending.aborted) return 'aborted'
  return new Promise((resolve, reject) => {
    const withdraw = deps.lanes.enterAtHead(lane, {
      run: (turn) => {
        endWaiting()
        resolve({ turn })
        return turn.left
      },
      fail: (error) => {
        endWaiting()
        reject(error)
      },
    })
    const endWaiting = (): void => {
      callOff()
      ending.removeEventListener('abort', giveUp)
    }
    const giveUp = (): void => {
      if (!withdraw()) return
      endWaiting()
      resolve(ending.aborted ? 'aborted' : waitedInVain())
    }
    const waitedInVain = async (): Promise<PutOff> => {
      const busy = { until: deps.clock.now() + withinMs, reason: `${lane} is busy`, lane, because: 'busy' as const }
      // Whoever went first may have learned more.
      return (await heldLonger(deps, lane, withinMs)) ?? busy
    }
    const callOff = afterRealTime(withinMs, giveUp)
    ending.addEventListener('abort', giveUp)
  })
}

/** Closed, or spaced, for longer than that; null: not as far as the store knows. */
async function heldLonger(
  { clock, store }: Pick<VisitDeps, 'clock' | 'store'>,
  lane: string,
  withinMs: number,
): Promise<PutOff | null> {
  const now = clock.now()
  const host = lane === '' ? null : await store.hostState(lane)
  const until = host ? (closedUntil(host, now) ?? spacingEndsAt(host, now)) : now
  return until - now > withinMs ? { until, reason: `${lane} is not free before then`, lane, because: 'not-free' } : null
}
