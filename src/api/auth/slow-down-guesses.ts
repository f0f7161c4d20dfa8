// Guessing tokens gets slower with each wrong guess from one address. Waiting is real time: it protects sockets,
// not rules. Bounded: at most so many addresses are remembered, so many guesses of one address kept waiting, and so
// many of all. Whoever has an IPv6 network has all its addresses, so the network counts as one.
import { isIPv6 } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { TooMany } from '../http/problem-answers.ts'

export interface SlowDown {
  /** Counts a wrong guess. */
  failed(address: string): WrongGuess
}

export interface WrongGuess {
  /** How many came from there, this one included, since the last pause of 15 minutes. */
  readonly inARow: number
  /** Too many are waiting already: this one is turned away at once. */
  readonly crowded: boolean
  /** Resolves when it may be answered; throws TooMany when crowded. */
  wait(closing: AbortSignal): Promise<void>
}

const FREE_FAILURES = 3
const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 5_000
const FORGOTTEN_AFTER_MS = 15 * 60_000
const ADDRESSES = 10_000
const WAITING = 20
const WAITING_IN_ALL = 1_000

export function createSlowDown(now: () => number = () => performance.now()): SlowDown {
  const failures = new Map<string, { count: number; at: number; waiting: number }>()
  let waitingInAll = 0

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
    failed(address) {
      const entry = noted(networkOf(address))
      const crowded = entry.waiting >= WAITING || waitingInAll >= WAITING_IN_ALL
      const delayMs = delayAfter(entry.count)
      return {
        inARow: entry.count,
        crowded,
        async wait(closing) {
          if (crowded) throw new TooMany('Too many wrong tokens.', LONGEST_DELAY_MS)
          if (delayMs === 0 || closing.aborted) return
          entry.waiting += 1
          waitingInAll += 1
          await setTimeout(delayMs, undefined, { signal: closing, ref: false }).catch(() => {})
          entry.waiting -= 1
          waitingInAll -= 1
        },
      }
    },
  }
}

export function delayAfter(failures: number): number {
  if (failures <= FREE_FAILURES) return 0
  return Math.min(FIRST_DELAY_MS * 2 ** Math.min(failures - FREE_FAILURES - 1, 20), LONGEST_DELAY_MS)
}

/** An IPv4 address as it is; of an IPv6 address its /64. */
export function networkOf(address: string): string {
  const ipv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (ipv4 !== undefined || !isIPv6(address)) return ipv4 ?? address
  const [head = '', tail] = address.replace(/%.*$/, '').toLowerCase().split('::')
  const [left, right] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = new Array<string>(tail === undefined ? 0 : 8).fill('0')
  const groups = [...(left ?? []), ...zeros.slice((left?.length ?? 0) + (right?.length ?? 0)), ...(right ?? [])]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
