// Turns a host into its answer: its sources, how often it is asked, how it responds, and until when it waits.
import { underRules } from '../../domain/breaker.ts'
import type { BreakerRules } from '../../domain/breaker-window.ts'
import { hostFreeAt } from '../../domain/forecast.ts'
import { spacingEndsFor } from '../../domain/owner-spacing.ts'
import { politenessOf } from '../../domain/politeness.ts'
import { closedUntil, type DelayRules, resolveDelay, spacingEndsAt } from '../../domain/spacing.ts'
import type { HostListing } from '../../ports/polling-store.ts'
import type { HostView } from './polling-answers.ts'
import { iso, isoOrNull } from './views.ts'

/** `viewer`: the user whose failures are shown; null: those of all users. */
export function hostView(
  { state, sources, due, example, day }: HostListing,
  rules: DelayRules & { readonly breaker: BreakerRules },
  now: number,
  viewer: string | null,
): HostView {
  const delay = example ? resolveDelay(example, example.host, rules) : { seconds: 0, from: 'none' }
  const closed = closedUntil(state, now)
  // As the viewer's own sources wait, or those of the example's owner.
  const owner = viewer ?? example?.userId ?? null
  const spacingEnds = owner === null ? spacingEndsAt(state, now) : spacingEndsFor(state, owner, now)
  const spacing = spacingEnds > now ? spacingEnds : null
  const quota = (state.quotaUntil ?? 0) >= spacingEnds ? state.quotaReason : null
  const spacingReason = quota ?? 'spacing'
  const notBefore = closed === null && spacing === null ? null : Math.max(closed ?? 0, spacing ?? 0)
  const breaker = underRules(state.breaker, rules.breaker)
  const window = breaker.failures.filter(({ userId }) => viewer === null || userId === viewer)
  return {
    host: state.lane,
    sources,
    due,
    delaySeconds: delay.seconds,
    delayFrom: delay.from,
    lastRequestAt: isoOrNull(state.lastRequestAt),
    notBefore: isoOrNull(notBefore),
    notBeforeReason:
      notBefore === null ? null : notBefore === closed ? (state.closedReason ?? 'closed') : spacingReason,
    breaker: {
      state: breaker.state,
      failures: breaker.inARow,
      since: isoOrNull(breaker.since),
      probeAt: isoOrNull(breaker.probeAt),
    },
    breakerWindow: window.map(({ sourceId, at, name }) => ({ sourceId, at: iso(at), failure: name })),
    lastSucceededAt: isoOrNull(state.lastSucceededAt),
    nextSlotAt: iso(Math.max(hostFreeAt({ ...state, breaker }, now), spacingEnds)),
    lastDay: { ...day },
    politeness: { ...politenessOf(day, delay.seconds * 1000) },
  }
}
