// How a host that receives webhooks is spared while it fails. After five failures in a row all its deliveries wait: a
// minute, then twice as long each time, up to an hour. Then one delivery is the probe. A success ends the waiting. Pure.

const FAILURES_BEFORE_WAITING = 5
const FIRST_WAIT_MS = 60_000
const LONGEST_WAIT_MS = 3_600_000
const AT_ONCE = 2

export interface ReceiverHost {
  /** Deliveries in a row that failed, whatever their webhook. */
  readonly failures: number
  /** null: it need not be waited for. */
  readonly waitUntil: number | null
}

export const GOOD_RECEIVER: ReceiverHost = { failures: 0, waitUntil: null }

export function isSpared({ waitUntil }: ReceiverHost): boolean {
  return waitUntil !== null
}

/** How many deliveries to the host may be in flight now. */
export function deliveriesAtOnce(host: ReceiverHost, now: number): number {
  if (host.waitUntil === null) return AT_ONCE
  return now >= host.waitUntil ? 1 : 0
}

export function afterDelivery(host: ReceiverHost, succeeded: boolean, now: number): ReceiverHost {
  if (succeeded) return GOOD_RECEIVER
  // It was on its way when the waiting began, and says nothing new.
  if (host.waitUntil !== null && now < host.waitUntil) return host
  const failures = host.failures + 1
  if (failures < FAILURES_BEFORE_WAITING) return { failures, waitUntil: null }
  // Beyond an hour after a few; a larger exponent would only overflow.
  const waitMs = FIRST_WAIT_MS * 2 ** Math.min(failures - FAILURES_BEFORE_WAITING, 10)
  return { failures, waitUntil: now + Math.min(waitMs, LONGEST_WAIT_MS) }
}
