// Where several processes share a store: takes lanes from their common queue while this process has room for more, wakes
// them, and gives them back when they have nothing left to do. The pauses are real time: they limit what this process asks
// of the queue, and are no rule.
// See docs/decisions/0155-pg-boss-hands-out-lanes.md
import { logLevelOf } from '../../domain/problem.ts'
import type { LaneQueue, OfferOptions } from '../../ports/lane-queue.ts'
import type { Log } from '../../ports/log.ts'
import type { AskedPolls } from '../poll/asked-polls.ts'
import type { Lanes } from './lanes.ts'
import { afterRealTime } from './real-time.ts'

const BUSY_MS = 50
const IDLE_MS = 500
/** A process that found nothing to do several times looks less often, so that many of them do not cost more than few. */
const LONGEST_IDLE_MS = 2000
/** A process that has room looks for more due work as often as this, but at most one process in this time. */
const OFFER_EVERY_MS = 500
/** How often a process looks for polls that were asked for in its lanes. */
const ASKED_EVERY_MS = 1000
/** Lanes that wait for their spacing take no room, up to this many times the room. */
const MOST_WAITING = 10

export interface LaneSupplyDeps {
  readonly clock: { now(): number }
  readonly log: Log
  readonly queue: LaneQueue
  readonly lanes: Pick<Lanes, 'wake' | 'busy' | 'waitingToOpen' | 'stateOf' | 'stopping'>
  readonly askedPolls: Pick<AskedPolls, 'take' | 'isUnderWayIn' | 'settled'>
  readonly room: number
  /** True while nothing scheduled may go out of this process. */
  readonly isPaused: () => boolean
  readonly skipOpenBreakers: boolean
}

export class LaneSupply {
  readonly #deps: LaneSupplyDeps
  readonly #inHand = new Set<string>()
  readonly #ended = new Set<string>()
  /** Ends the time in which polls that were asked for are not looked for again; null: it is over. */
  #endAskedPause: (() => void) | null = null
  #endPause: () => void = () => {}
  /** How often in a row there was nothing to do. */
  #inVain = 0
  #running: Promise<void> | null = null

  constructor(deps: LaneSupplyDeps) {
    this.#deps = deps
  }

  get inHand(): number {
    return this.#inHand.size
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** After the lanes have stopped. */
  async stop(): Promise<void> {
    await this.#running
    this.#endAskedPause?.()
    await this.#deps.askedPolls.settled()
    const lanes = [...this.#inHand]
    this.#inHand.clear()
    this.#ended.clear()
    await this.#deps.queue.giveBack(lanes).catch(() => {})
  }

  laneEnded(lane: string): void {
    if (this.#inHand.has(lane)) this.#ended.add(lane)
  }

  /** A poll that was asked for waits in this lane. If nobody has it, it is taken without waiting for the next look. */
  async tell(lane: string): Promise<void> {
    if (this.#inHand.has(lane)) await this.#deps.askedPolls.take([lane])
    else {
      this.#inVain = 0
      this.#endPause()
    }
  }

  offerDue(everyMs: OfferOptions['everyMs']): Promise<number> {
    const { queue, clock, skipOpenBreakers } = this.#deps
    return queue.offerDue(clock.now(), { everyMs, skipOpenBreakers })
  }

  async #run(): Promise<void> {
    const { log, lanes } = this.#deps
    while (!lanes.stopping.aborted) {
      const pauseMs = await this.#step().catch((error: unknown) => {
        log[logLevelOf(error)]({ err: error }, '[Polling] lanes could not be taken from the queue; tried again soon')
        return IDLE_MS
      })
      await this.#pause(pauseMs)
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const { stopping } = this.#deps.lanes
      const end = (): void => {
        cancel()
        stopping.removeEventListener('abort', end)
        resolve()
      }
      this.#endPause = end
      const cancel = afterRealTime(ms, end)
      stopping.addEventListener('abort', end)
      if (stopping.aborted) end()
    })
  }

  /** Returns how long to wait before the next one. */
  async #step(): Promise<number> {
    const { queue, lanes, room, isPaused } = this.#deps
    await this.#giveBackEnded()
    await this.#takeAsked()
    const free = Math.min(room - lanes.busy, MOST_WAITING * room - (this.#inHand.size - lanes.waitingToOpen))
    if (free <= 0) return BUSY_MS
    // A poll that was asked for goes out even if nothing scheduled may.
    const taken = await queue.take(free, isPaused() ? 'urgent' : 'all')
    for (const { lane } of taken) this.#inHand.add(lane)
    try {
      const urgent = taken.filter(({ isUrgent }) => isUrgent)
      if (urgent.length > 0) await this.#deps.askedPolls.take(urgent.map(({ lane }) => lane))
    } finally {
      for (const { lane } of taken) lanes.wake(lane)
    }
    if (this.#inHand.size > 0) this.#inVain = 0
    if (taken.length > 0) return BUSY_MS
    if (!isPaused() && (await this.offerDue(OFFER_EVERY_MS)) > 0) return 0
    return Math.min(IDLE_MS * 2 ** this.#inVain++, LONGEST_IDLE_MS)
  }

  /** A lane that was woken again since it ended is kept, and so is one with a poll that is still to be answered. */
  async #giveBackEnded(): Promise<void> {
    const { queue, lanes, askedPolls } = this.#deps
    const over: string[] = []
    for (const lane of this.#ended) {
      if (askedPolls.isUnderWayIn(lane)) continue
      this.#ended.delete(lane)
      if (!lanes.stateOf(lane).awake) over.push(lane)
    }
    for (const lane of over) this.#inHand.delete(lane)
    if (over.length > 0) await queue.giveBack(over)
  }

  async #takeAsked(): Promise<void> {
    if (this.#endAskedPause) return
    this.#endAskedPause = afterRealTime(ASKED_EVERY_MS, () => {
      this.#endAskedPause = null
    })
    await this.#deps.askedPolls.take(this.#inHand)
  }
}
