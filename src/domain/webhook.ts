// A webhook: where a user's events are sent. Messages are tried again, further and further apart, until they are a day
// old; then they are dead letters, which can be looked at and sent once more. Pure.
import type { EventType } from './event.ts'
import type { Post } from './post.ts'
import { DAY_MS } from './schedule.ts'

/** A message that carries posts is no larger than this. */
export const MAX_MESSAGE_BYTES = 256 * 1024

const FIRST_RETRY_MS = 10_000
const GROWTH = 3
const GIVEN_UP_AFTER_MS = DAY_MS

export const NOTIFIER_KINDS = ['ntfy', 'slack', 'email'] as const
export type NotifierKind = (typeof NOTIFIER_KINDS)[number]

/** What a notifier tells unless a person chooses: what may need somebody. */
export const NOTIFIED_BY_DEFAULT: readonly EventType[] = [
  'source.disabled',
  'host.opened',
  'outage.started',
  'outage.ended',
  'source.quiet',
  'source.gap',
]

/** A post as messages carry it. */
export interface CarriedPost extends Post {
  readonly sourceTitle: string | null
  readonly fullText: string | null
}

export interface Webhook {
  readonly id: string
  /** A notifier sends words for people. Its `url` is what may be shown of its target, which is a secret. */
  readonly kind: 'webhook' | NotifierKind
  readonly userId: string
  readonly url: string
  readonly types: readonly EventType[]
  /** Messages about new posts, and about full texts that arrived, carry the posts. */
  readonly includePosts: boolean
  /** Made with admin rights or with authentication off: `allow-private-networks` counts for it. */
  readonly trusted: boolean
  /** Attempts in a row that failed, whatever their message. */
  readonly failures: number
  readonly disabledAt: number | null
  readonly disabledReason: string | null
  readonly createdAt: number
}

/** A message for one webhook; the id stays the same in retries and replays. */
export interface Delivery {
  readonly webhookId: string
  readonly eventId: string
  readonly messageId: string
  readonly type: EventType
  readonly payload: string
  readonly createdAt: number
  readonly attempts: number
  readonly firstAttemptAt: number | null
  readonly lastAttemptAt: number | null
  readonly lastStatus: number | null
  readonly lastError: string | null
  /** null: given up, a dead letter. */
  readonly nextAt: number | null
}

/** When to try again after the attempt that failed just now, or null to give up. `hint`: what a Retry-After asks for. */
export function retryAt(
  attempted: { readonly attempts: number; readonly firstAttemptAt: number },
  now: number,
  hint: number | null = null,
): number | null {
  const end = attempted.firstAttemptAt + GIVEN_UP_AFTER_MS
  if (now >= end) return null
  // Beyond a day at any count; a larger exponent would only overflow.
  const delayMs = FIRST_RETRY_MS * GROWTH ** Math.min(attempted.attempts - 1, 30)
  return Math.min(Math.max(now + delayMs, hint ?? 0), end)
}
