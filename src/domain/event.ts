// Events are rows, written in the transaction of what they report; server-sent events, webhooks and metrics read them.
// EVENTS is the table of all types. An entry says what the event is about, what its data holds, and which fields of the
// data other users may see. A new type of event is one entry here.
// See docs/decisions/0085-who-receives-which-events.md
import type { DailySummary } from './daily-summary-data.ts'
import type { PollRecord } from './outcome.ts'
import type { Source, SourceType } from './source.ts'

/** What an event is about. That also decides who hears of it (`seenBy`). */
interface Subjects {
  readonly source: {
    readonly userId: string
    readonly podcastId: string
    readonly sourceId: string
    readonly host: string | null
  }
  readonly user: { readonly userId: string; readonly podcastId: null; readonly sourceId: null; readonly host: null }
  /** `userId` is set when only that user asks the host: X is asked with each user's own key. */
  readonly host: {
    readonly userId: string | null
    readonly podcastId: null
    readonly sourceId: null
    readonly host: string
  }
  readonly system: { readonly userId: null; readonly podcastId: null; readonly sourceId: null; readonly host: null }
}

/** Never holds a credential. */
interface PollFinished
  extends Pick<
    PollRecord,
    'outcome' | 'httpStatus' | 'notModified' | 'created' | 'skipped' | 'bytes' | 'durationMs' | 'trigger' | 'reason'
  > {
  readonly url: string
  readonly type: SourceType
  /** Where it queued, as hosts are listed: the host, or the owner's key. */
  readonly lane: string | null
  /** How far behind its plan a scheduled poll started; null for other polls. */
  readonly lagMs: number | null
}

export type HostClosedReason =
  | 'it answers again'
  | 'it was our own outage'
  | 'reset by hand'
  | 'breakers are turned off'
  | 'it has no sources any more'
  | 'a new key was stored'

export type EnabledReason =
  | 'by a person'
  | 'a new key was stored'
  | 'it works again'
  | 'its host answers again'
  | 'its host is asked again'

interface HostClosed {
  readonly reason: HostClosedReason
  readonly sources: number
  /** When the breaker opened. */
  readonly since: string | null
}

const EVENTS = {
  'poll.finished': event<'source', PollFinished>(),
  /** `lastPostId`: the id of the newest of them, which is also a position. */
  'posts.created': event<'source', { url: string; count: number; lastPostId?: string }>(),
  /** The full text of these posts has arrived. */
  'posts.completed': event<'source', { url: string; postIds: readonly string[] }>(),
  'source.created': event<'source', { url: string; sourceType: SourceType; label: string | null }>(),
  'source.disabled': event<'source', { url: string; reason: string | null }>(),
  'source.enabled': event<'source', { url: string; reason: EnabledReason }>(),
  'source.quiet': event<'source', { url: string; quietSince: string; lastPublishedAt: string | null }>(),
  'source.active': event<'source', { url: string; quietSince: string }>(),
  'source.gap': event<'source', { url: string; intervalMinutes: number }>(),
  'source.moved': event<'source', { url: string; from: string }>(),
  'host.opened': event<'host', { reason: string; sources: number; probeAt: string | null }>('reason', 'probeAt'),
  'host.closed': event<'host', HostClosed>('reason', 'since'),
  'summary.daily': event<'user', DailySummary>(),
  'outage.started': event<'system', { since: string; hosts: readonly string[]; sources: number }>('since'),
  'outage.ended': event<'system', { since: string }>('since'),
}

export type EventType = keyof typeof EVENTS
export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[]

type Shape<T extends EventType> = NonNullable<(typeof EVENTS)[T]['shape']>

/** One member per type: an event with the data of another type does not compile. */
export type NewEvent<T extends EventType = EventType> = {
  [K in T]: { readonly type: K; readonly at: number; readonly data: Readonly<Shape<K>['data']> } & Shape<K>['subject']
}[T]

/** Somebody enabled it, or what had disabled it is over. */
export function sourceEnabled(
  { id: sourceId, userId, podcastId, host, url }: Pick<Source, 'id' | 'userId' | 'podcastId' | 'host' | 'url'>,
  at: number,
  reason: EnabledReason,
): NewEvent<'source.enabled'> {
  return { type: 'source.enabled', at, userId, podcastId, sourceId, host, data: { url, reason } }
}

/** As read from the store. Rows of an earlier version, and those shown to other users, may lack some of the data. */
export type StoredEvent<T extends EventType = EventType> = {
  [K in T]: {
    /** Decimal string; goes up in commit order. */
    readonly id: string
    readonly type: K
    readonly at: number
    /** Whose event it is; null for events about a host or the whole system. */
    readonly userId: string | null
    readonly podcastId: string | null
    readonly sourceId: string | null
    readonly host: string | null
    readonly data: Readonly<Partial<Shape<K>['data']>>
  }
}[T]

/** The event as this user may see it, or null. `ownsHost`: whether the user has a source on the event's host. */
export function seenBy(event: StoredEvent, userId: string, ownsHost: boolean): StoredEvent | null {
  if (event.userId !== null) return event.userId === userId ? event : null
  if (event.host !== null && !ownsHost) return null
  // Another process of a newer version may have written a type that this one does not know.
  const shown = EVENTS[event.type]?.shownToOthers ?? []
  const data = Object.fromEntries(Object.entries(event.data).filter(([field]) => shown.includes(field)))
  // Some fields of the same type's data.
  return { ...event, data } as StoredEvent
}

interface EventKind<Subject extends keyof Subjects, Data> {
  /** Fields that users see of an event that belongs to nobody. */
  readonly shownToOthers: readonly string[]
  /** For the compiler only: never set. */
  readonly shape?: { readonly subject: Subjects[Subject]; readonly data: Data }
}

function event<Subject extends keyof Subjects, Data>(
  ...shownToOthers: (keyof Data & string)[]
): EventKind<Subject, Data> {
  return { shownToOthers }
}
