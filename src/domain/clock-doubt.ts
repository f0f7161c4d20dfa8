// A clock that is wrong must not delete anything. When a tick finds itself days after the last one, either nobody polled
// for days or the clock jumped; nothing is deleted by age until it is known which.
import { DAY_MS, HOUR_MS } from './schedule.ts'

const JUMP_MS = 2 * DAY_MS
/** So many ticks without another jump: nobody noticed anything wrong for a day. */
const DOUBT_MS = DAY_MS
const AGREEING_HOSTS = 2
const AGREES_WITHIN_MS = HOUR_MS

export interface ClockFacts {
  /** Of any process on this store. */
  readonly lastTickAt: number | null
  readonly doubtedSince: number | null
  /** Hosts whose clocks agree with ours since then. */
  readonly agreeing: number
}

/** Since when the clock is in doubt; null: it is trusted. */
export function clockDoubtedSince({ lastTickAt, doubtedSince, agreeing }: ClockFacts, now: number): number | null {
  if (lastTickAt !== null && now - lastTickAt > JUMP_MS) return now
  // A doubt from the future ends with the clock that was wrong.
  if (doubtedSince === null || doubtedSince > now) return null
  return agreeing >= AGREEING_HOSTS || now - doubtedSince >= DOUBT_MS ? null : doubtedSince
}

/** `stated`: the Date header of an answer. */
export function clocksAgree(stated: string, now: number): boolean {
  return Math.abs(Date.parse(stated) - now) <= AGREES_WITHIN_MS
}
