// Those who asked for a poll in this process and wait for its answer, whichever process makes it. What they ask for waits
// in the queue that the processes share, for the one that has its lane.
import type { AskedTrigger, PollRecord } from '../../domain/outcome.ts'
import { Problem } from '../../domain/problem.ts'
import type { Source } from '../../domain/source.ts'
import { closedUntil } from '../../domain/spacing.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Coordinator } from '../../ports/coordinator.ts'
import type { AskedPoll, LaneQueue, PollAnswer } from '../../ports/lane-queue.ts'
import type { Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'
import { afterRealTime } from '../lanes/real-time.ts'
import { recordOfAnswer } from './poll-answer.ts'
import { noSuchSource } from './poll-result.ts'
import { isStopping, type Polls, type RequestedPoll } from './polls.ts'

const LOOK_EVERY_MS = 250
/** Of those who wait, so many are looked for at once, in turn. */
const MOST_AT_ONCE = 500

export interface PollCallersDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly store: Pick<Store, 'getSource' | 'hostState'>
  readonly coordinator: Pick<Coordinator, 'requestOf'>
  readonly queue: Pick<LaneQueue, 'offerUrgent' | 'askedPolls'>
  readonly polls: Pick<Polls, 'request' | 'isAtHand'>
  /** Tells the lane that a poll waits for it, if this process has it. */
  readonly tellLane: (lane: string) => Promise<void>
}

interface Waiting {
  readonly poll: AskedPoll
  readonly finished: PromiseWithResolvers<PollRecord>
  callers: number
}

export class PollCallers {
  readonly #deps: PollCallersDeps
  readonly #waiting = new Map<string, Waiting>()
  #lastAsked: Promise<unknown> = Promise.resolve()
  #looking: Promise<void> = Promise.resolve()
  #cancel: (() => void) | null = null
  #isOver = false

  constructor(deps: PollCallersDeps) {
    this.#deps = deps
  }

  /** Polls wait in the order in which they are asked for, however long the store takes for each. */
  request(sourceId: string, trigger: AskedTrigger): Promise<RequestedPoll> {
    const asked = this.#lastAsked.then(() => this.#ask(sourceId, trigger))
    this.#lastAsked = asked.catch(() => {})
    return asked
  }

  /** How many polls of its lane were asked for here before that of this source; null: it does not wait. */
  ahead({ id, lane }: Pick<Source, 'id' | 'lane'>): number | null {
    const inLane = [...this.#waiting.values()].filter(({ poll }) => poll.lane === lane)
    const index = inLane.findIndex(({ poll }) => poll.request.id === id)
    return index < 0 ? null : index
  }

  answered(id: string, answer: PollAnswer): void {
    const waiting = this.#waiting.get(id)
    if (!waiting) return
    this.#waiting.delete(id)
    try {
      waiting.finished.resolve(recordOfAnswer(answer))
    } catch (error) {
      waiting.finished.reject(error)
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true
    this.#cancel?.()
    for (const { finished } of this.#waiting.values()) finished.reject(isStopping())
    this.#waiting.clear()
    await this.#lastAsked
    await this.#looking
  }

  async #ask(sourceId: string, trigger: AskedTrigger): Promise<RequestedPoll> {
    const { store, coordinator, polls } = this.#deps
    const source = await store.getSource(sourceId)
    if (!source) throw noSuchSource()
    if (this.#isOver) throw isStopping()
    if (polls.isAtHand(source)) return polls.request(sourceId, trigger)
    const poll = { lane: source.lane, trigger, request: await coordinator.requestOf(source) }
    const id = await this.#queue(poll)
    const waiting = this.#waiting.get(id) ?? this.#wait(id, poll)
    waiting.callers++
    await this.#offer(source.lane)
    return { finished: waiting.finished.promise, withdraw: () => this.#withdraw(waiting) }
  }

  async #queue(poll: AskedPoll): Promise<string> {
    const id = await this.#deps.queue.askedPolls.ask(poll)
    if (this.#isOver) throw isStopping()
    return id
  }

  #wait(id: string, poll: AskedPoll): Waiting {
    const waiting = { poll, finished: Promise.withResolvers<PollRecord>(), callers: 0 }
    // Whoever asked may not wait for it.
    waiting.finished.promise.catch(() => {})
    this.#waiting.set(id, waiting)
    this.#lookSoon()
    return waiting
  }

  /** If it fails, the next pass over what is due finds the lane. So it does when a closed lane opens. */
  async #offer(lane: string): Promise<void> {
    const { clock, log, store, queue, tellLane } = this.#deps
    try {
      const host = await store.hostState(lane)
      if (host && closedUntil(host, clock.now()) !== null) return
      await queue.offerUrgent(lane)
      await tellLane(lane)
    } catch (error) {
      log.debug({ err: error, lane }, '[Polling] a lane with a poll that was asked for could not be offered at once')
    }
  }

  /** Given up when nobody waits for it here; those who wait for it in other processes ask again. */
  #withdraw(waiting: Waiting): void {
    if (--waiting.callers > 0) return
    const [id] = [...this.#waiting].find(([, one]) => one === waiting) ?? []
    if (id === undefined) return
    this.#waiting.delete(id)
    waiting.finished.reject(new Problem('not-ready', 'the poll was given up before its turn came'))
    this.#deps.queue.askedPolls.withdraw(id).catch((error: unknown) => {
      this.#deps.log.debug({ err: error }, '[Polling] a poll that nobody waits for could not be withdrawn')
    })
  }

  #lookSoon(): void {
    if (this.#isOver || this.#cancel || this.#waiting.size === 0) return
    this.#cancel = afterRealTime(LOOK_EVERY_MS, () => {
      this.#looking = this.#look()
        .catch((error: unknown) => this.#deps.log.debug({ err: error }, '[Polling] answers could not be looked for'))
        .finally(() => {
          this.#cancel = null
          this.#lookSoon()
        })
    })
  }

  async #look(): Promise<void> {
    const some = [...this.#waiting].slice(0, MOST_AT_ONCE)
    const answers = await this.#deps.queue.askedPolls.answersTo(some.map(([id]) => id))
    for (const [id, waiting] of some) {
      const answer = answers.get(id)
      if (!this.#waiting.has(id)) continue
      if (answer === 'gone') await this.#askAgain(id, waiting)
      else if (answer) this.answered(id, answer)
      else this.#moveBack(id, waiting)
    }
  }

  /** The others come first next time. */
  #moveBack(id: string, waiting: Waiting): void {
    if (this.#waiting.size <= MOST_AT_ONCE) return
    this.#waiting.delete(id)
    this.#waiting.set(id, waiting)
  }

  /** It may have been answered long ago: the request says what the last record was when it was asked for. */
  async #askAgain(id: string, waiting: Waiting): Promise<void> {
    const next = await this.#queue(waiting.poll)
    this.#waiting.delete(id)
    this.#waiting.set(next, waiting)
    await this.#offer(waiting.poll.lane)
  }
}
