// The engine puts the story's parts together: scheduler, lanes, polls, probes, test fetches. One per process.
import { breakerGate, nextToProbe, underRules } from '../domain/breaker.ts'
import { type Circumstances, explain, reasonToWait } from '../domain/explain.ts'
import type { HostState } from '../domain/host.ts'
import type { PollRecord } from '../domain/outcome.ts'
import { Problem } from '../domain/problem.ts'
import type { Source } from '../domain/source.ts'
import { closedUntil, resolveDelay } from '../domain/spacing.ts'
import type { Random } from '../ports/clock.ts'
import type { Engine, EngineStatus, Preview, QueuedPoll, TestFetch, TickSummary, Why } from '../ports/engine.ts'
import { closeBreaker } from './close-breaker.ts'
import { Holds } from './holds.ts'
import { KeptFetches } from './kept-fetches.ts'
import { Lanes } from './lanes.ts'
import { OutageWatch } from './outage-watch.ts'
import { Polls } from './polls.ts'
import { Probes } from './probes.ts'
import { afterRealTime } from './real-time.ts'
import type { RunPollDeps } from './run-poll.ts'
import { Scheduler } from './scheduler.ts'
import { type Discover, TestFetches } from './test-fetch.ts'

const STOP_DEADLINE_MS = 10_000

export interface EngineDeps extends Omit<RunPollDeps, 'lanes' | 'holds' | 'kept' | 'signal' | 'delays' | 'outage'> {
  readonly random: Random
  readonly discover: Discover
  /** Tells this process from all others on the same store. */
  readonly processId: string
}

export class PollingEngine implements Engine {
  readonly #deps: EngineDeps
  readonly #holds: Holds
  readonly #lanes: Lanes
  readonly #polls: Polls
  readonly #scheduler: Scheduler
  readonly #outage: OutageWatch
  readonly #tests: TestFetches
  readonly #ending = new AbortController()

  constructor(deps: EngineDeps) {
    this.#deps = deps
    const { clock, log, store, rules } = deps
    const kept = new KeptFetches(clock)
    const holds = new Holds(deps)
    this.#holds = holds
    this.#lanes = new Lanes({
      clock,
      log,
      maxConcurrentHosts: rules.maxConcurrentHosts,
      hostState: (lane) => store.hostState(lane),
      takeScheduled: (lane) => this.#polls.takeScheduled(lane),
      hasScheduled: (lane) => this.#polls.hasScheduled(lane),
      scheduledAllowed: (host) => this.#mayPollScheduled(host),
      holds,
    })
    const probes = new Probes({ ...deps, holds, polls: () => this.#polls })
    this.#outage = new OutageWatch({
      ...deps,
      probe: (lane, stillWanted) => probes.through(lane, stillWanted),
      spreadOverdue: (now) => this.#scheduler.spreadOverdue(now, 1),
    })
    const shared = { ...deps, lanes: this.#lanes, holds, kept, delays: rules, signal: this.#ending.signal }
    this.#polls = new Polls({ ...shared, outage: this.#outage })
    this.#tests = new TestFetches(shared)
    this.#scheduler = new Scheduler({
      ...deps,
      wake: (lane) => this.#lanes.wake(lane),
      isPaused: () => this.#outage.pauses,
      beforeWaking: async (now) => {
        await this.#outage.tick(now)
        if (!this.#outage.pauses) await probes.ofBreakers(now)
      },
    })
    // What is told of an outage is right from the start on; who depends on it waits for it again.
    this.#outage.ready().catch(() => {})
  }

  tick(): Promise<TickSummary> {
    this.#polls.forgetStuck()
    return this.#scheduler.tick()
  }

  /** Until nothing is in flight and no open lane has due work. */
  async drain(): Promise<void> {
    for (;;) {
      await this.#lanes.idle()
      await this.#polls.settled()
      const before = this.#polls.started
      for (const lane of await this.#openLanesWithWork()) this.#lanes.wake(lane)
      await this.#lanes.idle()
      await this.#polls.settled()
      // What is due but was not taken cannot be helped by waiting longer.
      if (this.#polls.started === before) return
    }
  }

  async poll(sourceId: string, options: { signal?: AbortSignal } = {}): Promise<PollRecord> {
    const { signal } = options
    signal?.throwIfAborted()
    const { finished, withdraw } = await this.#polls.request(sourceId, 'manual')
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

  async queuePoll(sourceId: string): Promise<QueuedPoll> {
    const { clock, store } = this.#deps
    const queuedAt = clock.now()
    const source = await store.getSource(sourceId)
    if (!source) throw new Problem('not-found', 'There is no such source.')
    const { finished } = await this.#polls.request(sourceId, 'manual')
    const expected = async () => {
      const facts = await this.#circumstances(source)
      // Neither waiting nor under way: it ended this moment.
      const told = explain(source, { ...facts, inFlight: facts.inFlight || !facts.queued })
      return { expectedAt: told.expectedAt ?? facts.now, reason: reasonToWait(told.code, facts.host) }
    }
    return { queuedAt, expected, finished }
  }

  async why(sourceId: string): Promise<Why> {
    const source = await this.#deps.store.getSource(sourceId)
    if (!source) throw new Problem('not-found', 'There is no such source.')
    return explain(source, await this.#circumstances(source))
  }

  async #circumstances(source: Source): Promise<Circumstances> {
    const { store, clock, rules } = this.#deps
    const now = clock.now()
    const { atWork, awake, waiting } = this.#lanes.crowd(source.lane)
    const { polls, place } = this.#polls.inLane(source)
    const host = await this.#hostNow(source.lane)
    const isElsewhere = host !== null && this.#holds.heldElsewhere(host) !== null
    const target = await this.#hostNow(source.leadsTo ?? '')
    return {
      now,
      host,
      target,
      limits: rules,
      inFlight: this.#polls.isInFlight(source.id),
      queued: place !== null,
      aheadInLane: place ?? waiting + (await store.countDueAhead(source, now, polls)),
      laneAtWork: atWork || isElsewhere,
      visitedElsewhere: isElsewhere,
      laneAwake: awake || isElsewhere,
      delayMs: resolveDelay(source, source.host, rules).seconds * 1000,
      isNextProbe: await this.#isNextProbe(source, host && host.breaker.state !== 'closed' ? host : target),
      outageSince: this.#outage.outage?.since ?? null,
      nextTickAt: this.#scheduler.nextTickAt,
      lastTick: await this.#scheduler.lastTick(now),
    }
  }

  resetBreaker(lane: string): Promise<void> {
    return closeBreaker(this.#deps, lane, 'reset by hand')
  }

  testFetch(request: TestFetch): Promise<Preview> {
    return this.#tests.testFetch(request)
  }

  async start(): Promise<void> {
    this.#scheduler.start()
  }

  async stop(deadlineMs = STOP_DEADLINE_MS): Promise<void> {
    this.#outage.stop()
    this.#lanes.stop()
    this.#polls.giveUpQueued()
    await this.#scheduler.stop()
    const callOff = afterRealTime(deadlineMs, () => this.#ending.abort())
    await this.#polls.ended()
    callOff()
    this.#ending.abort()
    await this.#lanes.idle()
  }

  status(): EngineStatus {
    return {
      running: this.#scheduler.running,
      lastTickAt: this.#scheduler.lastTickAt,
      nextTickAt: this.#scheduler.nextTickAt,
      requestsInFlight: this.#lanes.slots.taken,
      lanesAtWork: this.#lanes.atWork,
      outage: this.#outage.outage,
    }
  }

  async #hostNow(lane: string): Promise<HostState | null> {
    const { store, rules } = this.#deps
    const host = lane === '' ? null : await store.hostState(lane)
    return host && { ...host, breaker: underRules(host.breaker, rules.breaker) }
  }

  async #isNextProbe({ id }: Source, host: HostState | null): Promise<boolean> {
    if (!host || host.breaker.state === 'closed') return false
    const { lane, breaker } = host
    return nextToProbe(breaker, await this.#deps.store.probersInTurn(lane, breaker.probedBy)) === id
  }

  #mayPollScheduled(host: Pick<HostState, 'breaker'>): boolean {
    const { clock, rules } = this.#deps
    const now = clock.now()
    if (this.#outage.pauses || this.#scheduler.hasOverslept(now)) return false
    return breakerGate(host.breaker, rules.breaker, now) === 'pass'
  }

  async #openLanesWithWork(): Promise<string[]> {
    const { store, clock } = this.#deps
    const now = clock.now()
    const open: string[] = []
    if (this.#outage.pauses) return open
    for (const { lane } of await store.dueLanes(now)) {
      const host = lane === '' ? null : await store.hostState(lane)
      if (!host || (closedUntil(host, now) === null && this.#mayPollScheduled(host))) open.push(lane)
    }
    return open
  }
}
