// What a visit asked of its host, counted for the ledger of politeness.
import type { VisitTally } from '../domain/politeness.ts'
import type { FetchResult } from '../ports/fetcher.ts'
import type { VisitRequest } from '../ports/reader.ts'

interface Asked {
  readonly request: VisitRequest
  /** null: the fetcher broke. */
  readonly result: FetchResult | null
  /** Hops that other lanes counted already. */
  readonly hopsBefore: number
  readonly startedAt: number
  readonly completedAt: number
}

export function counted(tally: VisitTally | null, { request, result, hopsBefore, ...times }: Asked): VisitTally {
  const { etag = null, lastModified = null } = request.validators ?? {}
  const isError = result === null || result.kind === 'status' || result.kind === 'failed'
  return {
    requests: (tally?.requests ?? 0) + requestsOf(result, hopsBefore),
    conditional: (tally?.conditional ?? 0) + (etag !== null || lastModified !== null ? 1 : 0),
    notModified: (tally?.notModified ?? 0) + (result?.kind === 'not-modified' ? 1 : 0),
    throttled: (tally?.throttled ?? 0) + (result?.kind === 'status' && result.status === 429 ? 1 : 0),
    failures: (tally?.failures ?? 0) + (isError ? 1 : 0),
    bytes: (tally?.bytes ?? 0) + (result !== null && 'wireBytes' in result ? result.wireBytes : 0),
    startedAt: tally?.startedAt ?? times.startedAt,
    completedAt: times.completedAt,
  }
}

/** Redirects within the host are followed in one visit; each hop was an answer, and so is what came last. */
function requestsOf(result: FetchResult | null, hopsBefore: number): number {
  if (result === null || result.kind === 'aborted') return 1
  const hops = result.trail.length - hopsBefore
  return Math.max(1, result.kind === 'elsewhere' ? hops : hops + 1)
}
