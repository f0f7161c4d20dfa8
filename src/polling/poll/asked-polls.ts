// Polls that were asked for in any process, and whose lanes this process has: they go to the head of their lane in the
// order in which they were asked for, and whoever asked gets the answer.
// See docs/decisions/0155-pg-boss-hands-out-lanes.md
import { logLevelOf } from '../../domain/problem.ts'
import type { AskedPoll, AskedPollQueue, PollAnswer } from '../../ports/lane-queue.ts'
import type { Log } from '../../ports/log.ts'
import { answerOfError } from './poll-answer.ts'
import type { Polls } from './polls.ts'

const MOST_AT_ONCE = 500

export interface AskedPollsDeps {
  readonly log: Log
  readonly queue: Pick<AskedPollQueue, 'waitingIn' | 'answer'>
  readonly polls: Pick<Polls, 'request'>
  readonly stopping: AbortSignal
  /** Told at once, for those who asked in this process. */
  readonly onAnswer: (id: string, answer: PollAnswer) => void
}

interface Taken {
  readonly lane: string
  withdraw: () => void
  isUnderWay: boolean
}

export class AskedPolls {
  readonly #deps: AskedPollsDeps
  readonly #taken = new Map<string, Taken>()
  readonly #answering = new Set<Promise<void>>()
  #taking: Promise<void> = Promise.resolve()

  constructor(deps: AskedPollsDeps) {
    this.#deps = deps
  }

  /** A lane is kept until its polls are answered: one that is redirected leaves the lane before it is over. */
  isUnderWayIn(lane: string): boolean {
    return [...this.#taken.values()].some((taken) => taken.lane === lane && taken.isUnderWay)
  }

  /** Takes what waits in these lanes of this process. Resolves when it is at the head of its lane. */
  take(lanes: Iterable<string>): Promise<void> {
    const taking = this.#taking.then(() => this.#take(lanes))
    this.#taking = taking.catch(() => {})
    return taking
  }

  /** Resolves when nothing that is answered is still to be written. */
  async settled(): Promise<void> {
    await this.#taking
    await Promise.all(this.#answering)
  }

  async #take(lanes: Iterable<string>): Promise<void> {
    const of = new Set([...lanes, ...[...this.#taken.values()].map(({ lane }) => lane)])
    if (of.size === 0 || this.#deps.stopping.aborted) return
    const waiting = await this.#deps.queue.waitingIn([...of], MOST_AT_ONCE)
    if (waiting.length < MOST_AT_ONCE) this.#forgetAllBut(new Set(waiting.map(({ id }) => id)))
    const queued = waiting.filter(({ id }) => !this.#taken.has(id)).map((asked) => this.#begin(asked))
    await Promise.all(queued)
  }

  /** Those that wait no more were answered, or withdrawn by whoever asked. */
  #forgetAllBut(waiting: ReadonlySet<string>): void {
    for (const [id, { withdraw }] of this.#taken) {
      if (waiting.has(id)) continue
      this.#taken.delete(id)
      withdraw()
    }
  }

  /** Resolves when it waits in its lane; it is answered later. */
  async #begin({ id, lane, trigger, request }: AskedPoll & { readonly id: string }): Promise<void> {
    const taken: Taken = { lane, withdraw: () => {}, isUnderWay: true }
    this.#taken.set(id, taken)
    const requested = this.#deps.polls.request(request.id, trigger, null, request)
    const answering = requested
      .then(({ finished, withdraw }) => {
        taken.withdraw = withdraw
        return finished
      })
      .then((record): PollAnswer => ({ kind: 'record', record }))
      // In a process that stops, nothing came of it: another one takes it.
      .catch((error: unknown) => (this.#deps.stopping.aborted ? null : answerOfError(error)))
      .then((answer) => this.#answer(id, answer))
      .finally(() => {
        taken.isUnderWay = false
        this.#answering.delete(answering)
      })
    this.#answering.add(answering)
    await requested.catch(() => {})
  }

  /** Without an answer it still waits, and is taken again. */
  async #answer(id: string, answer: PollAnswer | null): Promise<void> {
    if (answer === null) return void this.#taken.delete(id)
    this.#deps.onAnswer(id, answer)
    await this.#deps.queue.answer(id, answer).catch((error: unknown) => {
      this.#taken.delete(id)
      this.#deps.log[logLevelOf(error)]({ err: error }, '[Polling] a poll could not be answered; it is looked at again')
    })
  }
}
