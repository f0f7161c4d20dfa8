// What the steps of a page's visit share: what they need, and how it can end.
import { NULL_LANE } from '../../domain/lane.ts'
import type { Failure } from '../../domain/outcome.ts'
import { HOUR_MS } from '../../domain/schedule.ts'
import type { Documents } from '../../ports/documents.ts'
import type { Log } from '../../ports/log.ts'
import type { PageResult } from '../../ports/page-store.ts'
import type { PutOff, VisitResult } from '../../ports/reader.ts'
import type { Store } from '../../ports/store.ts'
import { type CloseLaneDeps, closeLane } from '../lanes/close-lane.ts'
import type { PollVisit, VisitDeps } from '../visit/visit.ts'

export interface FetchPageDeps extends VisitDeps {
  readonly clock: CloseLaneDeps['clock']
  readonly rules: CloseLaneDeps['rules']
  readonly store: Store
  readonly documents: Documents
  readonly log: Log
}

/** How a visit can end. `again`: it counts as no try. */
export type PageEnd =
  | ({ readonly kind: 'finished' } & Omit<PageResult, 'events'>)
  | { readonly kind: 'failure'; readonly failure: Failure }
  | { readonly kind: 'again'; readonly at: number }
  | { readonly kind: 'given-up' }

export const NOTHING_FOUND = {
  kind: 'finished',
  text: null,
  html: null,
  image: null,
  language: null,
  usagePreferences: null,
} as const

/** A host whose breaker is not closed is not asked for pages. */
export async function heldBack({ store, clock }: FetchPageDeps, lane: string): Promise<PutOff | null> {
  const host = await store.hostState(lane)
  if (!host || host.breaker.state === 'closed') return null
  return { until: clock.now() + HOUR_MS, reason: `${lane} does not answer`, lane, because: 'breaker' }
}

/** Whatever the host says about being asked is kept to. */
export async function obeyHost(deps: FetchPageDeps, answer: VisitResult, visit: PollVisit): Promise<void> {
  if ('headers' in answer) await closeLane(deps, visit.visited?.lane ?? NULL_LANE, answer)
}

export function endOf(answer: Exclude<VisitResult, { kind: 'body' }>): PageEnd {
  switch (answer.kind) {
    case 'status':
    case 'failed':
      return { kind: 'failure', failure: answer.failure }
    case 'put-off':
      return { kind: 'again', at: answer.until }
    case 'given-up':
      return { kind: 'given-up' }
    case 'not-modified':
      return { kind: 'failure', failure: { code: 'unexpected', httpStatus: 304, reason: 'an answer without a page' } }
  }
}
