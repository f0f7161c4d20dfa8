// Watches for an outage of our own. It is told every outcome before it is written, one at a time, and follows the rules of
// domain/outage.ts: a suspicion sends probes; an outage pauses polling, restores the sources and sends a probe a minute;
// its end spreads what is overdue. Its state is in the store, so a restarted process continues.
// See docs/decisions/0071-outage-judged-before-recording.md
import { hostOfLane } from '../../domain/lane.ts'
import {
  afterOutcome,
  failureCounts,
  mayDisable,
  type OutageChange,
  type OutageState,
  outageAnnounced,
  outageProbe,
  outageProbeSent,
  PROBES_AT_MOST,
  probeGivenUp,
  probesSent,
  QUIET,
} from '../../domain/outage.ts'
import type { HostOutcome } from '../../domain/outage-run.ts'
import type { PollRecord } from '../../domain/outcome.ts'
import { HostNotFree } from '../../domain/problem.ts'
import { DAY_MS } from '../../domain/schedule.ts'
import type { Source } from '../../domain/source.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SourceConfig } from '../../ports/config.ts'
import type { Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'
import { type Announcement, outageEnded, outageStarted } from './outage-events.ts'
import { giveBack } from './outage-rollback.ts'

const META_KEY = 'outage'

/** A probe that was sent, and the promise of its record. */
export interface SentProbe {
  readonly source: Source
  readonly finished: Promise<PollRecord>
}

export interface OutageWatchDeps {
  readonly clock: Clock
  readonly log: Log
  readonly store: Store
  readonly rules: SourceConfig
  readonly types: Pick<SourceTypes, 'services'>
  /** null: the lane has no source to probe with. */
  readonly probe: (lane: string, stillNeeded: () => boolean) => Promise<SentProbe | null>
  readonly spreadOverdue: (now: number) => Promise<void>
}

export interface Told {
  readonly lane: string
  readonly result: HostOutcome['result']
  readonly at: number
  /** As it was before the poll is written. */
  readonly source: Source
}

export class OutageWatch {
  readonly #deps: OutageWatchDeps
  #state: OutageState = QUIET
  #loaded: Promise<void> | null = null
  #hasResumed = false
  #isResuming = false
  #isStopped = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(deps: OutageWatchDeps) {
    this.#deps = deps
  }

  /** Reads the state that an earlier run left. If that fails, the next caller tries again. */
  ready(): Promise<void> {
    this.#loaded ??= this.#load().catch((error: unknown) => {
      this.#loaded = null
      throw error
    })
    return this.#loaded
  }

  get outage(): { readonly since: number } | null {
    return this.#state.kind === 'outage' ? { since: this.#state.run.since } : null
  }

  /** Nothing scheduled goes out. */
  get pauses(): boolean {
    return this.#state.kind === 'outage' || this.#isResuming
  }

  mayDisable(result: HostOutcome['result']): boolean {
    return mayDisable(this.#state, result)
  }

  /** `isExtra`: a probe with a source that was not due. */
  counts(result: HostOutcome['result'], isExtra: boolean): boolean {
    return failureCounts(this.#state, result, isExtra)
  }

  /** The process is shutting down: probes that end from now on are ignored. */
  stop(): void {
    this.#isStopped = true
  }

  async tell(told: Told): Promise<void> {
    await this.ready()
    if (!this.#saysNothing(told.result)) await this.#oneAtATime(() => this.#hear(told))
  }

  /** With each tick: finishes what an earlier run left half done, and sends the probe of an outage. */
  async tick(now: number): Promise<void> {
    await this.ready()
    if (!this.#hasResumed) await this.#oneAtATime(() => this.#resume(now))
    this.#hasResumed = true
    await this.#oneAtATime(() => this.#announceIfNotYet(now))
    await this.#oneAtATime(() => this.#probeOutage(now))
  }

  /** Most outcomes change nothing and cost nothing. */
  #saysNothing(result: HostOutcome['result']): boolean {
    const state = this.#state
    if (state.kind === 'outage') return result !== 'success'
    return result !== 'way-out' && state.run === null
  }

  async #hear({ lane, result, at, source }: Told): Promise<void> {
    if (this.#saysNothing(result)) return
    const { store } = this.#deps
    const host = hostOfLane(lane)
    const isSuccess = result === 'success'
    const previousSucceeded = !isSuccess && ((await store.hostState(lane))?.lastPollOk ?? false)
    const goodHosts = isSuccess ? 0 : await store.countGoodHosts([...(this.#state.run?.hosts ?? []), host])
    await this.#change(afterOutcome(this.#state, { host, at, result, previousSucceeded, source }, goodHosts), at)
  }

  async #change({ state, did }: OutageChange, at: number): Promise<void> {
    if (did === 'ended') return this.#end(state, at)
    await this.#become(state)
    if (did === 'suspected') await this.#sendProbes(at)
    if (did === 'started') await this.#begin(at)
  }

  async #become(state: OutageState): Promise<void> {
    if (state === this.#state) return
    this.#state = state
    await this.#deps.store.writeMeta(META_KEY, JSON.stringify(state))
  }

  /** Written first: if the store fails, nothing is announced, and it is tried again. */
  async #becomeAndTell(state: OutageState, { event, say }: Announcement): Promise<void> {
    await this.#deps.store.writeMeta(META_KEY, JSON.stringify(state), [event])
    this.#state = state
    say(this.#deps.log)
  }

  async #sendProbes(now: number): Promise<void> {
    const { store, probe, log } = this.#deps
    const { run } = this.#state
    if (run === null) return
    log.info(
      { hosts: run.hosts },
      `[Polling] ${run.hosts.length} hosts cannot be reached: asking others whether it is us`,
    )
    const worked = { since: now - DAY_MS, now, except: run.hosts, limit: PROBES_AT_MOST }
    const asked: string[] = []
    for (const { lane } of await store.hostsThatWorked(worked)) {
      const sent = await probe(lane, () => this.#state.kind === 'suspected')
      if (!sent) continue
      asked.push(hostOfLane(lane))
      const over = (wentOut: boolean): Promise<void> => this.#probeIsOver(lane, sent.source, wentOut)
      void sent.finished.then(
        () => over(true),
        (error: unknown) => over(wasPutOff(error)),
      )
    }
    await this.#change(probesSent(this.#state, asked, now), now)
  }

  /** A probe that was redirected says nothing about the other host, but the one that redirected it works. */
  #probeIsOver(lane: string, source: Source, wentOut: boolean): Promise<void> {
    return this.#oneAtATime(async () => {
      const state = this.#state
      if (this.#isStopped || state.kind !== 'suspected') return
      const host = hostOfLane(lane)
      if (!state.probes?.some((probe) => probe.host === host && probe.told === null)) return
      const at = this.#deps.clock.now()
      if (wentOut) await this.#hear({ lane, result: 'other', at, source })
      else await this.#change(probeGivenUp(state, host, at), at)
    }).catch((error: unknown) => {
      this.#deps.log.error({ err: error }, '[Polling] the end of a probe could not be noted')
    })
  }

  async #begin(at: number): Promise<void> {
    const state = this.#state
    if (state.kind !== 'outage') return
    const count = await giveBack(this.#deps, state.run, at)
    await this.#becomeAndTell(outageAnnounced(state), outageStarted(state.run, count, at))
  }

  async #end(state: OutageState, at: number): Promise<void> {
    const since = this.outage?.since ?? at
    // Spread first: after a crash in between there is still an outage, and not a burst of polls.
    this.#isResuming = true
    try {
      await this.#deps.spreadOverdue(at)
      await this.#becomeAndTell(state, outageEnded(since, at))
    } finally {
      this.#isResuming = false
    }
  }

  async #resume(now: number): Promise<void> {
    if (this.#state.kind === 'suspected') await this.#sendProbes(now)
    // An earlier run may have crashed in the middle of it; repeating it is safe.
    if (this.#state.kind === 'outage') await giveBack(this.#deps, this.#state.run, now)
  }

  /** Restoring the sources failed, or an earlier run ended before it announced the outage. */
  async #announceIfNotYet(now: number): Promise<void> {
    if (this.#state.kind === 'outage' && this.#state.announced === false) await this.#begin(now)
  }

  async #probeOutage(now: number): Promise<void> {
    if (this.#state.kind !== 'outage') return
    const lanes = await this.#deps.store.laneRotation({ now, after: this.#state.probedHost })
    const lane = outageProbe(this.#state, lanes, now)
    if (lane === null) return
    await this.#become(outageProbeSent(this.#state, lane, now))
    await this.#deps.probe(lane, () => this.#state.kind === 'outage')
  }

  async #load(): Promise<void> {
    const kept = await this.#deps.store.readMeta(META_KEY)
    if (kept !== null) this.#state = JSON.parse(kept) as OutageState
  }

  /** Each outcome is judged by the state that the one before it left. */
  #oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => {})
    return turn
  }
}

/** Its host answered with a redirect to one that cannot be asked now. */
function wasPutOff(error: unknown): boolean {
  return error instanceof HostNotFree
}
