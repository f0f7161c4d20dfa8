// Lanes: one visit to a host at a time, hosts side by side. Everybody who asks a host (a tick, a person, a test fetch, a
// redirected poll) takes a turn in its lane, so spacing holds for all of them.
//
// - A lane keeps no list of due sources: when its turn comes it takes the next one from the store.
// - Turns at the head are first in, first out; after two of them the lane takes one scheduled source.
// - Before a turn the lane waits until its spacing is over. In a closed lane scheduled work ends (a tick wakes the lane
//   again); only turns at the head wait for it to open.
// - A turn ends when its owner leaves; a poll that is redirected leaves before it enters another lane.
// See docs/decisions/0090-every-request-goes-through-the-lane-of-its-host.md

import { type HostState, unknownHost } from '../../domain/host.ts'
import { isNullLane } from '../../domain/lane.ts'
import { logLevelOf } from '../../domain/problem.ts'
import { closedUntil, spacingEndsAt } from '../../domain/spacing.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Coordinator, HostSighting } from '../../ports/coordinator.ts'
import type { Log } from '../../ports/log.ts'
import { RequestSlots } from './request-slots.ts'
import { wait } from './wait.ts'

const HEADS_IN_A_ROW = 2
/** Another process may leave the host, or crash, at any time. */
const LOOK_AGAIN_MS = 1000
/** A long delay may be lowered while the lane waits for it. */
const SPACING_STEP_MS = 60_000

export class Turn {
  readonly lane: string
  readonly left: Promise<void>
  /** The lane did not wait for its host before this turn: no request may go out in it. */
  readonly needsNoRequest: boolean
  /** Given back when the request is over; a second call does nothing. */
  releaseSlot: () => void
  #leave: () => void = () => {}

  /** How the lane found its host before it looked for work; null: it did not look. */
  readonly sighting: HostSighting | null

  constructor(lane: string, releaseSlot: (() => void) | null, sighting: HostSighting | null = null) {
    this.lane = lane
    this.sighting = sighting
    this.needsNoRequest = releaseSlot === null
    this.releaseSlot = releaseSlot ?? (() => {})
    this.left = new Promise((resolve) => {
      this.#leave = resolve
    })
  }

  leave(): void {
    this.releaseSlot()
    this.#leave()
  }
}

/** Work at the head of a lane. */
export interface HeadJob {
  /** It runs even in a closed lane, and without waiting for spacing. */
  readonly needsNoRequest?: boolean
  run(turn: Turn): Promise<void>
  /** The lane failed while it waited: its turn will not come. */
  fail(error: unknown): void
}

/** Scheduled work, taken from the store when the lane's turn comes; null: there is none. */
export type TakeScheduled = (lane: string) => Promise<((turn: Turn) => Promise<void>) | null>

interface Lane {
  readonly key: string
  readonly heads: HeadJob[]
  running: boolean
  /** It was woken while it ran, and may have looked for work before that. */
  wokenAgain: boolean
  /** It waits for a closed lane to open. A drain does not wait for that. */
  waitingForOpening: boolean
  /** Ends the present wait, or the next one if the store is being read, so that a new job at the head is noticed. */
  interrupt: AbortController
  atWork: boolean
}

export interface LanesDeps {
  readonly clock: Clock
  readonly log: Log
  readonly maxConcurrentHosts: number
  readonly hostState: (lane: string) => Promise<HostState | null>
  readonly takeScheduled: TakeScheduled
  /** Whether there is a due source. */
  readonly hasScheduled: (lane: string) => Promise<boolean>
  /** False while nothing scheduled may go out: own outage, or a host whose breaker is not closed. */
  readonly scheduledAllowed: (host: HostState) => boolean
  readonly coordinator: Pick<Coordinator, 'visitedElsewhereUntil' | 'isClaimedElsewhere' | 'claimNextTurn'>
}

export class Lanes {
  readonly #deps: LanesDeps
  readonly #lanes = new Map<string, Lane>()
  readonly requestSlots: RequestSlots
  readonly #stop = new AbortController()
  readonly #idleWaiters: (() => void)[] = []

  constructor(deps: LanesDeps) {
    this.#deps = deps
    this.requestSlots = new RequestSlots(deps.maxConcurrentHosts)
  }

  /** Aborted when no further turn starts: there is no point in waiting for one. */
  get stopping(): AbortSignal {
    return this.#stop.signal
  }

  get atWork(): number {
    return [...this.#lanes.values()].filter((lane) => lane.atWork).length
  }

  /** How many turns at the head wait in this lane, whether one is under way, and whether it goes on by itself. */
  stateOf(key: string): { waiting: number; atWork: boolean; awake: boolean } {
    const lane = this.#lanes.get(key)
    return { waiting: lane?.heads.length ?? 0, atWork: lane?.atWork ?? false, awake: lane?.running ?? false }
  }

  /** Scheduled work may be waiting. A lane at work is not started twice. */
  wake(key: string): void {
    this.#start(this.#lane(key))
  }

  /** Returns a function that withdraws the job while it still waits; true when it did. */
  enterAtHead(key: string, job: HeadJob): () => boolean {
    const lane = this.#lane(key)
    lane.heads.push(job)
    lane.interrupt.abort()
    this.#start(lane)
    return () => {
      const index = lane.heads.indexOf(job)
      if (index < 0) return false
      lane.heads.splice(index, 1)
      lane.interrupt.abort()
      return true
    }
  }

  /** Resolves when no lane is at work or about to be; lanes that wait to open do not count. */
  async idle(): Promise<void> {
    while (this.#busy()) await new Promise<void>((resolve) => this.#idleWaiters.push(resolve))
  }

  /** No further turn starts; what is under way goes on. */
  stop(): void {
    this.#stop.abort()
    for (const lane of this.#lanes.values()) lane.interrupt.abort()
  }

  #busy(): boolean {
    return [...this.#lanes.values()].some((lane) => lane.running && !lane.waitingForOpening)
  }

  #settle(): void {
    if (this.#busy()) return
    for (const resolve of this.#idleWaiters.splice(0)) resolve()
  }

  #lane(key: string): Lane {
    const known = this.#lanes.get(key)
    if (known) return known
    const lane: Lane = {
      key,
      heads: [],
      running: false,
      wokenAgain: false,
      waitingForOpening: false,
      interrupt: new AbortController(),
      atWork: false,
    }
    this.#lanes.set(key, lane)
    return lane
  }

  #start(lane: Lane): void {
    if (this.stopping.aborted) return
    if (lane.running) {
      lane.wokenAgain = true
      return
    }
    lane.running = true
    void this.#run(lane)
  }

  async #run(lane: Lane): Promise<void> {
    try {
      do {
        lane.wokenAgain = false
        await this.#work(lane)
      } while (lane.wokenAgain && !this.stopping.aborted)
    } catch (error) {
      this.#deps.log[logLevelOf(error)](
        { err: error, lane: lane.key },
        '[Polling] a lane ended unexpectedly; the next tick wakes it',
      )
      // The next tick wakes it for what is due, but jobs at its head must not wait for a tick.
      for (const job of lane.heads.splice(0)) job.fail(error)
    } finally {
      lane.waitingForOpening = false
      lane.running = false
      if (lane.heads.length === 0) this.#lanes.delete(lane.key)
      this.#settle()
    }
  }

  /** Turn after turn until the lane has nothing to do or may not go on. */
  async #work(lane: Lane): Promise<void> {
    let headsInARow = 0
    while (!this.stopping.aborted) {
      const free = lane.heads.findIndex((job) => job.needsNoRequest)
      if (free >= 0) {
        await this.#takeTurn(lane, headRun(lane, free), new Turn(lane.key, null))
        continue
      }
      const waited = await this.#waitForTurn(lane)
      if (waited === 'over') return
      if (waited === 'look-again') continue
      const release = await this.requestSlots.take()
      // It may have taken long to get a slot.
      if (this.stopping.aborted) return release()
      const scheduled = headsInARow >= HEADS_IN_A_ROW || lane.heads.length === 0
      const run = (scheduled ? await this.#scheduled(lane, waited.host) : null) ?? headRun(lane, 0)
      if (!run) {
        release()
        return
      }
      headsInARow = scheduled ? 0 : headsInARow + 1
      await this.#takeTurn(lane, run, new Turn(lane.key, release, waited))
    }
  }

  async #scheduled(lane: Lane, host: HostState): Promise<((turn: Turn) => Promise<void>) | null> {
    if (!this.#deps.scheduledAllowed(host) || this.#deps.coordinator.isClaimedElsewhere(host)) return null
    return this.#deps.takeScheduled(lane.key)
  }

  /** 'over': nothing may be done here now. 'look-again': something changed while waiting. Else the host to visit. */
  async #waitForTurn(lane: Lane): Promise<HostSighting | 'over' | 'look-again'> {
    const at = this.#deps.clock.now()
    // Made before the store is read, so that a job that comes meanwhile, or a stop, ends the wait as well.
    const interrupt = new AbortController()
    lane.interrupt = interrupt
    // The null lane stands for no host: nothing to be polite to.
    if (isNullLane(lane.key)) return { host: unknownHost(lane.key), at }
    const host = (await this.#deps.hostState(lane.key)) ?? unknownHost(lane.key)
    const now = this.#deps.clock.now()
    const closed = closedUntil(host, now)
    if (closed !== null) {
      if (lane.heads.length === 0) return 'over'
      lane.waitingForOpening = true
      this.#settle()
      await wait(this.#deps.clock, closed - now, interrupt.signal)
      lane.waitingForOpening = false
      return 'look-again'
    }
    const visitedUntil = this.#deps.coordinator.visitedElsewhereUntil(host)
    const waitMs = visitedUntil === null ? spacingEndsAt(host, now) - now : Math.min(visitedUntil - now, LOOK_AGAIN_MS)
    if (waitMs <= 0) return { host, at }
    if (lane.heads.length > 0) await this.#deps.coordinator.claimNextTurn(lane.key, waitMs)
    // The process that is at the host goes on with what is due.
    else if (visitedUntil !== null || !(await this.#mayHaveScheduled(lane, host))) return 'over'
    await wait(this.#deps.clock, Math.min(waitMs, SPACING_STEP_MS), interrupt.signal)
    return 'look-again'
  }

  /** A lane without work ends rather than wait for its spacing. */
  async #mayHaveScheduled(lane: Lane, host: HostState): Promise<boolean> {
    return this.#deps.scheduledAllowed(host) && this.#deps.hasScheduled(lane.key)
  }

  async #takeTurn(lane: Lane, run: ((turn: Turn) => Promise<void>) | null, turn: Turn): Promise<void> {
    if (!run) return turn.leave()
    lane.atWork = true
    void run(turn)
      .catch((error: unknown) => {
        this.#deps.log[logLevelOf(error)]({ err: error, lane: lane.key }, '[Polling] a turn ended unexpectedly')
      })
      .finally(() => turn.leave())
    await turn.left
    lane.atWork = false
  }
}

function headRun(lane: Lane, index: number): ((turn: Turn) => Promise<void>) | null {
  const [job] = lane.heads.splice(index, 1)
  return job ? (turn) => job.run(turn) : null
}
