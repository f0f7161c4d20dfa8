// The window of a breaker: the failures in a row that speak of its host. It keeps a count, and the newest failure of as
// many sources as the rules ask for, so that its row stays small on a host with thousands of failing sources.
import type { BreakerFailure, BreakerState } from './host.ts'
import { type Failure, type FailureCode, failureName } from './outcome.ts'
import type { Storm } from './storm.ts'

export interface BreakerRules {
  readonly failures: number
  readonly sources: number
  readonly waitHours: number
}

export interface HostFacts {
  readonly succeededBefore: boolean
  /** How many different users have sources on the host. */
  readonly owners: number
  /** The sources that fail permanently since its last success, with this failure; null: too few to matter. */
  readonly storm?: Storm | null
}

export interface HostFailure {
  readonly failure: Failure
  readonly sourceId: string
  readonly userId: string
  readonly at: number
}

const HOST_STATUSES = new Set([401, 403])
const HOST_CODES = new Set<FailureCode>([
  'dns-not-found',
  'connect-timeout',
  'connect-reset',
  'headers-timeout',
  'body-timeout',
  'visit-timeout',
  'connection-refused',
  'unreachable',
  'tls',
])

export function speaksOfHost(failure: Failure): boolean {
  if (failure.code === 'http-status') return HOST_STATUSES.has(failure.httpStatus ?? 0)
  return HOST_CODES.has(failure.code)
}

/** The breaker with one more failure in its window. */
export function note(
  breaker: BreakerState,
  { failure, sourceId, userId, at }: HostFailure,
  rules: BreakerRules,
): BreakerState {
  const others = breaker.failures.filter((each) => each.sourceId !== sourceId)
  const failures = [...others, { sourceId, userId, at, name: failureName(failure) }]
  return { ...breaker, inARow: breaker.inARow + 1, failures: bounded(failures, Math.max(rules.sources, 2)) }
}

/** Keeps as many sources as the rules ask for. The oldest goes first, but not the only one of its owner. */
function bounded(failures: readonly BreakerFailure[], most: number): readonly BreakerFailure[] {
  if (failures.length <= most) return failures
  const spare = failures.findIndex((each, index) =>
    failures.some((other, place) => place !== index && other.userId === each.userId),
  )
  return bounded(failures.toSpliced(Math.max(spare, 0), 1), most)
}

export function isEnough(breaker: BreakerState, rules: BreakerRules, facts: HostFacts): boolean {
  if (!facts.succeededBefore || breaker.inARow < rules.failures || breaker.failures.length < rules.sources) return false
  return facts.owners < 2 || new Set(breaker.failures.map((each) => each.userId)).size >= 2
}
