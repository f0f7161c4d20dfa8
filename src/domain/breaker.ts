// The breaker of a lane: whether a whole host has gone, not one address on it.
//
// - Failures that speak of the host fill its window; a success clears it. All others (404 and 410 speak of one
//   address, a 500 or a broken feed shows a host at work) neither fill nor clear it.
// - closed -> open after `failures` of them in a row from `sources` different sources, of two owners where the host
//   has several, on a host that has succeeded before; or when so many of its sources fail for good that it is a storm.
// - open -> half-open when a probe goes out: after 1 h, then doubling up to `waitHours`, or whenever a person polls.
// - half-open -> closed by a success, -> open by any failure. A probe ahead of its time does not lengthen the wait.
// `failures: 0` turns it off: nothing fills it, and one that is open lets everything pass until somebody closes it.
import { type BreakerRules, type HostFacts, type HostFailure, isEnough, note, speaksOfHost } from './breaker-window.ts'
import { type BreakerState, CLOSED_BREAKER, type HostState } from './host.ts'
import { isLeased } from './host-lease.ts'
import { nextInTurn } from './round-robin.ts'
import { HOUR_MS, MINUTE_MS } from './schedule.ts'
import { closedUntil } from './spacing.ts'
import { isStorm, type Storm } from './storm.ts'

export interface BreakerChange {
  readonly breaker: BreakerState
  /** 'opened' and 'closed' are announced, once each; a failed probe only says 'reopened'. */
  readonly did: 'nothing' | 'opened' | 'reopened' | 'closed'
  /** Set when it opened because so many of the host's sources fail for good. */
  readonly storm?: Storm
}

const FIRST_WAIT_MS = HOUR_MS
/** A probe that told nothing for so long was lost, with the process that sent it. */
const PROBE_LOST_MS = 10 * MINUTE_MS

/** Any failed poll that asked the host. */
export function afterHostFailure(
  breaker: BreakerState,
  told: HostFailure,
  rules: BreakerRules,
  facts: HostFacts,
): BreakerChange {
  if (rules.failures === 0) return { breaker: breaker.state === 'closed' ? CLOSED_BREAKER : breaker, did: 'nothing' }
  const speaks = speaksOfHost(told.failure)
  const noted = speaks ? note(breaker, told, rules) : breaker
  if (noted.state === 'half-open') return { breaker: reopen(noted, told.at, rules), did: 'reopened' }
  if (noted.state === 'open') return { breaker: noted, did: 'nothing' }
  const opened = { ...noted, ...openFrom(told.at, FIRST_WAIT_MS, rules), since: told.at }
  if (speaks && isEnough(noted, rules, facts)) return { breaker: opened, did: 'opened' }
  const storm = facts.storm ?? null
  return storm && isStorm(storm) ? { breaker: opened, did: 'opened', storm } : { breaker: noted, did: 'nothing' }
}

/** Nobody is disabled while it is the host that fails for good: not even sources whose probes fail. */
export function isOpenByStorm(breaker: BreakerState, rules: BreakerRules): boolean {
  return breaker.state !== 'closed' && breaker.inARow < rules.failures
}

/** Any good poll of the host. On 'closed' the host's sources get their failures cleared and are spread. */
export function afterHostSuccess(breaker: BreakerState): BreakerChange {
  if (breaker.state !== 'closed') return { breaker: CLOSED_BREAKER, did: 'closed' }
  return { breaker: breaker.inARow === 0 ? breaker : CLOSED_BREAKER, did: 'nothing' }
}

/** What an earlier configuration left, as these rules see it: off is closed, and nobody waits longer than they say. */
export function underRules(breaker: BreakerState, rules: BreakerRules): BreakerState {
  if (breaker.state === 'closed') return breaker
  if (rules.failures === 0) return CLOSED_BREAKER
  const tooLongMs = breaker.waitMs - rules.waitHours * HOUR_MS
  if (tooLongMs <= 0 || breaker.probeAt === null) return breaker
  return { ...breaker, waitMs: breaker.waitMs - tooLongMs, probeAt: breaker.probeAt - tooLongMs }
}

/** Whether a scheduled poll may go out as usual, as the one probe, or not at all. */
export function breakerGate(breaker: BreakerState, rules: BreakerRules, now: number): 'pass' | 'probe' | 'skip' {
  if (breaker.state === 'closed' || rules.failures === 0) return 'pass'
  return mayProbe(breaker, now) ? 'probe' : 'skip'
}

/** Whether a scheduled probe is due. A person's poll need not ask. */
export function mayProbe(breaker: BreakerState, now: number): boolean {
  if (breaker.state === 'closed') return false
  if (breaker.state === 'half-open') {
    const outForMs = now - (breaker.probingSince ?? 0)
    return outForMs >= PROBE_LOST_MS || outForMs < 0
  }
  return !isAhead(breaker, now)
}

/** Before the probe's time. More than the whole wait can only be left when the clock was set back: that is no time. */
function isAhead(breaker: BreakerState, at: number): boolean {
  const leftMs = (breaker.probeAt ?? at) - at
  return leftMs > 0 && leftMs <= breaker.waitMs
}

/** A probe goes out. Does nothing to a closed breaker. */
export function beginProbe(breaker: BreakerState, sourceId: string, now: number): BreakerState {
  if (breaker.state === 'closed') return breaker
  return { ...breaker, state: 'half-open', probingSince: now, probedBy: sourceId }
}

/** Its source cannot get there now, because of the host it starts at: the next one takes its turn. */
export function skipInRotation(breaker: BreakerState, sourceId: string): BreakerState {
  return { ...breaker, probedBy: sourceId }
}

/** Longer than any probe takes that is not at its host yet. */
const PROBE_MS = 5 * MINUTE_MS

/** A single process knows that a probe is lost: it was sent before the process started. */
export function isProbeOfEarlierRun({ probingSince }: BreakerState, startedAt: number): boolean {
  return probingSince !== null && probingSince < startedAt
}

/** One of several processes can only infer it: none of them is at the host, and the probe has been out for long. */
export function isProbeOfDeadProcess(host: HostState, now: number): boolean {
  const { probingSince } = host.breaker
  return probingSince !== null && !isLeased(host, now) && now - probingSince > PROBE_MS
}

/** The probe told nothing about the host (given up, put off): the next source takes its turn in a minute. */
export function abandonProbe(breaker: BreakerState, now: number): BreakerState {
  return untried(breaker, now, MINUTE_MS)
}

/** The probe failed before it asked anybody (no key, say): its source has a failure, so the next waits as long again. */
export function probeAskedNobody(breaker: BreakerState, now: number): BreakerState {
  return untried(breaker, now, breaker.waitMs)
}

function untried(breaker: BreakerState, now: number, againInMs: number): BreakerState {
  if (breaker.state !== 'half-open') return breaker
  const soon = now + MINUTE_MS
  const probeAt = isAhead(breaker, now) ? Math.max(breaker.probeAt ?? soon, soon) : now + againInMs
  return { ...breaker, state: 'open', probeAt, probingSince: null }
}

/** Whose turn it is to probe; `sourceIds` in ascending order. */
export function nextToProbe(breaker: BreakerState, sourceIds: readonly string[]): string | null {
  return nextInTurn(breaker.probedBy, sourceIds)
}

/** What the breaker learned since an instant was our own outage: it starts again. One that was open before stays so. */
export function forgiveBreaker(breaker: BreakerState, since: number): BreakerState {
  const openBefore = breaker.state !== 'closed' && (breaker.since ?? since) < since
  const learned = breaker.failures.some((failure) => failure.at >= since)
  return openBefore || !learned ? breaker : CLOSED_BREAKER
}

function reopen(breaker: BreakerState, at: number, rules: BreakerRules): BreakerState {
  if (isAhead(breaker, breaker.probingSince ?? at)) return { ...breaker, state: 'open', probingSince: null }
  return { ...breaker, ...openFrom(at, breaker.waitMs * 2, rules) }
}

function openFrom(
  at: number,
  wantedMs: number,
  rules: BreakerRules,
): Pick<BreakerState, 'state' | 'probeAt' | 'waitMs' | 'probingSince'> {
  const waitMs = Math.min(wantedMs, rules.waitHours * HOUR_MS)
  return { state: 'open', probeAt: at + waitMs, waitMs, probingSince: null }
}

/** Scheduled polls of a host whose breaker is not closed wait for the next probe, and for the host's own word. */
export function putOffUntil(host: HostState, now: number): number {
  return Math.max(host.breaker.probeAt ?? now, closedUntil(host, now) ?? now, now + MINUTE_MS)
}
