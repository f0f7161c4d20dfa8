// Builds the parts of the engine. Parts that were stopped are not started again: the engine builds new ones.
import { breakerGate } from '../domain/breaker.ts'
import type { HostState } from '../domain/host.ts'
import type { Random } from '../ports/clock.ts'
import { Probes } from './hosts/probes.ts'
import { recheckDisabled } from './hosts/rechecks.ts'
import { Lanes } from './lanes/lanes.ts'
import { OutageWatch } from './outage/outage-watch.ts'
import { Pages } from './pages/pages.ts'
import { ClockDoubt } from './planning/clock-doubt.ts'
import { Polls } from './poll/polls.ts'
import type { RunPollDeps } from './poll/run-poll.ts'
import { Scheduler } from './scheduler.ts'
import { KeptFetches } from './visit/kept-fetches.ts'
import { type Discover, TestFetches } from './visit/test-fetch.ts'

export interface EngineDeps
  extends Omit<RunPollDeps, 'lanes' | 'kept' | 'clockDoubt' | 'signal' | 'delays' | 'outage' | 'wakePages'> {
  readonly random: Random
  readonly discover: Discover
}

export interface EngineParts {
  readonly lanes: Lanes
  readonly polls: Polls
  readonly pages: Pages
  readonly scheduler: Scheduler
  readonly outage: OutageWatch
  readonly tests: TestFetches
  /** Aborted when what is under way has to end. */
  readonly ending: AbortController
  mayPollScheduled(host: Pick<HostState, 'breaker'>): boolean
}

export function assemble(deps: EngineDeps): EngineParts {
  const { clock, log, store, rules } = deps
  const ending = new AbortController()
  const kept = new KeptFetches(clock)
  const mayPollScheduled = (host: Pick<HostState, 'breaker'>): boolean => {
    const now = clock.now()
    if (outage.pauses || scheduler.hasOverslept(now)) return false
    return breakerGate(host.breaker, rules.breaker, now) === 'pass'
  }
  const lanes = new Lanes({
    clock,
    log,
    maxConcurrentHosts: rules.maxConcurrentHosts,
    hostState: (lane) => store.hostState(lane),
    takeScheduled: async (lane) => (await polls.takeScheduled(lane)) ?? pages.take(lane),
    hasScheduled: async (lane) => (await polls.hasScheduled(lane)) || pages.hasDue(lane),
    scheduledAllowed: mayPollScheduled,
    coordinator: deps.coordinator,
  })
  const probes = new Probes({ ...deps, polls: () => polls })
  const outage = new OutageWatch({
    ...deps,
    probe: (lane, stillNeeded) => probes.through(lane, stillNeeded),
    spreadOverdue: (now) => scheduler.spreadOverdue(now, 1),
  })
  const clockDoubt = new ClockDoubt(deps)
  const wakePages = (waiting: ReadonlySet<string>): void => {
    for (const lane of waiting) lanes.wake(lane)
  }
  const shared = { ...deps, clockDoubt, wakePages, lanes, kept, delays: rules, signal: ending.signal }
  const polls: Polls = new Polls({ ...shared, outage })
  const pages: Pages = new Pages(shared)
  const tests = new TestFetches(shared)
  const scheduler: Scheduler = new Scheduler({
    ...deps,
    clockDoubt,
    wake: (lane) => lanes.wake(lane),
    isPaused: () => outage.pauses,
    beforeWaking: async (now) => {
      await outage.tick(now)
      if (outage.pauses) return
      await probes.ofBreakers(now)
      await recheckDisabled({ ...deps, polls: () => polls }, now)
    },
  })
  // Early, so that the status is right from the start; whoever depends on it waits for it again.
  outage.ready().catch(() => {})
  return { lanes, polls, pages, scheduler, outage, tests, ending, mayPollScheduled }
}
