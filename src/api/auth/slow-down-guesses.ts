// Makes guessing tokens slow: each wrong guess from an address waits longer for its answer. The waiting is in real time,
// because it protects sockets. Memory and sockets are bounded: at most 10,000 addresses are remembered, 20 guesses of one
// address wait, and 1,000 of all. Whoever has an IPv6 network has all its addresses, so a /64 counts as one address.
import { isIPv6 } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { TooManyRequests } from '../http/problem-answers.ts'

export interface SlowDown {
  countWrongGuess(address: string): WrongGuess
}

export interface WrongGuess {
  /** How many came from this address, this one included, since it last paused for 15 minutes. */
  readonly inARow: number
  /** True if too many are waiting already. Then this one is refused at once. */
  readonly turnedAway: boolean
  /** Resolves when the guess may be answered. Throws TooManyRequests if it is turned away. */
  wait(closing: AbortSignal): Promise<void>
}

const FREE_FAILURES = 3
const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 5_000
const FORGET_AFTER_MS = 15 * 60_000
const MAX_ADDRESSES = 10_000
const MAX_WAITING_PER_ADDRESS = 20
const MAX_WAITING = 1_000

export function createSlowDown(now: () => number = () => performance.now()): SlowDown {
  const failures = new Map<string, { count: number; at: number; waiting: number }>()
  let waitingTotal = 0

  function entryOf(address: string) {
    const known = failures.get(address)
    const fresh = known && now() - known.at < FORGET_AFTER_MS
    const entry = fresh ? known : { count: 0, at: 0, waiting: 0 }
    entry.count += 1
    entry.at = now()
    // The newest goes to the end, so that the first is the oldest and is forgotten first.
    failures.delete(address)
    failures.set(address, entry)
    for (const oldest of failures.keys()) {
      if (failures.size <= MAX_ADDRESSES) break
      failures.delete(oldest)
    }
    return entry
  }

  return {
    countWrongGuess(address) {
      const entry = entryOf(networkOf(address))
      const turnedAway = entry.waiting >= MAX_WAITING_PER_ADDRESS || waitingTotal >= MAX_WAITING
      const delayMs = delayAfter(entry.count)
      return {
        inARow: entry.count,
        turnedAway,
        async wait(closing) {
          if (turnedAway) throw new TooManyRequests('Too many wrong tokens. Wait and try again.', LONGEST_DELAY_MS)
          if (delayMs === 0 || closing.aborted) return
          entry.waiting += 1
          waitingTotal += 1
          await setTimeout(delayMs, undefined, { signal: closing, ref: false }).catch(() => {})
          entry.waiting -= 1
          waitingTotal -= 1
        },
      }
    },
  }
}

export function delayAfter(failures: number): number {
  if (failures <= FREE_FAILURES) return 0
  return Math.min(FIRST_DELAY_MS * 2 ** Math.min(failures - FREE_FAILURES - 1, 20), LONGEST_DELAY_MS)
}

/** An IPv4 address stays as it is; an IPv6 address becomes its /64. */
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
