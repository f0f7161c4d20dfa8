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
