// Lanes: one visit to a host at a time, hosts side by side. Everybody who asks a host (a tick, a person, a test fetch, a
// redirected poll) takes a turn in its lane, so spacing holds for all of them.
//
// - A lane keeps no list of due sources: when its turn comes it looks at the store, and takes what it finds there.
// - Turns at the head are first in, first out; after two of them the lane takes one scheduled source.
// - Before a turn the lane waits until its spacing is over. In a closed lane scheduled work ends (a tick wakes the lane
//   again); only turns at the head wait for it to open.
// - A turn ends when its owner leaves; a poll that is redirected leaves before it enters another lane.
// See docs/decisions/0090-every-request-goes-through-the-lane-of-its-host.md

import { type HostState, unknownHost } from '../../domain/host.ts'
import { isNullLane } from '../../domain/lane.ts'
import { freeFor, freeVisitors, nextFreeAt, untilFreeMs, type Visitor } from '../../domain/owner-spacing.ts'
import { logLevelOf } from '../../domain/problem.ts'
import { requestsLeft } from '../../domain/request-limit.ts'
import { closedUntil } from '../../domain/spacing.ts'
import type { HostSighting } from '../../ports/coordinator.ts'
import type { LaneSeen } from '../../ports/polling-store.ts'
import { headRun, type Lane, newLane } from './lane.ts'
import type { LanesDeps } from './lanes-deps.ts'
import { RequestSlots } from './request-slots.ts'
import { type HeadJob, Turn, type WorkOfTurn } from './turn.ts'
import { UnwrittenSpacing } from './unwritten-spacing.ts'
import { wait } from './wait.ts'

const HEADS_IN_A_ROW = 2
/** Another process may leave the host, or crash, at any time. */
const LOOK_AGAIN_MS = 1000
/** A long delay may be lowered while the lane waits for it. */
const SPACING_STEP_MS = 60_000

/** Without a reason of its own, every signal makes an error with a stack. */
const INTERRUPTED = 'interrupted'

interface Sighting extends HostSighting {
  readonly seen: LaneSeen
}

export class Lanes {
  readonly #deps: LanesDeps
  readonly #lanes = new Map<string, Lane>()
  readonly requestSlots: RequestSlots
  readonly #stop = new AbortController()
  readonly #idleWaiters: (() => void)[] = []
  readonly #unwrittenSpacing: UnwrittenSpacing

  constructor(deps: LanesDeps) {
    this.#deps = deps
    this.requestSlots = new RequestSlots(deps.maxConcurrentHosts)
    this.#unwrittenSpacing = new UnwrittenSpacing(deps.clock)
  }

  /** Aborted when no further turn starts: there is no point in waiting for one. */
  get stopping(): AbortSignal {
    return this.#stop.signal
  }

  get atWork(): number {
    return [...this.#lanes.values()].filter((lane) => lane.atWork).length
  }

  /** Lanes that are at work or about to be, and do not just wait for their host. */
  get busy(): number {
    return [...this.#lanes.values()].filter(
      (lane) => lane.running && !lane.waitingForOpening && !lane.waitingForSpacing,
    ).length
  }

  /** How many lanes wait for their host to open. */
  get waitingToOpen(): number {
    return [...this.#lanes.values()].filter((lane) => lane.waitingForOpening).length
  }

  /** How many turns at the head wait in this lane, whether one is under way, and whether it goes on by itself. */
  stateOf(key: string): { waiting: number; atWork: boolean; awake: boolean } {
    const lane = this.#lanes.get(key)
    return { waiting: lane?.heads.length ?? 0, atWork: lane?.atWork ?? false, awake: lane?.running ?? false }
  }

  /** When a visit for somebody may start. */
  freeFor(host: HostState, visitor: Visitor, now: number): number {
    return freeFor(host, visitor, this.#deps.hostRequestsPerMinute, now)
  }

  /** How many requests may still be made to the host for somebody, as it was when its row was read. */
  requestsLeft(host: HostState, { isLimited }: Visitor): number {
    if (!isLimited || isNullLane(host.lane)) return Number.POSITIVE_INFINITY
    return requestsLeft(host.limitedRequests, this.#deps.hostRequestsPerMinute, this.#deps.clock.now())
  }

  /** Scheduled work may be waiting. A lane at work is not started twice. */
  wake(key: string): void {
    this.#start(this.#lane(key))
  }

  /** Lanes that wait to open look at their host again: a tick that notices a set-back clock lets it open sooner. */
  lookAgain(): void {
    for (const lane of this.#lanes.values()) if (lane.waitingForOpening) lane.interrupt.abort(INTERRUPTED)
  }

  /** Returns a function that withdraws the job while it still waits; true when it did. */
  enterAtHead(key: string, job: HeadJob): () => boolean {
    const lane = this.#lane(key)
    lane.heads.push(job)
    lane.interrupt.abort(INTERRUPTED)
    this.#start(lane)
    return () => {
      const index = lane.heads.indexOf(job)
      if (index < 0) return false
      lane.heads.splice(index, 1)
      lane.interrupt.abort(INTERRUPTED)
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
    for (const lane of this.#lanes.values()) lane.interrupt.abort(INTERRUPTED)
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
    const lane = newLane(key)
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
      lane.waitingForSpacing = false
      lane.running = false
      if (lane.heads.length === 0) this.#lanes.delete(lane.key)
      this.#deps.onLaneEnded?.(lane.key)
      this.#settle()
    }
  }

  /** Turn after turn until the lane has nothing to do or may not go on. */
  async #work(lane: Lane): Promise<void> {
    let headsInARow = 0
    while (!this.stopping.aborted) {
      const free = lane.heads.find((job) => job.needsNoRequest)
      if (free) {
        await this.#takeTurn(lane, headRun(lane, free), new Turn(lane.key, null))
        continue
      }
      const waited = await this.#waitForTurn(lane)
      if (waited === 'over') return
      if (waited === 'look-again') continue
      const isLate = this.requestSlots.areFull
      const release = await this.requestSlots.take()
      // It may have taken long to get a slot.
      if (this.stopping.aborted) return release()
      const head = this.#freeHead(lane, waited.host)
      const scheduled = headsInARow >= HEADS_IN_A_ROW || head === null
      const next = this.#next(lane, scheduled ? waited.host : null, isLate ? null : waited.seen, head)
      const run = await next.catch((error: unknown) => {
        // The store failed. A slot that is not given back would be missing until the next start.
        release()
        throw error
      })
      if (!run) {
        release()
        if (await this.#waitForHeldBack(lane, waited)) continue
        return
      }
      headsInARow = scheduled ? 0 : headsInARow + 1
      const turn = new Turn(lane.key, release, waited)
      await this.#takeTurn(lane, run, turn)
      if (turn.isLaneEmpty && lane.heads.length === 0) return
    }
  }

  /** `host`: of scheduled work, if its time has come; null: only the head's has. */
  async #next(
    lane: Lane,
    host: HostState | null,
    seen: LaneSeen | null,
    head: HeadJob | null,
  ): Promise<WorkOfTurn | null> {
    return (host && (await this.#scheduled(lane, host, seen))) ?? headRun(lane, head)
  }

  async #scheduled(lane: Lane, host: HostState, seen: LaneSeen | null): Promise<WorkOfTurn | null> {
    if (!this.#deps.scheduledAllowed(host) || this.#deps.coordinator.isClaimedElsewhere(host)) return null
    const free = freeVisitors(host, this.#deps.hostRequestsPerMinute, this.#deps.clock.now())
    return free && this.#deps.takeScheduled(lane.key, free, seen)
  }

  /** The first job at the head that may go now; null: there is none. */
  #freeHead(lane: Lane, host: HostState): HeadJob | null {
    const now = this.#deps.clock.now()
    return lane.heads.find(({ visitor }) => this.freeFor(host, visitor, now) <= now) ?? null
  }

  /** False: nobody is held back, or nobody who has work. */
  async #waitForHeldBack(lane: Lane, { host, seen }: Sighting): Promise<boolean> {
    const { clock } = this.#deps
    const now = clock.now()
    const next = nextFreeAt(host, this.#deps.hostRequestsPerMinute, now)
    if (next === null || !(lane.heads.length > 0 || (await this.#mayHaveScheduled(lane, host, seen)))) return false
    lane.waitingForSpacing = true
    await wait(clock, Math.min(next - now, SPACING_STEP_MS), lane.interrupt.signal)
    lane.waitingForSpacing = false
    return true
  }

  /** 'over': nothing may be done here now. 'look-again': something changed while waiting. Else the host to visit. */
  async #waitForTurn(lane: Lane): Promise<Sighting | 'over' | 'look-again'> {
    const at = this.#deps.clock.now()
    // Made before the store is read, so that a job that comes meanwhile, or a stop, ends the wait as well.
    const interrupt = new AbortController()
    lane.interrupt = interrupt
    const seen = await this.#deps.look(lane.key)
    // The null lane stands for no host: nothing to be polite to.
    if (isNullLane(lane.key)) return { host: unknownHost(lane.key), at, seen }
    const host = this.#unwrittenSpacing.added(seen.host ?? unknownHost(lane.key))
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
    const spacingMs = untilFreeMs(host, this.#deps.hostRequestsPerMinute, now)
    const waitMs = visitedUntil === null ? spacingMs : Math.min(visitedUntil - now, LOOK_AGAIN_MS)
    if (waitMs <= 0) return { host, at, seen }
    if (lane.heads.length > 0) await this.#deps.coordinator.claimNextTurn(lane.key, waitMs)
    // The process that is at the host goes on with what is due.
    else if (visitedUntil !== null || !(await this.#mayHaveScheduled(lane, host, seen))) return 'over'
    lane.waitingForSpacing = true
    await wait(this.#deps.clock, Math.min(waitMs, SPACING_STEP_MS), interrupt.signal)
    lane.waitingForSpacing = false
    return 'look-again'
  }

  /** A lane without work ends rather than wait for its spacing. */
  async #mayHaveScheduled(lane: Lane, host: HostState, seen: LaneSeen): Promise<boolean> {
    return this.#deps.scheduledAllowed(host) && this.#deps.hasScheduled(lane.key, seen)
  }

  async #takeTurn(lane: Lane, run: WorkOfTurn | null, turn: Turn): Promise<void> {
    if (!run) return turn.leave()
    lane.atWork = true
    void run(turn)
      .catch((error: unknown) => {
        this.#deps.log[logLevelOf(error)]({ err: error, lane: lane.key }, '[Polling] a turn ended unexpectedly')
      })
      .finally(() => turn.leave())
    await turn.left
    if (turn.unwrittenNotBefore !== null) this.#unwrittenSpacing.keep(lane.key, turn.unwrittenNotBefore)
    lane.atWork = false
  }
}
