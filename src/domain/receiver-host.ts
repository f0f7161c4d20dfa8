// How a host that receives messages is spared while it fails. After five failures in a row all its deliveries wait: a
// minute, then twice as long each time, up to an hour. Then one delivery is the probe. A success ends the waiting. Pure.
import { hostOf } from './address.ts'
import type { Webhook } from './webhook.ts'

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

/**
 * Of a webhook, or of what may be shown of a notifier's target. All mail goes to one server, whoever it is for. That server
 * is apart from a web server of the same name: a webhook that fails must not hold up the mail of everybody.
 */
export function receiverHostOf({ kind, url }: Pick<Webhook, 'kind' | 'url'>, mailUrl: string | null): string {
  if (kind !== 'email') return hostOf(url) ?? url
  const server = URL.parse(mailUrl ?? '')?.hostname.toLowerCase()
  return server ? `smtp://${server}` : url
}

/** From when on the next delivery may start; null: it need not be waited for. */
export function waitEndsAt({ waitUntil }: ReceiverHost, now: number): number | null {
  // The clock was set back since: nobody is made to wait longer than an hour.
  return waitUntil !== null && waitUntil > now + LONGEST_WAIT_MS ? now : waitUntil
}

/** How many deliveries to the host may be in flight now. */
export function deliveriesAtOnce(host: ReceiverHost, now: number): number {
  const waitsUntil = waitEndsAt(host, now)
  if (waitsUntil === null) return AT_ONCE
  return now >= waitsUntil ? 1 : 0
}

/** A test message is a probe that a person asks for: it does not wait. */
export function testsAtOnce({ waitUntil }: ReceiverHost): number {
  return waitUntil === null ? AT_ONCE : 1
}

export function afterDelivery(host: ReceiverHost, succeeded: boolean, now: number): ReceiverHost {
  if (succeeded) return GOOD_RECEIVER
  // It was on its way when the waiting began, and says nothing new.
  if (now < (waitEndsAt(host, now) ?? now)) return host
  const failures = host.failures + 1
  if (failures < FAILURES_BEFORE_WAITING) return { failures, waitUntil: null }
  // Beyond an hour after a few; a larger exponent would only overflow.
  const waitMs = FIRST_WAIT_MS * 2 ** Math.min(failures - FAILURES_BEFORE_WAITING, 10)
  return { failures, waitUntil: now + Math.min(waitMs, LONGEST_WAIT_MS) }
}

export type ReceiverChange = 'begins-to-wait' | 'is-back'

export function receiverChange(before: ReceiverHost, after: ReceiverHost): ReceiverChange | null {
  if ((before.waitUntil === null) === (after.waitUntil === null)) return null
  return after.waitUntil === null ? 'is-back' : 'begins-to-wait'
}
