// Builds the parts of the engine. Parts that were stopped are not started again: the engine builds new ones.
import { breakerGate } from '../domain/breaker.ts'
import type { HostState } from '../domain/host.ts'
import type { Random } from '../ports/clock.ts'
import type { LimitsConfig } from '../ports/config.ts'
import type { LaneQueue } from '../ports/lane-queue.ts'
import { Probes } from './hosts/probes.ts'
import { recheckDisabled } from './hosts/rechecks.ts'
import { Lanes } from './lanes/lanes.ts'
import { OutageWatch } from './outage/outage-watch.ts'
import { Pages } from './pages/pages.ts'
import { ClockDoubt } from './planning/clock-doubt.ts'
import { Polls } from './poll/polls.ts'
import type { RunPollDeps } from './poll/run-poll.ts'
import { StorageQuota } from './poll/storage-quota.ts'
import { Scheduler } from './scheduler.ts'
import { type Sharing, shareThrough } from './sharing.ts'
import { KeptFetches } from './visit/kept-fetches.ts'
import { type Discover, TestFetches } from './visit/test-fetch.ts'

export interface EngineDeps
  extends Omit<RunPollDeps, 'lanes' | 'kept' | 'clockDoubt' | 'signal' | 'delays' | 'outage' | 'wakePages' | 'quota'> {
  readonly random: Random
  readonly discover: Discover
  /** Opens the queue of lanes that several processes share; null: this process looks after all lanes by itself. */
  readonly openLaneQueue?: (() => Promise<LaneQueue>) | null
  readonly limits: Pick<LimitsConfig, 'hostRequestsPerMinute' | 'storedMegabytes'>
}

export interface EngineParts {
  readonly lanes: Lanes
  readonly polls: Polls
  readonly pages: Pages
  readonly scheduler: Scheduler
  readonly outage: OutageWatch
  readonly tests: TestFetches
  readonly quota: StorageQuota
  /** Aborted when what is under way has to end. */
  readonly ending: AbortController
  mayPollScheduled(host: Pick<HostState, 'breaker'>): boolean
  /** From now on lanes come from the queue, and polls that are asked for go there. */
  share(queue: LaneQueue): Sharing
}

export function assemble(deps: EngineDeps): EngineParts {
  const { clock, log, rules } = deps
  const ending = new AbortController()
  let sharing: Sharing | null = null
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
    look: (lane) => polls.look(lane),
    hostRequestsPerMinute: deps.limits.hostRequestsPerMinute,
    takeScheduled: async (lane, free, seen) =>
      (await polls.takeScheduled(lane, free, seen)) ?? (seen?.hasPages === false ? null : pages.take(lane, free)),
    hasScheduled: async (lane, { source, hasPages }) => source !== null || (hasPages && (await pages.hasDue(lane))),
    scheduledAllowed: mayPollScheduled,
    onLaneEnded: (lane) => sharing?.supply.laneEnded(lane),
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
  const quota = new StorageQuota(deps)
  const polls: Polls = new Polls({ ...shared, outage, quota })
  const pages: Pages = new Pages(shared)
  const tests = new TestFetches(shared)
  const scheduler: Scheduler = new Scheduler({
    ...deps,
    clockDoubt,
    wake: (lane) => lanes.wake(lane),
    offerDue: (everyMs) => sharing?.supply.offerDue(everyMs) ?? null,
    isPaused: () => outage.pauses,
    beforeWaking: async (now) => {
      polls.retryUnrecorded()
      pages.retryUnrecorded()
      lanes.lookAgain()
      await outage.tick(now)
      if (outage.pauses) return
      await probes.ofBreakers(now)
      await recheckDisabled({ ...deps, polls: () => polls }, now)
    },
  })
  // Early, so that the status is right from the start; whoever depends on it waits for it again.
  outage.ready().catch(() => {})
  const share = (queue: LaneQueue): Sharing => {
    const isPaused = (): boolean => outage.pauses || scheduler.hasOverslept(clock.now())
    const limits = { room: rules.maxConcurrentHosts, skipOpenBreakers: rules.breaker.failures > 0 }
    sharing = shareThrough(queue, { ...deps, ...limits, lanes, polls, isPaused })
    return sharing
  }
  return { lanes, polls, pages, scheduler, outage, tests, quota, ending, mayPollScheduled, share }
}
