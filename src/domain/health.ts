// The health of a source, and what the outcome of a poll does to it. Transient failures never disable a source; N
// permanent ones in a row do.
import { classOf, type Failure, failureName } from './outcome.ts'
import type { Source, SourceState } from './source.ts'

export const SOURCE_HEALTHS = ['ok', 'failing', 'disabled', 'quiet', 'new'] as const
export type SourceHealth = (typeof SOURCE_HEALTHS)[number]
/** The order of a list that is sorted by health. */
export const URGENT_FIRST: readonly SourceHealth[] = ['failing', 'disabled', 'quiet', 'new', 'ok']

type HealthFacts = Pick<Source, 'enabled' | 'consecutiveFailures' | 'lastSucceededAt' | 'quietSince'>

/** The list's filter asks the same of the database: storage/sources/health-conditions.ts. */
export function healthOf(source: HealthFacts): SourceHealth {
  if (!source.enabled) return 'disabled'
  if (source.consecutiveFailures > 0) return 'failing'
  if (source.lastSucceededAt === null) return 'new'
  return source.quietSince === null ? 'ok' : 'quiet'
}

type Failures = Pick<
  SourceState,
  'consecutiveFailures' | 'permanentRun' | 'lastFailureType' | 'lastFailureReason' | 'disabledReason'
>

export const GOOD_HEALTH: Failures = {
  consecutiveFailures: 0,
  permanentRun: [],
  lastFailureType: null,
  lastFailureReason: null,
  disabledReason: null,
}

/** A success clears the failures. It does not enable: a disabled source that a person polls stays disabled. */
export function afterSuccess(source: Pick<Source, 'disabledReason'>): Failures {
  return { ...GOOD_HEALTH, disabledReason: source.disabledReason }
}

export interface FailureRules {
  readonly maxFailures: number
  /** False while a run of failures may be our own outage: counted, but nobody is disabled for it. */
  readonly mayDisable: boolean
}

export function afterFailure(
  source: Pick<Source, 'enabled' | 'maxFailures' | 'consecutiveFailures' | 'permanentRun' | 'disabledReason'>,
  failure: Failure,
  rules: FailureRules,
): Failures & { readonly enabled: boolean } {
  const failureClass = classOf(failure)
  const limit = source.maxFailures ?? rules.maxFailures
  // A transient failure restarts the permanent run, but not the count that backing off goes by.
  // Only the last N matter: a disabled source that a script polls for ever must not grow its row.
  const permanentRun = failureClass === 'permanent' ? [...source.permanentRun, failureName(failure)].slice(-limit) : []
  const disables = source.enabled && rules.mayDisable && permanentRun.length >= limit
  return {
    consecutiveFailures: source.consecutiveFailures + 1,
    permanentRun,
    lastFailureType: failureClass,
    lastFailureReason: failure.reason,
    enabled: source.enabled && !disables,
    disabledReason: disables ? disabledReason(permanentRun) : source.disabledReason,
  }
}

/** Whether it was auto-disabled, and all failures that did it have one of these names. */
export function wasDisabledFor(
  { enabled, disabledReason: reason, permanentRun: run }: Pick<Source, 'enabled' | 'disabledReason' | 'permanentRun'>,
  names: readonly string[],
): boolean {
  return !enabled && reason !== null && run.length > 0 && run.every((name) => names.includes(name))
}

function disabledReason(run: readonly string[]): string {
  const kinds = [...new Set(run)]
  const errors = run.length === 1 ? 'error' : 'errors'
  const what = kinds.length === 1 ? `${kinds[0]} ${errors}` : `permanent ${errors} (${kinds.join(', ')})`
  return `Auto-disabled after ${run.length} consecutive ${what}`
}
