// Limits how often a user without admin rights may cause a request to another server, by a test fetch or a manual poll.
// Counted by the injected clock, because it is a rule.
import type { Clock } from '../../ports/clock.ts'
import { TooManyRequests } from '../http/problem-answers.ts'
import type { Caller } from '../route.ts'

const WINDOW_MS = 60_000
const MAX_KEYS = 10_000

interface RateLimit {
  readonly key: string
  readonly perMinute: number
  readonly what: string
}

export interface RateLimits {
  /** A preview, adding or changing a source whose address is tested, or a test message to a webhook. */
  testFetch(caller: Caller): void
  poll(caller: Caller, sourceId: string): void
}

export function createRateLimits(clock: Clock): RateLimits {
  const uses = new Map<string, number[]>()

  function recent(key: string): number[] {
    const now = clock.now()
    return (uses.get(key) ?? []).filter((at) => at <= now && now - at < WINDOW_MS)
  }

  /** Counts for all limits or for none: a use that one limit refuses is not counted by the others. */
  function count(caller: Caller, rateLimits: readonly RateLimit[]): void {
    if (caller.admin) return
    for (const { key, perMinute, what } of rateLimits) {
      const [oldest, ...others] = recent(key)
      if (oldest !== undefined && others.length + 1 >= perMinute) {
        throw new TooManyRequests(`At most ${perMinute} ${what} a minute.`, oldest + WINDOW_MS - clock.now())
      }
    }
    for (const { key } of rateLimits) uses.set(key, [...recent(key), clock.now()])
    if (uses.size > MAX_KEYS) for (const key of uses.keys()) if (recent(key).length === 0) uses.delete(key)
  }

  return {
    testFetch(caller) {
      // By user, not by token: anybody can create more tokens.
      count(caller, [
        { key: `test ${caller.userId}`, perMinute: 10, what: 'previews, tested addresses and test messages' },
      ])
    },
    poll(caller, sourceId) {
      count(caller, [
        { key: `poll ${sourceId}`, perMinute: 1, what: 'manual poll of a source' },
        { key: `polls ${caller.userId}`, perMinute: 30, what: 'manual polls' },
      ])
    },
  }
}
