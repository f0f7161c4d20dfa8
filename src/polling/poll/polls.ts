// Polls under way and polls that wait: a source is never polled twice at once, and whoever asks for a poll of
// a source that is queued or in flight gets that one's record.
import type { PollRecord, Trigger } from '../../domain/outcome.ts'
import { Problem } from '../../domain/problem.ts'
import type { Source } from '../../domain/source.ts'
import { type Asked, lastRecord, polledElsewhere } from '../coordination/polled-elsewhere.ts'
import type { Turn } from '../lanes/lanes.ts'
import { forgetIfChosenOtherwise } from '../planning/forget-documents.ts'
import { ifItGaveWay, noSuchSource, type RunPollDeps, runPoll } from './run-poll.ts'

interface RequestedPoll {
  readonly finished: Promise<PollRecord>
  /** Whoever asked wants it no more; it is given up when nobody else waits for it. */
  withdraw: () => void
}

interface InFlight {
  readonly lane: string
  readonly finished: Promise<PollRecord>
  /** When it waits for a turn once more: until that comes it is its lane's matter, which may be closed for long. */
  readonly waitsAgain: Promise<void>
}

interface Waiting {
  readonly lane: string
  readonly finished: Promise<PollRecord>
  readonly giveUp: () => void
  askers: number
  /** Asked when its turn comes; null: a person wants it, whatever else. */
  stillNeeded: (() => Promise<boolean>) | null
}

export class Polls {
  readonly #deps: RunPollDeps
  readonly #inFlight = new Map<string, InFlight>()
  readonly #queued = new Map<string, Waiting>()
  /** Could not even be recorded: left alone until the next tick, so that a lane does not spin on one source. */
  readonly #stuck = new Set<string>()
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

  /** Polls of its lane that wait or are under way, and how many of them come before its own; null: it has none. */
  inLane({ id, lane }: Pick<Source, 'id' | 'lane'>): { readonly polls: string[]; readonly place: number | null } {
    const place = [...this.#queued].filter(([, poll]) => poll.lane === lane).findIndex(([queuedId]) => queuedId === id)
    return { polls: this.#notNow(lane), place: place < 0 ? null : place }
  }

  forgetStuck(): void {
    this.#stuck.clear()
  }

  /** Until nothing is in flight, or only what waits for a turn of its lane again. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#inFlight.values()].map((poll) => Promise.race([poll.finished, poll.waitsAgain])))
  }

  /** Until nothing is in flight; lanes have stopped, and nothing waits any more. */
  async ended(): Promise<void> {
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
    stillNeeded: (() => Promise<boolean>) | null = null,
  ): Promise<RequestedPoll> {
    const queued = this.#lastAsked.then(() => this.#queue(sourceId, trigger, stillNeeded))
    this.#lastAsked = queued.then(ignore, ignore)
    return queued
  }

  async #queue(sourceId: string, trigger: Trigger, stillNeeded: Waiting['stillNeeded']): Promise<RequestedPoll> {
    const { store, lanes, kept } = this.#deps
    const source = await store.getSource(sourceId)
    const recordId = (await lastRecord(this.#deps, sourceId))?.id ?? null
    // Looked at after the read, with nothing to wait for until it is queued: no two can slip in together.
    const inFlight = this.#inFlight.get(sourceId)
    if (inFlight) {
      const asked = source && { ...source, recordId }
      const again = () => this.#askAgain(asked, trigger, stillNeeded)
      const finished = inFlight.finished.catch(ifItGaveWay(again))
      // Whoever asked may not wait for it.
      finished.catch(ignore)
      return { finished, withdraw: ignore }
    }
    const waiting = this.#queued.get(sourceId)
    if (waiting) return joined(waiting, stillNeeded)
    if (!source) throw noSuchSource()
    if (lanes.stopping.aborted) throw isEnding()
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
      needsNoRequest: source.lastSucceededAt === null && kept.has(source, source.feedUrl ?? source.url),
      run: async (turn) => {
        this.#queued.delete(sourceId)
        await this.#runRequested({ ...source, recordId }, trigger, queued.stillNeeded, turn).then(resolve, reject)
      },
      fail: (error) => {
        this.#queued.delete(sourceId)
        reject(error)
      },
    })
    // Whoever asked may have gone: the record is there all the same.
    promise.catch(ignore)
    return joined(queued, stillNeeded)
  }

  async #runRequested(
    asked: Asked,
    trigger: Trigger,
    stillNeeded: Waiting['stillNeeded'],
    turn: Turn,
  ): Promise<PollRecord> {
    const underWay = this.#inFlight.get(asked.id)
    if (underWay) {
      turn.leave()
      return underWay.finished.catch(ifItGaveWay(() => this.#askAgain(asked, trigger, stillNeeded)))
    }
    await this.#noteRules()
    const source = await this.#deps.store.getSource(asked.id)
    if (!source) throw noSuchSource()
    const elsewhere = await polledElsewhere(this.#deps, asked, source)
    if (elsewhere) return elsewhere
    if (stillNeeded && !(source.enabled && (await stillNeeded()))) {
      throw new Problem('not-ready', 'The probe is not needed any more.')
    }
    return this.#begin(source, trigger, turn, asked)
  }

  /** What was joined gave way to another process: that one's record will do, and else it is still to be polled. */
  async #askAgain(asked: Asked | null, trigger: Trigger, stillNeeded: Waiting['stillNeeded']): Promise<PollRecord> {
    if (this.#deps.lanes.stopping.aborted) throw isEnding()
    const source = asked && (await this.#deps.store.getSource(asked.id))
    if (!asked || !source) throw noSuchSource()
    const elsewhere = await polledElsewhere(this.#deps, asked, source)
    return elsewhere ?? (await this.request(asked.id, trigger, stillNeeded)).finished
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

  #begin(source: Source, trigger: Trigger, turn: Turn, asked: Asked | null = null): Promise<PollRecord> {
    this.#started++
    const { promise: waitsAgain, resolve: waits } = Promise.withResolvers<void>()
    const isStuck = () => void this.#stuck.add(source.id)
    const poll = { source, trigger, turn, asked, waits, isStuck }
    const finished = runPoll(this.#deps, poll).finally(() => this.#inFlight.delete(source.id))
    this.#inFlight.set(source.id, { lane: source.lane, finished, waitsAgain })
    return finished
  }
}

/** One more waits for it; a person's word outweighs a probe's. */
function joined(waiting: Waiting, stillNeeded: Waiting['stillNeeded']): RequestedPoll {
  waiting.askers++
  if (stillNeeded === null) waiting.stillNeeded = null
  const withdraw = (): void => {
    if (--waiting.askers === 0) waiting.giveUp()
  }
  return { finished: waiting.finished, withdraw }
}

function isEnding(): Problem {
  return new Problem('not-ready', 'The process is ending; nothing is polled any more.')
}

const ignore = (): void => {}
