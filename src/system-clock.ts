// Real time, for whoever injects none.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from './ports/clock.ts'

/** Longer waits overflow a timer and would fire at once; waking early only means looking again. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await sleep(Math.min(ms, LONGEST_TIMER_MS), undefined, signal ? { signal } : {})
  },
}

/** Instants are whole milliseconds everywhere inside, whatever clock was handed in. */
export function wholeMilliseconds(clock: Clock): Clock {
  return { now: () => Math.floor(clock.now()), sleep: (ms, signal) => clock.sleep(ms, signal) }
}
