// Counts the requests of a visit, for the figures that show how politely a host is treated.
import type { VisitTally } from '../../domain/politeness.ts'
import type { FetchResult } from '../../ports/fetcher.ts'
import type { VisitRequest } from '../../ports/reader.ts'
import { withoutFragment } from './without-fragment.ts'

interface Asked {
  readonly request: Pick<VisitRequest, 'validators'>
  /** Where this lane was asked first. */
  readonly url: string
  /** null: the fetcher threw. */
  readonly result: FetchResult | null
  /** Hops that other lanes counted already. */
  readonly hopsBefore: number
  readonly startedAt: number
  readonly completedAt: number
}

/** An address that our own guard refuses is never connected to. Redirects that led to it were answers. */
export function wasSent({ result, hopsBefore }: Pick<Asked, 'result' | 'hopsBefore'>): boolean {
  const isRefused = result?.kind === 'failed' && result.failure.code === 'refused-address'
  return !isRefused || result.trail.length > hopsBefore
}

export function counted(tally: VisitTally | null, asked: Asked): VisitTally {
  const { request, result, ...times } = asked
  const addresses = addressesOf(asked)
  const isError = result === null || result.kind === 'status' || result.kind === 'failed'
  return {
    requests: (tally?.requests ?? 0) + addresses.length,
    conditional: (tally?.conditional ?? 0) + addresses.filter((address) => isConditional(request, address)).length,
    notModified: (tally?.notModified ?? 0) + (result?.kind === 'not-modified' ? 1 : 0),
    throttled: (tally?.throttled ?? 0) + (result?.kind === 'status' && result.status === 429 ? 1 : 0),
    failures: (tally?.failures ?? 0) + (isError ? 1 : 0),
    bytes: (tally?.bytes ?? 0) + (result !== null && 'wireBytes' in result ? result.wireBytes : 0),
    startedAt: tally?.startedAt ?? times.startedAt,
    completedAt: times.completedAt,
  }
}

/** Redirects within the host are followed in one visit; each hop was an answer, and so is what came last. */
function addressesOf({ url, result, hopsBefore }: Asked): readonly string[] {
  if (result === null || result.kind === 'aborted') return [url]
  const hops = result.trail.slice(hopsBefore).map(({ from }) => from)
  if (result.kind !== 'elsewhere') return [...hops, result.url]
  return hops.length > 0 ? hops : [url]
}

/** Validators go to the address that gave them, and not to those on the way there. */
function isConditional({ validators }: Asked['request'], address: string): boolean {
  if (!validators || (validators.etag === null && validators.lastModified === null)) return false
  return validators.from === undefined || withoutFragment(validators.from) === withoutFragment(address)
}
