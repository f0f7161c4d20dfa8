// What one outcome does to the host that was asked: spacing, closing, breaker, ledger. Called inside the transaction
// that writes it, with the host's row as it is then.
// See docs/decisions/0070-breaker-updated-in-the-poll-transaction.md
import { abandonProbe, afterHostFailure, afterHostSuccess, type BreakerChange } from '../../domain/breaker.ts'
import type { BreakerRules } from '../../domain/breaker-window.ts'
import type { NewEvent } from '../../domain/event.ts'
import { type HostState, unknownHost } from '../../domain/host.ts'
import { isNullLane } from '../../domain/lane.ts'
import { spacingAfter } from '../../domain/owner-spacing.ts'
import { spaced, type VisitTally } from '../../domain/politeness.ts'
import { isLimited, withRequests } from '../../domain/request-limit.ts'
import { type BackoffLimits, backoffCapMs, recoveryPlans } from '../../domain/schedule.ts'
import type { Source } from '../../domain/source.ts'
import type { Storm } from '../../domain/storm.ts'
import type { LaneDependants } from '../../ports/host-store.ts'
import type { PollEffects } from '../../ports/polling-store.ts'
import { closedBy } from '../lanes/close-lane.ts'
import type { PollOutcome } from '../poll/poll-outcome.ts'
import type { Visited } from '../visit/visit.ts'
import { hostClosed, hostOpened } from './host-events.ts'

export interface HostRules extends BackoffLimits {
  readonly breaker: BreakerRules
  /** False for a failure during our own outage: it says nothing about the host, except for a Retry-After. */
  readonly counts: boolean
}

export interface HostMoment {
  readonly host: HostState | null
  readonly source: Source
  readonly dependants: LaneDependants | null
  readonly storm: Storm | null
}

export type HostEffects = Required<Pick<PollEffects, 'host' | 'events' | 'visit' | 'recover' | 'enableSince'>>

export const NO_HOST_EFFECTS: HostEffects = { host: null, events: [], visit: null, recover: null, enableSince: null }

export function hostEffects(
  outcome: PollOutcome,
  { visited, tally }: { visited: Visited; tally: VisitTally | null },
  moment: HostMoment,
  rules: HostRules,
  now: number,
): HostEffects {
  const { host, source, dependants } = moment
  if (isNullLane(visited.lane)) return NO_HOST_EFFECTS
  const current = host ?? unknownHost(visited.lane)
  const times = { ...timesOf(visited, source, current, now), ...countedTowardsLimit(source, tally, current) }
  const visit = tally ? spaced(tally, current.lastCompletedAt) : null
  if (!rules.counts) {
    const set = {
      ...times,
      ...closing(outcome, current, source, rules, now),
      breaker: abandonProbe(current.breaker, now),
    }
    return { ...NO_HOST_EFFECTS, visit, host: set }
  }
  const breaker = breakerAfter(outcome, current, moment, rules, now)
  return {
    visit,
    host: { ...times, ...outcomeEffects(outcome, current, source, rules, now), breaker: breaker.breaker },
    events: announced(breaker, current, dependants, now),
    recover: breaker.did === 'closed' ? (sources) => recoveryPlans(sources, rules, now) : null,
    enableSince: breaker.did === 'closed' ? current.lastSucceededAt : null,
  }
}

/** For a poll that read a kept answer: the host worked. Its breaker only counts polls that sent requests. */
export function keptEffects(outcome: PollOutcome, now: number): HostEffects {
  return outcome.kind === 'success'
    ? { ...NO_HOST_EFFECTS, host: { lastSucceededAt: now, lastPollOk: true } }
    : NO_HOST_EFFECTS
}

function outcomeEffects(
  outcome: PollOutcome,
  host: HostState,
  source: Source,
  rules: HostRules,
  now: number,
): Partial<HostState> {
  const closed = closing(outcome, host, source, rules, now)
  if (outcome.kind === 'success') return { ...closed, lastSucceededAt: now, lastPollOk: true, bareThrottles: 0 }
  return { lastPollOk: false, ...closed }
}

/** A Retry-After or a spent quota counts even where the failure does not, and after a success. */
function closing(
  outcome: PollOutcome,
  host: HostState,
  source: Source,
  rules: HostRules,
  now: number,
): Partial<HostState> | null {
  if (!outcome.answer) return null
  return closedBy(outcome.answer, host, backoffCapMs(source, rules), now)
}

function breakerAfter(
  outcome: PollOutcome,
  host: HostState,
  { source: { id: sourceId, userId }, dependants, storm }: HostMoment,
  rules: HostRules,
  now: number,
): BreakerChange {
  if (outcome.kind === 'success') return afterHostSuccess(host.breaker)
  const facts = { succeededBefore: host.lastSucceededAt !== null, owners: dependants?.owners ?? 1, storm }
  return afterHostFailure(host.breaker, { failure: outcome.failure, sourceId, userId, at: now }, rules.breaker, facts)
}

function announced(
  { breaker, did, storm }: BreakerChange,
  before: HostState,
  dependants: LaneDependants | null,
  now: number,
): readonly NewEvent[] {
  const sources = dependants?.sources ?? 0
  if (did === 'opened') return [hostOpened({ ...before, breaker }, sources, now, storm)]
  return did === 'closed' ? [hostClosed(before, 'it answers again', sources, now)] : []
}

/** Spacing counts from the last visit. If another process has asked since this one began, what it reserved stays. */
function timesOf(visited: Visited, { userId }: Source, host: HostState, now: number): Partial<HostState> {
  const { completedAt, delay, quota, reached } = visited
  const { lastRequestAt, notBefore, delayType, spacedFor, othersNotBefore, heldOwners } = host
  const own = {
    lastRequestAt: reached ? visited.startedAt : lastRequestAt,
    // The next gap is measured from what the host heard.
    lastCompletedAt: reached ? completedAt : host.lastCompletedAt,
    ...spacingAfter(host, userId, delay, completedAt),
    quotaUntil: quota === null ? null : completedAt + delay.othersMs,
    quotaReason: quota,
  }
  if (lastRequestAt === null || lastRequestAt <= visited.startedAt || lastRequestAt > now) return own
  const isLonger = (notBefore ?? 0) > own.notBefore
  const reserved = isLonger && { notBefore, delayType, spacedFor, othersNotBefore, heldOwners }
  return { ...own, lastRequestAt, ...reserved }
}

function countedTowardsLimit(source: Source, tally: VisitTally | null, host: HostState): Partial<HostState> {
  if (!tally || !isLimited(source)) return {}
  return { limitedRequests: withRequests(host.limitedRequests, tally.requests, tally.completedAt) }
}
