// Polls under way and polls that wait: a source is never polled twice at once, and whoever asks for a poll of
// a source that is queued or in flight gets that one's record.
import type { PollRecord, Trigger } from '../../domain/outcome.ts'
import { mayVisitFor, visitorFor } from '../../domain/owner-spacing.ts'
import { Problem } from '../../domain/problem.ts'
import type { Source } from '../../domain/source.ts'
import type { PollRequest } from '../../ports/coordinator.ts'
import type { LaneSeen } from '../../ports/polling-store.ts'
import type { TakeScheduled, Turn } from '../lanes/turn.ts'
import { forgetIfChosenOtherwise } from '../planning/forget-documents.ts'
import { hasNoResult, noSuchSource, type PollResult, recordOrThrow } from './poll-result.ts'
import { type RunPollDeps, runPoll } from './run-poll.ts'

export interface RequestedPoll {
  readonly finished: Promise<PollRecord>
  /** Whoever asked does not want it any more; it is given up when nobody else waits for it. */
  withdraw: () => void
}

interface InFlight {
  readonly lane: string
  readonly finished: Promise<PollResult>
  /** Resolves when it waits for one more turn: from then on its lane decides, which may be closed for long. */
  readonly waitsAgain: Promise<void>
}

interface Waiting {
  readonly lane: string
  readonly finished: Promise<PollRecord>
  readonly giveUp: () => void
  askers: number
  stillNeeded: StillNeeded
}

/** Asked when the poll's turn comes; null: a person asked for it, so it is always needed. */
type StillNeeded = ((source: Source) => Promise<boolean>) | null

export class Polls {
  readonly #deps: RunPollDeps
  readonly #inFlight = new Map<string, InFlight>()
  readonly #queued = new Map<string, Waiting>()
  /** Sources whose poll could not be recorded: skipped until the next tick, so that a lane does not spin on one. */
  readonly #unrecorded = new Set<string>()
  #rulesNoted: Promise<void> | null = null
  #lastAsked: Promise<void> = Promise.resolve()
  #started = 0

  constructor(deps: RunPollDeps) {
    this.#deps = deps
  }

  get started(): number {
    return this.#started
  }

  isInFlight(sourceId: string): boolean {
    return this.#inFlight.has(sourceId)
  }

  /** Polls of the source's lane that wait or are under way, and how many come before its own; null: it has none. */
  inLane({ id, lane }: Pick<Source, 'id' | 'lane'>): { readonly polls: string[]; readonly ahead: number | null } {
    const ahead = [...this.#queued].filter(([, poll]) => poll.lane === lane).findIndex(([queuedId]) => queuedId === id)
    return { polls: this.#notNow(lane), ahead: ahead < 0 ? null : ahead }
  }

  retryUnrecorded(): void {
    this.#unrecorded.clear()
  }

  /** Resolves when nothing is in flight but polls that wait for one more turn of their lane. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#inFlight.values()].map((poll) => Promise.race([poll.finished, poll.waitsAgain])))
  }

  /** Resolves when nothing is in flight. For after the lanes have stopped: nothing waits any more then. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.#inFlight.values()].map((poll) => poll.finished))
  }

  giveUpQueued(): void {
    for (const queued of this.#queued.values()) queued.giveUp()
  }

  look = async (lane: string): Promise<LaneSeen> => {
    await this.#noteRules()
    return this.#deps.store.lookAtLane(lane, this.#deps.clock.now(), this.#notNow(lane))
  }

  /** The lane's next due source, as the lane has just seen it, or read from the store at this moment. */
  takeScheduled: TakeScheduled = async (lane, free, seen) => {
    const notNow = this.#notNow(lane)
    if (seen && seen.source === null) return null
    const isFree = seen?.source && mayVisitFor(free, seen.source) && !notNow.includes(seen.source.id)
    const source = isFree ? seen.source : await this.#deps.store.nextDueOf(lane, this.#deps.clock.now(), notNow, free)
    if (!source) return null
    return (turn) => this.#begin(source, 'tick', turn).then(ignore, ignore)
  }

  /**
   * A person's poll, or a probe: it goes to the head of the lane, or joins a poll of the same source. Polls enter their
   * lanes in the order in which they are asked for, however long the store takes for each. `asked`: what was asked for
   * earlier, perhaps in another process.
   */
  request(
    sourceId: string,
    trigger: Trigger,
    stillNeeded: StillNeeded = null,
    asked: PollRequest | null = null,
  ): Promise<RequestedPoll> {
    const queued = this.#lastAsked.then(() => this.#queue(sourceId, trigger, stillNeeded, asked))
    this.#lastAsked = queued.then(ignore, ignore)
    return queued
  }

  /** Whether a poll of the source waits or is under way here, or its document is here already. */
  isAtHand(source: Source): boolean {
    return this.#inFlight.has(source.id) || this.#queued.has(source.id) || this.#hasDocument(source)
  }

  #hasDocument(source: Source): boolean {
    return source.lastSucceededAt === null && this.#deps.kept.has(source, source.feedUrl ?? source.url)
  }

  async #queue(
    sourceId: string,
    trigger: Trigger,
    stillNeeded: StillNeeded,
    asked: PollRequest | null,
  ): Promise<RequestedPoll> {
    const { store, lanes, coordinator } = this.#deps
    const source = await store.getSource(sourceId)
    const request = asked ?? (source && (await coordinator.requestOf(source)))
    const since = asked && source && (await coordinator.polledSince(asked, source))
    if (since) return { finished: Promise.resolve(since), withdraw: ignore }
    // From here on nothing is awaited until it is queued, so that no two polls of a source can slip in together.
    const inFlight = this.#inFlight.get(sourceId)
    if (inFlight) {
      const finished = this.#resultOf(inFlight, () => this.#askAgain(request, trigger, stillNeeded))
      // Whoever asked may not wait for it.
      finished.catch(ignore)
      return { finished, withdraw: ignore }
    }
    const waiting = this.#queued.get(sourceId)
    if (waiting) return joined(waiting, stillNeeded)
    if (!source || !request) throw noSuchSource()
    if (lanes.stopping.aborted) throw isStopping()
    const { promise, resolve, reject } = Promise.withResolvers<PollRecord>()
    let leaveLane = (): boolean => false
    const giveUp = (): void => {
      if (!leaveLane()) return
      this.#queued.delete(sourceId)
      reject(new Problem('not-ready', 'the poll was given up before its turn came'))
    }
    const queued: Waiting = { lane: source.lane, finished: promise, giveUp, askers: 0, stillNeeded }
    // Before the lane is entered: its turn may come at once.
    this.#queued.set(sourceId, queued)
    leaveLane = lanes.enterAtHead(source.lane, {
      visitor: visitorFor(source),
      needsNoRequest: this.#hasDocument(source),
      run: async (turn) => {
        this.#queued.delete(sourceId)
        await this.#runRequested(request, trigger, queued.stillNeeded, turn).then(resolve, reject)
      },
      fail: (error) => {
        this.#queued.delete(sourceId)
        reject(error)
      },
    })
    // Whoever asked may be gone: the poll is recorded all the same.
    promise.catch(ignore)
    return joined(queued, stillNeeded)
  }

  async #runRequested(
    request: PollRequest,
    trigger: Trigger,
    stillNeeded: StillNeeded,
    turn: Turn,
  ): Promise<PollRecord> {
    const underWay = this.#inFlight.get(request.id)
    if (underWay) {
      turn.leave()
      return this.#resultOf(underWay, () => this.#askAgain(request, trigger, stillNeeded))
    }
    await this.#noteRules()
    const source = await this.#deps.store.getSource(request.id)
    if (!source) throw noSuchSource()
    const elsewhere = await this.#deps.coordinator.polledSince(request, source)
    if (elsewhere) return elsewhere
    if (stillNeeded && !(await stillNeeded(source))) {
      throw new Problem('not-ready', 'The probe is not needed any more.')
    }
    return recordOrThrow(await this.#begin(source, trigger, turn, request))
  }

  /** A poll that was joined and stepped back has no result: whoever joined it asks again. */
  async #resultOf({ finished }: InFlight, askAgain: () => Promise<PollRecord>): Promise<PollRecord> {
    const result = await finished
    return hasNoResult(result) ? askAgain() : recordOrThrow(result)
  }

  /** If another process recorded a poll meanwhile, its record will do. */
  async #askAgain(request: PollRequest | null, trigger: Trigger, stillNeeded: StillNeeded): Promise<PollRecord> {
    const { store, lanes, coordinator } = this.#deps
    if (lanes.stopping.aborted) throw isStopping()
    const source = request && (await store.getSource(request.id))
    if (!source) throw noSuchSource()
    const elsewhere = await coordinator.polledSince(request, source)
    return elsewhere ?? (await this.request(source.id, trigger, stillNeeded)).finished
  }

  /** Before any source is read for a poll; if it fails, the next poll tries again. */
  #noteRules(): Promise<void> {
    this.#rulesNoted ??= forgetIfChosenOtherwise(this.#deps).catch((error: unknown) => {
      this.#rulesNoted = null
      throw error
    })
    return this.#rulesNoted
  }

  /** Sources of the lane that its schedule skips even if they are due: a poll by hand is not repeated by the tick. */
  #notNow(lane: string): string[] {
    const polls = [...this.#inFlight, ...this.#queued].filter(([, poll]) => poll.lane === lane).map(([id]) => id)
    return [...polls, ...this.#unrecorded]
  }

  #begin(source: Source, trigger: Trigger, turn: Turn, request: PollRequest | null = null): Promise<PollResult> {
    this.#started++
    const { promise: waitsAgain, resolve: onWait } = Promise.withResolvers<void>()
    const onUnrecorded = () => void this.#unrecorded.add(source.id)
    const poll = { source, trigger, turn, request, onWait, onUnrecorded }
    const finished = runPoll(this.#deps, poll).finally(() => this.#inFlight.delete(source.id))
    this.#inFlight.set(source.id, { lane: source.lane, finished, waitsAgain })
    return finished
  }
}

/** One more waits for it; if one of them is a person, it is always needed. */
function joined(waiting: Waiting, stillNeeded: StillNeeded): RequestedPoll {
  waiting.askers++
  if (stillNeeded === null) waiting.stillNeeded = null
  const withdraw = (): void => {
    if (--waiting.askers === 0) waiting.giveUp()
  }
  return { finished: waiting.finished, withdraw }
}

export function isStopping(): Problem {
  return new Problem('not-ready', 'The process is shutting down; nothing is polled any more.')
}

const ignore = (): void => {}
