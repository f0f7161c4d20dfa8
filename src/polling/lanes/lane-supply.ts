// Where several processes share a store: takes lanes from their common queue while this process has room for more, wakes
// them, and gives them back when they have nothing left to do. The pauses are real time: they limit what this process asks
// of the queue, and are no rule.
// See docs/decisions/0155-pg-boss-hands-out-lanes.md
import { logLevelOf } from '../../domain/problem.ts'
import type { LaneQueue, OfferOptions } from '../../ports/lane-queue.ts'
import type { Log } from '../../ports/log.ts'
import type { Lanes } from './lanes.ts'
import { afterRealTime } from './real-time.ts'

const BUSY_MS = 50
const IDLE_MS = 500
/** A process that has room looks for more due work as often as this, but at most one process in this time. */
const OFFER_EVERY_MS = 500
/** Lanes that wait for their spacing take no room, up to this many times the room. */
const MOST_WAITING = 10

export interface LaneSupplyDeps {
  readonly clock: { now(): number }
  readonly log: Log
  readonly queue: LaneQueue
  readonly lanes: Pick<Lanes, 'wake' | 'busy' | 'stopping'>
  readonly room: number
  /** True while nothing scheduled may go out of this process. */
  readonly isPaused: () => boolean
  readonly skipOpenBreakers: boolean
}

export class LaneSupply {
  readonly #deps: LaneSupplyDeps
  readonly #inHand = new Set<string>()
  #ended: string[] = []
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
    const lanes = [...this.#inHand]
    this.#inHand.clear()
    this.#ended = []
    await this.#deps.queue.giveBack(lanes).catch(() => {})
  }

  laneEnded(lane: string): void {
    if (this.#inHand.has(lane)) this.#ended.push(lane)
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
      const cancel = afterRealTime(ms, end)
      stopping.addEventListener('abort', end)
      if (stopping.aborted) end()
    })
  }

  /** Returns how long to wait before the next one. */
  async #step(): Promise<number> {
    const { queue, lanes, room, isPaused } = this.#deps
    const ended = this.#ended.splice(0)
    for (const lane of ended) this.#inHand.delete(lane)
    if (ended.length > 0) await queue.giveBack(ended)
    const free = Math.min(room - lanes.busy, MOST_WAITING * room - this.#inHand.size)
    if (free <= 0) return BUSY_MS
    if (isPaused()) return IDLE_MS
    const taken = await queue.take(free)
    for (const lane of taken) {
      this.#inHand.add(lane)
      lanes.wake(lane)
    }
    if (taken.length > 0) return BUSY_MS
    return (await this.offerDue(OFFER_EVERY_MS)) > 0 ? 0 : IDLE_MS
  }
}
