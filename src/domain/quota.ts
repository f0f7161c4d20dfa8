// What a server says about the requests that it still allows, on any answer. A quota that is spent closes the lane until
// it is filled again; one that is not is spread over the time it has to last.
//   RateLimit: "minute";r=0;t=30                         the draft of the IETF, one item per quota
//   RateLimit: limit=100, remaining=0, reset=50          an older draft
//   RateLimit-Remaining, RateLimit-Reset                 the oldest; also as X-RateLimit-*
// A quota that does not say when it is filled again says nothing.
import { LONGEST_DELAY_MS } from './spacing.ts'
import { parameter, parseNumber, RESET_HEADERS, resetInstant } from './throttle.ts'

export type QuotaWord =
  | { readonly kind: 'leave-alone'; readonly until: number; readonly reason: string }
  | { readonly kind: 'slow-down'; readonly delayMs: number; readonly reason: string }

interface Quota {
  readonly remaining: number
  readonly waitMs: number
}

type Headers = Readonly<Record<string, string>>

/** The strictest word of all quotas; null: none, or none that matters. */
export function quotaWord(headers: Headers, now: number): QuotaWord | null {
  const quotas = [...structured(headers.ratelimit, now), ...inHeaders(headers, now)].filter(({ waitMs }) => waitMs > 0)
  const spentMs = Math.max(0, ...quotas.filter(({ remaining }) => remaining === 0).map(({ waitMs }) => waitMs))
  if (spentMs > 0) {
    return { kind: 'leave-alone', until: now + Math.ceil(spentMs), reason: 'says that our quota is spent' }
  }
  const [strictest] = quotas.sort((a, b) => paceMs(b) - paceMs(a))
  if (!strictest) return null
  const delayMs = Math.ceil(paceMs(strictest))
  const seconds = Math.ceil(strictest.waitMs / 1000)
  const reason = `has a quota of ${strictest.remaining} more requests in ${seconds} s`
  // Spacing is never longer than that: what is longer would look like the work of a clock that was set back.
  return delayMs > LONGEST_DELAY_MS
    ? { kind: 'leave-alone', until: now + delayMs, reason }
    : { kind: 'slow-down', delayMs, reason }
}

function paceMs({ remaining, waitMs }: Quota): number {
  return waitMs / remaining
}

function structured(value: string | undefined, now: number): Quota[] {
  if (value === undefined) return []
  const named = (name: string) => new RegExp(`(?:^|[,;\\s])${name}\\s*=\\s*([\\d.]+)`, 'i').exec(value)?.[1]
  const older = quota(named('remaining'), named('reset'), now)
  if (older) return [older]
  return value.split(',').flatMap((item) => {
    const [remaining, waitSeconds] = [parameter(item, 'r'), parameter(item, 't')]
    return remaining === null || waitSeconds === null ? [] : [{ remaining, waitMs: waitSeconds * 1000 }]
  })
}

/** Not the X-Rate-Limit-* of X: a key's quotas there are by endpoint, and a lane asks several. */
const FAMILIES = ['ratelimit', 'x-ratelimit']

function inHeaders(headers: Headers, now: number): Quota[] {
  return FAMILIES.flatMap((family) => {
    const resets = RESET_HEADERS.filter((name) => name.startsWith(`${family}-`))
    const reset = resets.map((name) => headers[name]).find((value) => value !== undefined)
    return quota(headers[`${family}-remaining`], reset, now) ?? []
  })
}

function quota(remaining: string | undefined, reset: string | undefined, now: number): Quota | null {
  const left = parseNumber(remaining ?? '')
  const until = resetInstant(now, reset)
  return left === null || until === null ? null : { remaining: left, waitMs: until - now }
}
