// Guessing tokens gets slower with each wrong guess from one address. Waiting is real time: it protects sockets,
// not rules. Bounded: at most so many addresses are remembered and so many guesses of one address kept waiting.
import { setTimeout } from 'node:timers/promises'
import { TooMany } from './problems.ts'

export interface SlowDown {
  /** Resolves when the wrong guess may be answered; throws TooMany when too many are waiting already. */
  afterFailure(address: string, closing: AbortSignal): Promise<void>
}

const FREE_FAILURES = 3
const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 5_000
const FORGOTTEN_AFTER_MS = 15 * 60_000
const ADDRESSES = 10_000
const WAITING = 20

export function createSlowDown(now: () => number = () => performance.now()): SlowDown {
  const failures = new Map<string, { count: number; at: number; waiting: number }>()

  function noted(address: string) {
    const known = failures.get(address)
    const fresh = known && now() - known.at < FORGOTTEN_AFTER_MS
    const entry = fresh ? known : { count: 0, at: 0, waiting: 0 }
    entry.count += 1
    entry.at = now()
    // The latest goes last, so that the first is the one to forget.
    failures.delete(address)
    failures.set(address, entry)
    for (const oldest of failures.keys()) {
      if (failures.size <= ADDRESSES) break
      failures.delete(oldest)
    }
    return entry
  }

  return {
    async afterFailure(address, closing) {
      const entry = noted(address)
      if (entry.waiting >= WAITING) throw new TooMany('Too many wrong tokens from this address.', LONGEST_DELAY_MS)
      const delayMs = delayAfter(entry.count)
      if (delayMs === 0 || closing.aborted) return
      entry.waiting += 1
      await setTimeout(delayMs, undefined, { signal: closing, ref: false }).catch(() => {})
      entry.waiting -= 1
    },
  }
}

export function delayAfter(failures: number): number {
  if (failures <= FREE_FAILURES) return 0
  return Math.min(FIRST_DELAY_MS * 2 ** Math.min(failures - FREE_FAILURES - 1, 20), LONGEST_DELAY_MS)
}
