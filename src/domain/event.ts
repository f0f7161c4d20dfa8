// Events are rows, written in the transaction of what they tell about; SSE, webhooks and metrics read them.

export const EVENT_TYPES = [
  'poll.finished',
  'posts.created',
  'source.created',
  'source.disabled',
  'source.enabled',
  'source.moved',
  'host.opened',
  'host.closed',
  'outage.started',
  'outage.ended',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export interface NewEvent {
  readonly type: EventType
  readonly at: number
  /** Whose event it is; null for events about a host or the whole system. */
  readonly userId: string | null
  readonly podcastId: string | null
  readonly sourceId: string | null
  readonly host: string | null
  /** What else a listener wants to know: url, counts, reasons. Never a credential. */
  readonly data: Readonly<Record<string, unknown>>
}

export interface StoredEvent extends NewEvent {
  /** Decimal string; goes up in commit order. */
  readonly id: string
}

/** What is told of a host or of the whole system to somebody who sees only the own things. */
const TOLD_OF_HOSTS = ['reason', 'since', 'probeAt', 'by']
const TOLD_OF_SYSTEM = ['since']

/** The event as this user may see it, or null. `ownsHost`: whether a source of the user's is on the event's host. */
export function seenBy(event: StoredEvent, userId: string, ownsHost: boolean): StoredEvent | null {
  if (event.userId !== null) return event.userId === userId ? event : null
  if (event.host !== null && !ownsHost) return null
  return { ...event, data: only(event.data, event.host === null ? TOLD_OF_SYSTEM : TOLD_OF_HOSTS) }
}

function only(data: StoredEvent['data'], keys: readonly string[]): StoredEvent['data'] {
  return Object.fromEntries(Object.entries(data).filter(([key]) => keys.includes(key)))
}
