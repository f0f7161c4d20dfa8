// The engine: one door to scheduler, lanes, polls, probes and test fetches. There is one in each process.
import { nextToProbe, underRules } from '../domain/breaker.ts'
import { type Circumstances, explain, reasonToWait } from '../domain/explain.ts'
import type { HostState } from '../domain/host.ts'
import { isNullLane } from '../domain/lane.ts'
import type { AskedTrigger, PollRecord } from '../domain/outcome.ts'
import { Problem } from '../domain/problem.ts'
import type { Source } from '../domain/source.ts'
import { closedUntil, resolveDelay } from '../domain/spacing.ts'
import type { Waiting } from '../domain/x-posts-limit.ts'
import type { Engine, EngineStatus, Preview, QueuedPoll, TestFetch, TickSummary, Why } from '../ports/engine.ts'
import type { LaneQueue } from '../ports/lane-queue.ts'
import { readerOf } from '../ports/reader.ts'
import { assemble, type EngineDeps, type EngineParts } from './engine-parts.ts'
import { closeBreaker } from './hosts/close-breaker.ts'
import { afterRealTime } from './lanes/real-time.ts'
import type { RequestedPoll } from './poll/polls.ts'
import type { Sharing } from './sharing.ts'

const STOP_DEADLINE_MS = 10_000

export class PollingEngine implements Engine {
  readonly #deps: EngineDeps
  #parts: EngineParts
  #isOver = false
  #resting: Promise<void> | null = null
  #queue: LaneQueue | null = null
  #sharing: Sharing | null = null

  constructor(deps: EngineDeps) {
    this.#deps = deps
    this.#parts = assemble(deps)
  }

  tick(): Promise<TickSummary> {
    return this.#parts.scheduler.tick()
  }

  /** Until nothing is in flight and no open lane has due work. */
  async drain(): Promise<void> {
    for (;;) {
      await this.#parts.lanes.idle()
      await this.#parts.polls.settled()
      const before = this.#started
      for (const lane of await this.#openLanesWithWork()) this.#parts.lanes.wake(lane)
      await this.#parts.lanes.idle()
      await this.#parts.polls.settled()
      // Waiting longer does not help sources that are due but were not polled.
      if (this.#started === before) return
    }
  }

  get #started(): number {
    return this.#parts.polls.started + this.#parts.pages.started
  }

  async poll(sourceId: string, options: { signal?: AbortSignal } = {}): Promise<PollRecord> {
    const { signal } = options
    signal?.throwIfAborted()
    const { finished, withdraw } = await this.#request(sourceId, 'manual')
    if (!signal) return finished
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    const giveUp = (): void => {
      reject(signal.reason)
      withdraw()
    }
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) giveUp()
    return Promise.race([finished, aborted]).finally(() => signal.removeEventListener('abort', giveUp))
  }

  async queuePoll(sourceId: string, trigger: AskedTrigger = 'manual'): Promise<QueuedPoll> {
    const { clock, store } = this.#deps
    const queuedAt = clock.now()
    const source = await store.getSource(sourceId)
    if (!source) throw new Problem('not-found', 'There is no such source.')
    const { finished } = await this.#request(sourceId, trigger)
    const expected = async () => {
      const facts = await this.#circumstances(source)
      // Neither waiting nor under way: it ended this moment.
      const told = explain(source, { ...facts, inFlight: facts.inFlight || !facts.queued })
      return { expectedAt: told.expectedAt ?? facts.now, reason: reasonToWait(told.code, facts.host) }
    }
    return { queuedAt, expected, finished }
  }

  /** Where several processes share the work, the one that has the lane makes the poll. */
  #request(sourceId: string, trigger: AskedTrigger): Promise<RequestedPoll> {
    return (this.#sharing?.callers ?? this.#parts.polls).request(sourceId, trigger)
  }

  async why(sourceId: string): Promise<Why> {
    const source = await this.#deps.store.getSource(sourceId)
    if (!source) throw new Problem('not-found', 'There is no such source.')
    return explain(source, await this.#circumstances(source))
  }

  async #circumstances(source: Source): Promise<Circumstances> {
    const { store, clock, rules } = this.#deps
    const now = clock.now()
    const { atWork, awake, waiting } = this.#parts.lanes.stateOf(source.lane)
    const { polls, ahead: aheadHere } = this.#parts.polls.inLane(source)
    const ahead = aheadHere ?? this.#sharing?.callers.ahead(source) ?? null
    const host = await this.#hostNow(source.lane)
    const isElsewhere = host !== null && this.#deps.coordinator.visitedElsewhereUntil(host) !== null
    const target = await this.#hostNow(source.leadsTo ?? '')
    return {
      now,
      host,
      target,
      waiting: await this.#waiting(source),
      limits: rules,
      recheckDisabledDays: rules.recheckDisabledDays,
      inFlight: this.#parts.polls.isInFlight(source.id),
      queued: ahead !== null,
      aheadInLane: ahead ?? waiting + (await store.countDueAhead(source, now, polls)),
      laneAtWork: atWork || isElsewhere,
      visitedElsewhere: isElsewhere,
      laneAwake: awake || isElsewhere,
      delayMs: resolveDelay(source, source.host, rules).seconds * 1000,
      hostRequestsPerMinute: this.#deps.limits.hostRequestsPerMinute,
      isNextProbe: await this.#isNextProbe(source, host && host.breaker.state !== 'closed' ? host : target),
      isMadeDue: source.isMadeDue && source.nextPollAt !== null && source.nextPollAt <= now,
      outageSince: this.#parts.outage.outage?.since ?? null,
      nextTickAt: this.#parts.scheduler.nextTickAt,
      lastTick: await this.#parts.scheduler.lastTick(now),
    }
  }

  /** For a limit of our own. A poll asks in the same order. */
  async #waiting(source: Source): Promise<Waiting | null> {
    const forRoom = await this.#parts.quota.waiting(source, { isExact: true })
    return forRoom ?? (await readerOf(this.#deps.readers, source.type).waiting?.(source)) ?? null
  }

  resetBreaker(lane: string): Promise<void> {
    return closeBreaker(this.#deps, lane, 'reset by hand')
  }

  requestFullText(podcastId: string, postId: string): Promise<void> {
    return this.#parts.pages.request(podcastId, postId)
  }

  testFetch(request: TestFetch): Promise<Preview> {
    return this.#parts.tests.testFetch(request)
  }

  async start(): Promise<void> {
    if (this.#deps.openLaneQueue && !this.#queue) {
      this.#queue = await this.#deps.openLaneQueue()
      this.#sharing = this.#parts.share(this.#queue)
      this.#sharing.supply.start()
    }
    this.#parts.scheduler.start()
  }

  /** For good: requests after this are refused. */
  async stop(deadlineMs = STOP_DEADLINE_MS): Promise<void> {
    this.#isOver = true
    await this.#end(deadlineMs)
  }

  /** Ends everything that is under way, and is then ready for new requests. */
  rest(): Promise<void> {
    this.#resting ??= this.#end(STOP_DEADLINE_MS).finally(() => {
      if (!this.#isOver) this.#parts = assemble(this.#deps)
      this.#resting = null
    })
    return this.#resting
  }

  async #end(deadlineMs: number): Promise<void> {
    const { outage, lanes, polls, scheduler, ending } = this.#parts
    outage.stop()
    lanes.stop()
    polls.giveUpQueued()
    await this.#sharing?.callers.stop()
    await scheduler.stop()
    const callOff = afterRealTime(deadlineMs, () => ending.abort())
    await polls.ended()
    callOff()
    ending.abort()
    await lanes.idle()
    await this.#leaveQueue()
  }

  async #leaveQueue(): Promise<void> {
    await this.#sharing?.supply.stop()
    await this.#queue?.close().catch(() => {})
    this.#sharing = null
    this.#queue = null
  }

  status(): EngineStatus {
    return {
      running: this.#parts.scheduler.running,
      lastTickAt: this.#parts.scheduler.lastTickAt,
      nextTickAt: this.#parts.scheduler.nextTickAt,
      requestsInFlight: this.#parts.lanes.requestSlots.taken,
      lanesAtWork: this.#parts.lanes.atWork,
      hostsInHand: this.#sharing?.supply.inHand ?? this.#parts.lanes.busy,
      polls: this.#parts.polls.started,
      outage: this.#parts.outage.outage,
    }
  }

  async #hostNow(lane: string): Promise<HostState | null> {
    const { store, rules } = this.#deps
    const host = isNullLane(lane) ? null : await store.hostState(lane)
    return host && { ...host, breaker: underRules(host.breaker, rules.breaker) }
  }

  async #isNextProbe({ id }: Source, host: HostState | null): Promise<boolean> {
    if (!host || host.breaker.state === 'closed') return false
    const { lane, breaker } = host
    return nextToProbe(breaker, await this.#deps.store.probeRotation(lane, breaker.probedBy)) === id
  }

  async #openLanesWithWork(): Promise<string[]> {
    const { store, clock } = this.#deps
    const now = clock.now()
    const open: string[] = []
    if (this.#parts.outage.pauses) return open
    const due = (await store.dueLanes(now)).map(({ lane }) => lane)
    for (const lane of new Set([...due, ...(await store.lanesOfDuePages(now))])) {
      const host = isNullLane(lane) ? null : await store.hostState(lane)
      if (!host || (closedUntil(host, now) === null && this.#parts.mayPollScheduled(host))) open.push(lane)
    }
    return open
  }
}
