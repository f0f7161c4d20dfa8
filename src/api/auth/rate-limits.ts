// How often a user without admin rights may make the product ask somebody else. By the injected clock: a rule.
import type { Clock } from '../../ports/clock.ts'
import { TooMany } from '../http/problem-answers.ts'
import type { Who } from '../route.ts'

const WINDOW_MS = 60_000
const REMEMBERED = 10_000

interface Rate {
  readonly key: string
  readonly perMinute: number
  readonly what: string
}

export interface Rates {
  preview(who: Who): void
  poll(who: Who, sourceId: string): void
}

export function createRates(clock: Clock): Rates {
  const uses = new Map<string, number[]>()

  function recent(key: string): number[] {
    const now = clock.now()
    return (uses.get(key) ?? []).filter((at) => at <= now && now - at < WINDOW_MS)
  }

  /** All or none: a refused use of one rate is not counted by the others. */
  function take(who: Who, rates: readonly Rate[]): void {
    if (who.admin) return
    for (const { key, perMinute, what } of rates) {
      const [oldest, ...others] = recent(key)
      if (oldest !== undefined && others.length + 1 >= perMinute) {
        throw new TooMany(`At most ${perMinute} ${what} a minute.`, oldest + WINDOW_MS - clock.now())
      }
    }
    for (const { key } of rates) uses.set(key, [...recent(key), clock.now()])
    if (uses.size > REMEMBERED) for (const key of uses.keys()) if (recent(key).length === 0) uses.delete(key)
  }

  return {
    preview(who) {
      take(who, [{ key: `preview ${who.tokenId}`, perMinute: 10, what: 'previews and discoveries' }])
    },
    poll(who, sourceId) {
      take(who, [
        { key: `poll ${sourceId}`, perMinute: 1, what: 'manual poll of a source' },
        { key: `polls ${who.userId}`, perMinute: 30, what: 'manual polls' },
      ])
    },
  }
}
