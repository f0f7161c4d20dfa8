// Our own outage: whether it is us who are cut off, not all of them who are gone.
//
//   quiet      A run begins when a host whose previous poll succeeded fails on the way out (name look-up, connect,
//              TLS). Every such failure joins it; any success ends it; an answer, however bad, does neither.
//   suspected  Three hosts whose previous poll had succeeded (both, if only two exist) are in the run: probes go to
//              up to three others that worked within the last day. A single host never gets here: there is no telling.
//   outage     Every probe failed on the way out too, or nobody was left to ask. An answer, however bad, clears us: it
//              came over our line. What the run did to its sources is given back, way-out failures no longer count, a
//              probe a minute waits for the first success.
//
// Plain data, kept across restarts: after one, a suspicion is probed again and giving back is done again (twice is once).
// Until a run is judged nobody is disabled for it. The lanes of all owners at a service ask one host, and count as that one.
import { type HostOutcome, type OutageRun, runWith } from './outage-run.ts'
import { nextInTurn } from './round-robin.ts'
import { MINUTE_MS } from './schedule.ts'

export type OutageState =
  | { readonly kind: 'quiet'; readonly run: OutageRun | null }
  /** `probes` is null until they were sent. */
  | { readonly kind: 'suspected'; readonly run: OutageRun; readonly probes: readonly OutageProbe[] | null }
  | {
      readonly kind: 'outage'
      /** When it was judged one; the run began earlier. */
      readonly startedAt: number
      readonly run: OutageRun
      readonly probeAt: number
      readonly probedHost: string | null
      /** Whether giving back is done and the event written. */
      readonly announced: boolean
    }

export interface OutageProbe {
  readonly host: string
  readonly told: 'way-out' | 'other' | null
}

export interface OutageChange {
  readonly state: OutageState
  /** 'suspected': send probes. 'started' and 'ended' are announced; 'started' gives back, 'ended' spreads. */
  readonly did: 'nothing' | 'suspected' | 'cleared' | 'started' | 'ended'
}

export const QUIET: OutageState = { kind: 'quiet', run: null }
export const PROBES_AT_MOST = 3
const HOSTS_ENOUGH = 3
const HOSTS_AT_LEAST = 2

/** `goodHosts`: how many hosts' latest poll succeeded, this outcome counted in. */
export function afterOutcome(state: OutageState, outcome: HostOutcome, goodHosts: number): OutageChange {
  if (outcome.result === 'success') return afterAnySuccess(state)
  if (state.kind === 'outage') return { state, did: 'nothing' }
  const run = runWith(state.run, outcome, goodHosts)
  if (run === null) return { state, did: 'nothing' }
  if (state.kind === 'suspected') return judged(run, told(state.probes, outcome), outcome.at)
  const isNewHost = run.hosts.length > (state.run?.hosts.length ?? 0)
  const enough = Math.max(HOSTS_AT_LEAST, Math.min(HOSTS_ENOUGH, run.outOf))
  if (!isNewHost || run.hosts.length < enough) return { state: { kind: 'quiet', run }, did: 'nothing' }
  return { state: { kind: 'suspected', run, probes: null }, did: 'suspected' }
}

/**
 * Probes go out to these hosts, of those that worked within the last day and are not in the run; none are left when it
 * is empty. Done again after a restart. A probe whose host sent it elsewhere is told as 'other': that host is there.
 */
export function probesSent(state: OutageState, hosts: readonly string[], now: number): OutageChange {
  if (state.kind !== 'suspected') return { state, did: 'nothing' }
  const probes = hosts.slice(0, PROBES_AT_MOST).map((host) => ({ host, told: null }))
  return judged(state.run, probes, now)
}

/** A probe that never went out (its source was removed, say) tells nothing: the others are judged without it. */
export function probeGivenUp(state: OutageState, host: string, now: number): OutageChange {
  if (state.kind !== 'suspected' || state.probes === null) return { state, did: 'nothing' }
  return judged(
    state.run,
    state.probes.filter((probe) => probe.host !== host || probe.told !== null),
    now,
  )
}

/** Asked with the state after the outcome. Only a way-out failure can be our doing before anything is suspected. */
export function mayDisable(state: OutageState, result: HostOutcome['result']): boolean {
  if (state.kind !== 'quiet') return false
  const canTell = state.run !== null && state.run.outOf >= HOSTS_AT_LEAST
  return !(canTell && result === 'way-out')
}

/**
 * Asked with the state after the outcome: whether a failure is written into its source at all. A host that answers with
 * errors has its turn to probe far more often than its sources' plans: what was not due is not held against them.
 */
export function failureCounts(state: OutageState, result: HostOutcome['result'], isExtra = false): boolean {
  return !(state.kind === 'outage' && (result === 'way-out' || isExtra))
}

/** The probe of an outage: which of `hosts` (ascending) is asked now; null while it is not time, or nobody is there. */
export function outageProbe(state: OutageState, hosts: readonly string[], now: number): string | null {
  if (state.kind !== 'outage') return null
  // More than a minute can only be left when the clock was set back.
  const leftMs = state.probeAt - now
  return leftMs > 0 && leftMs <= MINUTE_MS ? null : nextInTurn(state.probedHost, hosts)
}

export function outageProbeSent(state: OutageState, host: string, now: number): OutageState {
  return state.kind === 'outage' ? { ...state, probeAt: now + MINUTE_MS, probedHost: host } : state
}

export function outageAnnounced(state: OutageState): OutageState {
  return state.kind === 'outage' ? { ...state, announced: true } : state
}

function afterAnySuccess(state: OutageState): OutageChange {
  if (state.kind === 'outage') return { state: QUIET, did: 'ended' }
  if (state.kind === 'suspected') return { state: QUIET, did: 'cleared' }
  // The same object, so that the everyday success is seen to have changed nothing.
  return { state: state.run === null ? state : QUIET, did: 'nothing' }
}

function told(probes: readonly OutageProbe[] | null, { host, result }: HostOutcome): readonly OutageProbe[] | null {
  if (probes === null || result === 'success') return probes
  return probes.map((probe) => (probe.host === host ? { host, told: result } : probe))
}

function judged(run: OutageRun, probes: readonly OutageProbe[] | null, at: number): OutageChange {
  if (probes === null || probes.some((probe) => probe.told === null)) {
    return { state: { kind: 'suspected', run, probes }, did: 'nothing' }
  }
  const ours = probes.every((probe) => probe.told === 'way-out')
  if (!ours) return { state: QUIET, did: 'cleared' }
  return {
    state: { kind: 'outage', startedAt: at, run, probeAt: at + MINUTE_MS, probedHost: null, announced: false },
    did: 'started',
  }
}
