// The clock of the system, used unless a caller passes its own clock.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from './ports/clock.ts'

/** A longer timer would overflow and fire at once. Waking early is harmless: the caller checks the time again. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await sleep(Math.min(ms, LONGEST_TIMER_MS), undefined, signal ? { signal } : {})
  },
}

/** Rounds down to whole milliseconds, because all timestamps inside Tidings are whole numbers. */
export function wholeMilliseconds(clock: Clock): Clock {
  return { now: () => Math.floor(clock.now()), sleep: (ms, signal) => clock.sleep(ms, signal) }
}
