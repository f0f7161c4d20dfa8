// Limits how often a user without admin rights may cause a request to another server, by a test fetch or a manual poll.
// Counted by the injected clock, because it is a rule. Test fetches ask hosts that nobody may have asked before, so all
// processes count them together; manual polls go through the lane of their host, and each process counts its own.
import { nextUseAt, recentUses } from '../../domain/uses-per-minute.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'
import { TooManyRequests } from '../http/problem-answers.ts'
import type { Caller } from '../route.ts'

const TEST_FETCHES_PER_MINUTE = 10
const MAX_KEYS = 10_000

interface RateLimit {
  readonly key: string
  readonly perMinute: number
  readonly what: string
}

export interface RateLimits {
  /** A preview, adding or changing a source whose address is tested, or a test message to a webhook. */
  testFetch(caller: Caller): Promise<void>
  poll(caller: Caller, sourceId: string): void
}

export function createRateLimits(clock: Clock, store: Pick<Store, 'takeTestFetch'>): RateLimits {
  const uses = new Map<string, readonly number[]>()
  const recent = (key: string) => recentUses(uses.get(key) ?? [], clock.now())

  /** Counts for all limits or for none: a use that one limit refuses is not counted by the others. */
  function count(caller: Caller, rateLimits: readonly RateLimit[]): void {
    if (caller.admin) return
    for (const { key, perMinute, what } of rateLimits) {
      refuseUntil(nextUseAt(recent(key), perMinute, clock.now()), `At most ${perMinute} ${what} a minute.`)
    }
    for (const { key } of rateLimits) uses.set(key, [...recent(key), clock.now()])
    if (uses.size > MAX_KEYS) for (const key of uses.keys()) if (recent(key).length === 0) uses.delete(key)
  }

  function refuseUntil(until: number | null, detail: string): void {
    if (until !== null) throw new TooManyRequests(detail, until - clock.now())
  }

  return {
    async testFetch({ admin, userId }) {
      if (admin) return
      // By user, not by token: anybody can create more tokens.
      const until = await store.takeTestFetch(userId, TEST_FETCHES_PER_MINUTE, clock.now())
      refuseUntil(until, `At most ${TEST_FETCHES_PER_MINUTE} previews, tested addresses and test messages a minute.`)
    },
    poll(caller, sourceId) {
      count(caller, [
        { key: `poll ${sourceId}`, perMinute: 1, what: 'manual poll of a source' },
        { key: `polls ${caller.userId}`, perMinute: 30, what: 'manual polls' },
      ])
    },
  }
}
