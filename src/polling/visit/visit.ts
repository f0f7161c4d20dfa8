// The requests of one poll. Each goes out in the lane of the host it asks; a redirect to another host gives
// up the lane and enters the target's at its head, so a poll never holds two lanes.

import { hostOf } from '../../domain/address.ts'
import { RENEW_LEASE_MS } from '../../domain/host-lease.ts'
import { isNullLane, isOwnerLane, laneOrNull, laneToAsk } from '../../domain/lane.ts'
import type { Failure } from '../../domain/outcome.ts'
import type { VisitTally } from '../../domain/politeness.ts'
import type { Source } from '../../domain/source.ts'
import { type DelayRules, resolveDelay } from '../../domain/spacing.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Fetcher, FetchResult, Hop } from '../../ports/fetcher.ts'
import type { HostVisit } from '../../ports/polling-store.ts'
import type { PutOff, Visit, VisitRequest, VisitResult } from '../../ports/reader.ts'
import type { Store } from '../../ports/store.ts'
import type { Holds } from '../coordination/host-leases.ts'
import { enterAtHead } from '../lanes/enter-lane.ts'
import type { Lanes, Turn } from '../lanes/lanes.ts'
import { unlessAborted } from '../lanes/wait.ts'
import type { KeptFetches } from './kept-fetches.ts'
import { counted, wasSent } from './visit-tally.ts'

const MOST_FOR_A_GUESS_SECONDS = 1
/** For who waited in a lane twice and found each time that another process had come first. */
const ONCE_MORE_MS = 1000

export interface VisitDeps {
  readonly clock: Clock
  readonly fetcher: Fetcher
  readonly lanes: Lanes
  readonly store: Pick<Store, 'hostState' | 'leaseHost' | 'extendLease' | 'releaseHost' | 'noteVisit'>
  readonly holds: Holds
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
  /**
   * Where another process came first in its own lane it waits there again, however long that takes, and tells so. null:
   * it steps back, because its plan may have been carried out by then.
   */
  readonly waits?: (() => void) | null
  /** Asked where another process has been at the host, or may have been, before the first request. */
  readonly stillNeeded?: (() => Promise<boolean>) | undefined
  /** Told before a lane is given up for another. False: what is scheduled is not to be polled any more. */
  readonly leaves?: (() => Promise<boolean>) | undefined
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
  /** False: our own guard refused the address, and the host heard nothing. */
  readonly reached: boolean
}

/** When a lane was taken, and what spacing the visit leaves behind. */
interface Taken {
  readonly startedAt: number
  readonly delayMs: number
}

type NotAsked = Extract<VisitResult, { kind: 'put-off' | 'aborted' }>

export class PollVisit implements Visit {
  readonly #deps: VisitDeps
  readonly #source: Source
  readonly #options: VisitOptions
  readonly #signal: AbortSignal
  #turn: Turn
  /** What the present lane has to be left with: it was taken, or asked. */
  #owed: (HostVisit & { readonly lane: string }) | null = null
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
    const basicAuth = this.credentialsFor(request.url)
    const kept = this.#options.useKept ? this.#deps.kept.take(this.#source, request.url, basicAuth) : null
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
      const taken = await this.#takeLaneOf(url, request, separate)
      separate = false
      if ('kind' in taken) return taken
      const result = await this.#ask(url, request, trail, taken)
      if (result.kind !== 'elsewhere') return result
      this.passed.add(this.#turn.lane)
      url = result.location
      trail = result.trail
    }
  }

  /** Until it is this visit's turn in the lane, and no other process's. */
  async #takeLaneOf(url: string, request: VisitRequest, separate: boolean): Promise<Taken | NotAsked> {
    const withinMs = request.withinMs ?? this.#options.targetWithinMs
    let againMs = withinMs
    let notAsked = await this.#enterLaneOf(url, separate, withinMs)
    for (;;) {
      if (notAsked) return notAsked
      const taken = await this.#reserve(url, request)
      if (taken !== 'another-came') return taken
      if (this.#isFirst && this.#options.waits === null) return { kind: 'aborted' }
      // From the head of the lane again: the other may have closed it, and no slot is held meanwhile.
      const longest = this.#mayWait() ? Number.POSITIVE_INFINITY : againMs
      againMs = ONCE_MORE_MS
      notAsked = (await this.#enterLaneOf(url, true, longest)) ?? (await this.#unlessNeeded())
    }
  }

  #mayWait(): boolean {
    const { waits } = this.#options
    if (!this.#isFirst || this.#turn.lane !== this.#source.lane || !waits) return false
    waits()
    return true
  }

  get #isFirst(): boolean {
    return this.visited === null
  }

  async #unlessNeeded(): Promise<NotAsked | null> {
    const { stillNeeded } = this.#options
    return this.#isFirst && stillNeeded && !(await stillNeeded()) ? { kind: 'aborted' } : null
  }

  /** Ends the turn; spacing counts from the last completion even when nothing was recorded. */
  async leave(recorded: boolean): Promise<void> {
    this.#turn.releaseSlot()
    try {
      if (!recorded) await this.#pushSpacing()
    } finally {
      // A turn that is left already: the lane may be somebody else's by now.
      if (this.#owed) this.#deps.holds.end(this.#owed.lane)
      this.tally = null
      this.#owed = null
      this.#turn.leave()
    }
  }

  async #ask(
    url: string,
    request: VisitRequest,
    trail: readonly Hop[],
    { startedAt, delayMs }: Taken,
  ): Promise<FetchResult> {
    const { clock, fetcher } = this.#deps
    const { lane } = this.#turn
    let result: FetchResult | null = null
    try {
      result = await fetcher.fetch({
        url,
        accept: request.accept,
        validators: request.validators,
        basicAuth: this.credentialsFor(url) ?? undefined,
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
      const asked = { request, url, result, hopsBefore: trail.length, startedAt, completedAt }
      if (wasSent(asked)) this.tally = counted(this.tally, asked)
      const reached = this.tally !== null
      const owedMs = reached ? delayMs : 0
      this.visited = { lane, startedAt, completedAt, delayMs: owedMs, reached }
      this.#owed = { lane, startedAt, notBefore: completedAt + owedMs }
      this.#turn.releaseSlot()
    }
  }

  /** Who holds the lane that was asked last; null: nobody has to. */
  get leasedBy(): string | null {
    return this.#owed !== null && this.#isHeld(this.#owed.lane) ? this.#deps.holds.holder : null
  }

  #isHeld(lane: string): boolean {
    return !isNullLane(lane) && this.#deps.holds.isShared
  }

  /**
   * Before the request: a crash in the middle of it leaves the spacing behind. The lane is this process's, but another
   * one on the same store may have come first; given up if it has come in the middle of a visit, because nothing had been
   * heard of this one.
   */
  async #reserve(url: string, request: VisitRequest): Promise<Taken | NotAsked | 'another-came'> {
    const { clock, store, holds } = this.#deps
    const { lane } = this.#turn
    const delayMs = this.#delayMs(this.#hostAsked(url), request.separate === true)
    const startedAt = clock.now()
    const taken = { startedAt, delayMs }
    if (delayMs === 0 && !this.#isHeld(lane)) return taken
    const visit = { startedAt, notBefore: startedAt + delayMs }
    if (this.#owed) return (await store.extendLease(lane, visit, holds.lease())) ? taken : { kind: 'aborted' }
    if (!(await this.#take(lane, visit))) return 'another-came'
    if (!holds.isShared) return taken
    // Who was stopped since then may have lost it already.
    const isSure = clock.now() - startedAt <= RENEW_LEASE_MS || (await store.extendLease(lane, visit, holds.lease()))
    if (!isSure) return { kind: 'aborted' }
    // Of several visits in one instant of the clock the last looks like the first.
    const { seen } = this.#turn
    const isUnclear = seen !== null && (seen.host.lastRequestAt ?? 0) >= seen.at
    return (isUnclear ? await this.#unlessNeeded() : null) ?? taken
  }

  async #take(lane: string, visit: HostVisit): Promise<boolean> {
    const { holds, store } = this.#deps
    const lease = holds.lease()
    const { seen } = this.#turn
    const asSeen = lease !== null && seen !== null ? { lastRequestAt: seen.host.lastRequestAt } : null
    if (!(await store.leaseHost(lane, { ...visit, lease, ...asSeen }))) return false
    holds.begin(lane)
    this.#owed = { lane, ...visit }
    return true
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
    if (!last) return
    const delayMs = Math.max(last.delayMs, this.#delayMs(laneOrNull(last.lane), true))
    this.visited = { ...last, delayMs }
    if (this.#owed) this.#owed = { ...this.#owed, notBefore: last.completedAt + delayMs }
  }

  /** A service with a lane for each owner is one host to people and to overrides, wherever its API answers. */
  #hostAsked(url: string): string | null {
    if (isNullLane(this.#turn.lane)) return null
    return isOwnerLane(this.#source.lane) ? this.#source.host : hostOf(url)
  }

  credentialsFor(url: string): string | null {
    const { basicAuth } = this.#options
    const downgraded = this.#source.url.startsWith('https:') && !url.startsWith('https:')
    return basicAuth && hostOf(url) === hostOf(this.#source.url) && !downgraded ? basicAuth : null
  }

  async #enterLaneOf(url: string, separate: boolean, withinMs: number): Promise<NotAsked | null> {
    const lane = laneToAsk(this.#source.lane, url)
    if (lane === this.#turn.lane && !this.#turn.needsNoRequest && !separate) {
      if (this.visited) this.#turn.releaseSlot = await this.#deps.lanes.requestSlots.take()
      return null
    }
    if (lane !== this.#turn.lane && !((await this.#options.leaves?.()) ?? true)) return { kind: 'aborted' }
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
    if (!this.#owed || isNullLane(this.#owed.lane)) return
    const { lane, ...visit } = this.#owed
    await this.#deps.store.releaseHost(lane, visit, this.leasedBy)
    if (this.tally) await this.#deps.store.noteVisit(lane, this.tally)
  }
}
