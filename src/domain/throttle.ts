// Until when a throttling server asks to be left alone: epoch ms, or null when it gives no usable hint.
// Only 429 and 503 throttle. Retry-After outweighs the RateLimit headers. A hint that is not in the future is no hint:
// the rules for an answer without one apply then. How far to follow a far one is for the caller to say.
import { parseHttpDate } from './http-date.ts'

export interface ThrottleAnswer {
  readonly now: number
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
}

/** In order of weight. */
export const RESET_HEADERS = ['ratelimit-reset', 'x-ratelimit-reset-after', 'x-ratelimit-reset', 'x-rate-limit-reset']
const REMAINING_HEADERS = ['ratelimit-remaining', 'x-ratelimit-remaining', 'x-rate-limit-remaining']
/** The last instant a Date can hold. */
const END_OF_TIME = 8_640_000_000_000_000

export function retryHint({ now, status, headers }: ThrottleAnswer): number | null {
  if (status !== 429 && status !== 503) return null
  const retryAfter = future(now, retryAfterInstant(now, headers['retry-after']))
  if (retryAfter !== null) return retryAfter
  // A 503 from a server with requests to spare is trouble of its own, not throttling.
  if (status === 503 && hasRequestsLeft(headers)) return null
  const structured = future(now, structuredReset(now, headers.ratelimit))
  if (structured !== null) return structured
  return RESET_HEADERS.map((name) => future(now, resetInstant(now, headers[name]))).find((it) => it !== null) ?? null
}

function retryAfterInstant(now: number, value: string | undefined): number | null {
  if (value === undefined) return null
  const secondsToWait = parseNumber(value)
  return secondsToWait !== null ? now + secondsToWait * 1000 : parseHttpDate(value, now)
}

/** The size tells a delay from an instant: nobody asks for 30 years, and no epoch in use is that small. */
export function resetInstant(now: number, value: string | undefined): number | null {
  if (value === undefined) return null
  const number = parseNumber(value)
  if (number === null) return parseHttpDate(value, now)
  if (number >= 100_000_000_000) return number
  return number >= 1_000_000_000 ? number * 1000 : now + number * 1000
}

/** `limit=100, remaining=0, reset=50` and `"minute";r=0;t=30, "day";r=5;t=4000`: of spent quotas the longest wait. */
function structuredReset(now: number, value: string | undefined): number | null {
  if (value === undefined) return null
  const simple = /(?:^|[,;\s])reset\s*=\s*(\d+)/i.exec(value)
  if (simple) return resetInstant(now, simple[1])
  const quotas = value.split(',').map((item) => ({
    remaining: parameter(item, 'r'),
    waitSeconds: parameter(item, 't'),
  }))
  const spent = quotas.filter(({ remaining }) => remaining === 0)
  const waits = (spent.length > 0 ? spent : quotas).map(({ waitSeconds }) => waitSeconds).filter((it) => it !== null)
  return waits.length > 0 ? now + Math.max(...waits) * 1000 : null
}

export function parameter(item: string, name: string): number | null {
  return parseNumber(new RegExp(`;\\s*${name}\\s*=\\s*([^;\\s]+)`, 'i').exec(item)?.[1] ?? '')
}

function hasRequestsLeft(headers: ThrottleAnswer['headers']): boolean {
  const stated = REMAINING_HEADERS.map((name) => parseNumber(headers[name] ?? '')).filter((it) => it !== null)
  return stated.length > 0 && stated.every((remaining) => remaining > 0)
}

export function parseNumber(text: string): number | null {
  return /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text.trim()) : null
}

function future(now: number, instant: number | null): number | null {
  return instant !== null && instant > now ? Math.min(Math.ceil(instant), END_OF_TIME) : null
}
