// The run of failures that may turn out to be our own outage: which hosts are in it, and what its sources were before,
// so that all of it can be given back. A source is in it once, as it was before the run's first failure.
import type { Failure, FailureCode } from './outcome.ts'
import type { Source, SourceState } from './source.ts'

export interface OutageRun {
  readonly since: number
  /** Those whose previous poll had succeeded. */
  readonly hosts: readonly string[]
  /** How many such hosts there are, in the run and out of it. */
  readonly outOf: number
  readonly failures: readonly RunFailure[]
}

/** What a source was before the run, once per source. */
export interface RunFailure {
  readonly sourceId: string
  readonly version: number
  readonly host: string
  readonly times: number
  readonly before: BeforeRun
}

export type BeforeRun = Pick<
  SourceState,
  | 'consecutiveFailures'
  | 'permanentRun'
  | 'lastFailureType'
  | 'lastFailureReason'
  | 'lastPolled'
  | 'freshUntil'
  | 'retryAt'
>

export interface HostOutcome {
  readonly host: string
  readonly at: number
  readonly result: 'success' | 'way-out' | 'other'
  /** Of the host's poll before this one. */
  readonly previousSucceeded: boolean
  /** As it was before this poll was written. */
  readonly source: BeforeRun & Pick<Source, 'id' | 'version'>
}

// A `connection-reset` breaks a connection that stood; a proxy that fails is a part of the way.
const WAY_OUT = new Set<FailureCode>([
  'dns-not-found',
  'dns-failed',
  'connect-timeout',
  'connect-reset',
  'connection-refused',
  'unreachable',
  'tls',
  'proxy',
])

export function failedOnTheWayOut(failure: Failure): boolean {
  return WAY_OUT.has(failure.code)
}

/** The run with this failure in it; null while there is none. `goodHosts` as in `afterOutcome`. */
export function runWith(run: OutageRun | null, outcome: HostOutcome, goodHosts: number): OutageRun | null {
  const { host, at, result, previousSucceeded } = outcome
  if (run === null && !(result === 'way-out' && previousSucceeded)) return null
  const { since, hosts, failures }: Omit<OutageRun, 'outOf'> = run ?? { since: at, hosts: [], failures: [] }
  const counts = result === 'way-out' && previousSucceeded && !hosts.includes(host)
  const inRun = counts ? [...hosts, host] : hosts
  return {
    since,
    hosts: inRun,
    outOf: inRun.length + goodHosts,
    failures: result === 'way-out' ? withFailure(failures, outcome) : failures,
  }
}

function withFailure(failures: readonly RunFailure[], { host, source }: HostOutcome): readonly RunFailure[] {
  const { id, version } = source
  const earlier = failures.find((each) => each.sourceId === id && each.version === version)
  if (!earlier) return [...failures, { sourceId: id, version, host, times: 1, before: beforeRun(source) }]
  return failures.map((each) => (each === earlier ? { ...each, times: each.times + 1 } : each))
}

/** Field by field: what is handed in may be a whole source, and the run is written down. */
function beforeRun(source: BeforeRun): BeforeRun {
  const { consecutiveFailures, permanentRun, lastFailureType, lastFailureReason } = source
  const { lastPolled, freshUntil, retryAt } = source
  return { consecutiveFailures, permanentRun, lastFailureType, lastFailureReason, lastPolled, freshUntil, retryAt }
}

/** What to write back into a source; null when it has nothing of the run (left), or a person changed it since. */
export function givenBack(
  source: Pick<Source, 'version' | 'consecutiveFailures'>,
  { version, times, before }: RunFailure,
): BeforeRun | null {
  const ofTheRun = source.consecutiveFailures - before.consecutiveFailures
  return source.version === version && ofTheRun > 0 && ofTheRun <= times ? before : null
}
