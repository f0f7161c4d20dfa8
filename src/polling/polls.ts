// Polls under way and polls that wait: a source is never polled twice at once, and whoever asks for a poll of
// a source that is queued or in flight gets that one's record.
import type { Failure, PollRecord, Trigger } from '../domain/outcome.ts'
import { HostNotFree, Problem } from '../domain/problem.ts'
import type { Source } from '../domain/source.ts'
import type { PollingStore } from '../ports/polling-store.ts'
import type { PutOff } from '../ports/reader.ts'
import { BreakerGate } from './breaker-gate.ts'
import { forgetIfChosenOtherwise } from './chosen-under.ts'
import type { Turn } from './lanes.ts'
import { type PollDeps, type PollResult, pollSource } from './poll-source.ts'
import { afterPutOff } from './put-off.ts'
import { PollVisit, type VisitDeps } from './visit.ts'

const TARGET_WITHIN_MS = 60_000

export interface PollsDeps extends PollDeps, VisitDeps {
  readonly store: PollDeps['store'] & PollingStore
  /** The URL's credentials, opened; a Failure when they cannot be. */
  readonly credentials: (source: Source) => Promise<string | null | Failure>
}

interface QueuedPoll {
  readonly finished: Promise<PollRecord>
  /** Whoever asked wants it no more; it is given up when nobody else waits for it. */
  withdraw: () => void
}

interface Waiting {
  readonly lane: string
  readonly finished: Promise<PollRecord>
  readonly giveUp: () => void
  askers: number
  /** Asked when its turn comes; null: a person wants it, whatever else. */
  stillWanted: (() => Promise<boolean>) | null
}

export class Polls {
  readonly #deps: PollsDeps
  readonly #inFlight = new Map<string, { lane: string; finished: Promise<PollRecord> }>()
  readonly #queued = new Map<string, Waiting>()
  /** Could not even be recorded: left alone until the next tick, so that a lane does not spin on one source. */
  readonly #stuck = new Set<string>()
  #rulesNoted: Promise<void> | null = null
  #lastAsked: Promise<void> = Promise.resolve()
  #started = 0

  constructor(deps: PollsDeps) {
    this.#deps = deps
  }

  get started(): number {
    return this.#started
  }

  isInFlight(sourceId: string): boolean {
    return this.#inFlight.has(sourceId)
  }

  /** Polls of its lane that wait or are under way, and how many of them come before its own; null: it has none. */
  inLane({ id, lane }: Pick<Source, 'id' | 'lane'>): { readonly polls: string[]; readonly place: number | null } {
    const place = [...this.#queued].filter(([, poll]) => poll.lane === lane).findIndex(([queuedId]) => queuedId === id)
    return { polls: this.#notNow(lane), place: place < 0 ? null : place }
  }

  forgetStuck(): void {
    this.#stuck.clear()
  }

  async settled(): Promise<void> {
    await Promise.allSettled([...this.#inFlight.values()].map((poll) => poll.finished))
  }

  giveUpQueued(): void {
    for (const queued of this.#queued.values()) queued.giveUp()
  }

  hasScheduled = async (lane: string): Promise<boolean> => {
    const next = await this.#deps.store.nextDueOf(lane, this.#deps.clock.now(), this.#notNow(lane))
    return next !== null
  }

  /** The lane's next due source, read from the store at this moment. */
  takeScheduled = async (lane: string): Promise<((turn: Turn) => Promise<void>) | null> => {
    await this.#noteRules()
    const source = await this.#deps.store.nextDueOf(lane, this.#deps.clock.now(), this.#notNow(lane))
    if (!source) return null
    return (turn) => this.#begin(source, 'tick', turn).then(ignore, ignore)
  }

  /**
   * A person's poll, or a probe: at the head of the lane, joined when there is one already. In the order in which they
   * are asked for, whichever of them the store finds first.
   */
  request(
    sourceId: string,
    trigger: Trigger,
    stillWanted: (() => Promise<boolean>) | null = null,
  ): Promise<QueuedPoll> {
    const queued = this.#lastAsked.then(() => this.#queue(sourceId, trigger, stillWanted))
    this.#lastAsked = queued.then(ignore, ignore)
    return queued
  }

  async #queue(sourceId: string, trigger: Trigger, stillWanted: Waiting['stillWanted']): Promise<QueuedPoll> {
    const { store, lanes, kept } = this.#deps
    const source = await store.getSource(sourceId)
    // Looked at after the read, with nothing to wait for until it is queued: no two can slip in together.
    const inFlight = this.#inFlight.get(sourceId)
    if (inFlight) return { finished: inFlight.finished, withdraw: ignore }
    const waiting = this.#queued.get(sourceId)
    if (waiting) return joined(waiting, stillWanted)
    if (!source) throw noSuchSource()
    if (lanes.stopping.aborted) throw new Problem('not-ready', 'The process is ending; nothing is polled any more.')
    const { promise, resolve, reject } = Promise.withResolvers<PollRecord>()
    let leaveLane = (): boolean => false
    const giveUp = (): void => {
      if (!leaveLane()) return
      this.#queued.delete(sourceId)
      reject(new Problem('not-ready', 'the poll was given up before its turn came'))
    }
    const queued: Waiting = { lane: source.lane, finished: promise, giveUp, askers: 0, stillWanted }
    // Before the lane is entered: its turn may come at once.
    this.#queued.set(sourceId, queued)
    leaveLane = lanes.enterAtHead(source.lane, {
      free: source.lastSucceededAt === null && kept.has(source, source.feedUrl ?? source.url),
      run: async (turn) => {
        this.#queued.delete(sourceId)
        await this.#runRequested(sourceId, trigger, queued.stillWanted, turn).then(resolve, reject)
      },
      fail: (error) => {
        this.#queued.delete(sourceId)
        reject(error)
      },
    })
    // Whoever asked may have gone: the record is there all the same.
    promise.catch(ignore)
    return joined(queued, stillWanted)
  }

  async #runRequested(
    sourceId: string,
    trigger: Trigger,
    stillWanted: Waiting['stillWanted'],
    turn: Turn,
  ): Promise<PollRecord> {
    const underWay = this.#inFlight.get(sourceId)
    if (underWay) {
      turn.leave()
      return underWay.finished
    }
    await this.#noteRules()
    const source = await this.#deps.store.getSource(sourceId)
    if (!source) throw noSuchSource()
    if (stillWanted && !(source.enabled && (await stillWanted()))) {
      throw new Problem('not-ready', 'The probe is not needed any more.')
    }
    return this.#begin(source, trigger, turn)
  }

  /** Before any source is read to be polled; tried again where it failed. */
  #noteRules(): Promise<void> {
    this.#rulesNoted ??= forgetIfChosenOtherwise(this.#deps).catch((error: unknown) => {
      this.#rulesNoted = null
      throw error
    })
    return this.#rulesNoted
  }

  /** Due or not, the lane's schedule leaves these alone: what is asked for by hand is polled once, not twice. */
  #notNow(lane: string): string[] {
    const polls = [...this.#inFlight, ...this.#queued].filter(([, poll]) => poll.lane === lane).map(([id]) => id)
    return [...polls, ...this.#stuck]
  }

  #begin(source: Source, trigger: Trigger, turn: Turn): Promise<PollRecord> {
    this.#started++
    const finished = this.#poll(source, trigger, turn).finally(() => this.#inFlight.delete(source.id))
    this.#inFlight.set(source.id, { lane: source.lane, finished })
    return finished
  }

  async #poll(source: Source, trigger: Trigger, turn: Turn): Promise<PollRecord> {
    const gate = new BreakerGate(this.#deps, source, trigger)
    const visit = await this.#visitFor(source, trigger, turn, gate)
    let result: PollResult | null = null
    try {
      // A scheduled poll was let through by its lane; a free turn asks nobody.
      if (trigger !== 'tick' && !turn.free) await gate.enter(turn.lane)
      const heldBack = turn.free ? null : await gate.foresee()
      result = heldBack ? { kind: 'put-off', ...heldBack } : await pollSource(this.#deps, source, trigger, visit)
    } catch (error) {
      this.#stuck.add(source.id)
      this.#deps.log.error({ err: error, url: source.url }, `[Polling] ${source.url} could not be recorded`)
      throw error
    } finally {
      await this.#end(visit, gate, result?.kind === 'recorded')
    }
    return this.#recordOf(source, trigger, result)
  }

  async #end(visit: PollVisit, gate: BreakerGate, isRecorded: boolean): Promise<void> {
    try {
      await gate.settle(isRecorded, visit.visited?.lane ?? null, visit.passed)
    } finally {
      // The transaction moved the host's spacing on; without one it is still owed.
      await visit.leave(isRecorded)
    }
  }

  async #visitFor(source: Source, trigger: Trigger, turn: Turn, gate: BreakerGate): Promise<PollVisit> {
    const credentials = source.hasCredentials ? await this.#deps.credentials(source) : null
    const blocked = typeof credentials === 'object' ? credentials : null
    return new PollVisit(this.#deps, source, turn, {
      targetWithinMs: TARGET_WITHIN_MS,
      basicAuth: typeof credentials === 'string' ? credentials : null,
      blocked,
      useKept: source.lastSucceededAt === null,
      // The lane takes the next due source from the store then, when it is free.
      stepsBack: trigger === 'tick',
      gate: gate.enter,
    })
  }

  async #recordOf(source: Source, trigger: Trigger, result: PollResult): Promise<PollRecord> {
    switch (result.kind) {
      case 'recorded':
        return result.record
      case 'put-off':
        await this.#putOff(source, trigger, result)
        throw new HostNotFree(
          result.until,
          `The poll was put off until ${new Date(result.until).toISOString()}: ${result.reason}.`,
        )
      case 'source-gone':
        throw noSuchSource()
      case 'source-changed':
        throw new Problem('source-changed', 'The URL, type or key changed while it was being polled; poll it again.')
      case 'aborted':
        throw new Problem(
          'not-ready',
          'The poll was given up, nothing was recorded: the process is ending, or another was at its host first.',
        )
    }
  }

  async #putOff(source: Source, trigger: Trigger, putOff: PutOff): Promise<void> {
    const { clock, store, log } = this.#deps
    const now = clock.now()
    await store.changeSource(source.id, (current) => {
      if (!current.enabled || current.version !== source.version) return null
      return { set: afterPutOff(current, putOff, trigger, now), events: [] }
    })
    // A breaker was announced, once for all who wait for it.
    const level = putOff.because === 'breaker' ? 'debug' : 'info'
    log[level]({ url: source.url }, `[Polling] ${source.url} put off until ${new Date(putOff.until).toISOString()}`)
  }
}

/** One more waits for it; a person's word outweighs a probe's. */
function joined(waiting: Waiting, stillWanted: Waiting['stillWanted']): QueuedPoll {
  waiting.askers++
  if (stillWanted === null) waiting.stillWanted = null
  const withdraw = (): void => {
    if (--waiting.askers === 0) waiting.giveUp()
  }
  return { finished: waiting.finished, withdraw }
}

function noSuchSource(): Problem {
  return new Problem('not-found', 'There is no such source.')
}

const ignore = (): void => {}
