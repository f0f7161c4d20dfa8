// A source: what a person asked to be polled, and what polling has learned about it.
// Settings belong to people, state belongs to polls; neither writes the other's fields.

import type { StatedByFeed } from './freshness.ts'
import type { SettingValues } from './source-settings.ts'

/** The name of a type; see source-type.ts for what a type is. Open, so that types can be added. */
export type SourceType = string

/** No longer address is a source's, whether a person gives it, a page links to it or a redirect leads there. */
export const URL_CHARACTERS = 2000

export interface SourceSettings extends SettingValues {
  readonly podcastId: string
  readonly type: SourceType
  /** As the person gave it, without credentials. */
  readonly url: string
  readonly enabled: boolean
  /** False: nobody set an interval, so `pollIntervalMinutes` is the configured one and follows it. */
  readonly hasOwnInterval: boolean
}

export interface Validators {
  /** Byte-exact as the server sent them; null when it sent none. */
  readonly etag: string | null
  readonly lastModified: string | null
  /** The URL that answered with them: they go back to it and to no other, not even on the way there. */
  readonly from?: string
}

/** What a document states about itself; null where it states nothing. */
export interface StatedByDocument {
  readonly title: string | null
  readonly siteUrl: string | null
  readonly language: string | null
}

/** The fields of StatedByDocument are those of the last document that was read. */
export interface SourceState extends StatedByDocument {
  readonly feedUrl: string | null
  readonly lastPolled: number | null
  readonly lastSucceededAt: number | null
  readonly lastSeenId: string | null
  /** Its backfill was raised: the next poll that reads a document chooses like a first one, whatever `lastSeenId` says. */
  readonly choosesAsFirst: boolean
  readonly nextPollAt: number | null
  /** A person made it due (enabled it, gave it another URL or a key): it does not wait for an open breaker. */
  readonly isMadeDue: boolean
  readonly consecutiveFailures: number
  /** Names of the permanent failures since the last success or transient failure, oldest first. */
  readonly permanentRun: readonly string[]
  readonly lastFailureType: 'transient' | 'permanent' | null
  readonly lastFailureReason: string | null
  readonly disabledReason: string | null
  /** Its last permanent failure, and when such failures disabled it. */
  readonly lastPermanentAt: number | null
  readonly autoDisabledAt: number | null
  readonly validators: Validators
  /** sha256 of the last body that was read and understood. */
  readonly bodyHash: string | null
  /** What the last document that was read says about how often to come: it holds for every 304 after it. */
  readonly feedFreshness: StatedByFeed | null
  /** What the last success said about freshness; ends with a failure. */
  readonly freshUntil: number | null
  /** The source's own Retry-After, or the instant until which a redirect target is not free by its word or spacing. */
  readonly retryAt: number | null
  readonly redirect: PermanentRedirect | null
  /** Lane of the other host that its last poll was sent on to; null: its own host had the last word. */
  readonly leadsTo: string | null
  /** Posts that are stored now. The store counts them itself. */
  readonly postCount: number
  /** null: no success yet, or none since an earlier version that kept no rhythm. */
  readonly rhythm: Rhythm | null
  /** See learned-interval.ts. Learned for every source, but only used with `adaptive`. */
  readonly learnedIntervalMinutes: number | null
  readonly quietSince: number | null
}

/** How a source publishes, as far as it was seen; the rules are in rhythm.ts. */
export interface Rhythm {
  readonly firstSucceededAt: number
  /** Posts that were ever stored. */
  readonly stored: number
  /** Entries with a date that were seen: posts, and what was too old to become one. */
  readonly dated: number
  readonly lastPublishedAt: number | null
  /** The last gaps between publications, oldest first. */
  readonly gapsMs: readonly number[]
  /** The newest dates, ascending. */
  readonly recent: readonly number[]
  /** Dates by hour of the day and by day of the week (UTC, Sunday first). Each loses half of its weight in two weeks. */
  readonly hours: readonly number[]
  readonly days: readonly number[]
  /** The oldest date in these counts, and the instant that their weight is of. */
  readonly countedFrom: number | null
  readonly countedAt: number | null
  /** How many entries the last document held. */
  readonly documentEntries: number
}

/** A permanent redirect seen on the last `seen` good polls, not stored yet. */
export interface PermanentRedirect {
  readonly url: string
  readonly seen: number
}

export interface Source extends SourceSettings, SourceState {
  readonly id: string
  readonly userId: string
  /** Host of what is asked (`feedUrl` or `url`); null when there is none to be found. */
  readonly host: string | null
  /** What spacing, closing and breaker belong to; see lane.ts. */
  readonly lane: string
  /** The URL as compared within a podcast: parsed, without fragment and credentials. */
  readonly urlKey: string
  readonly hasCredentials: boolean
  /** Made with admin rights or with authentication off: `allow-private-networks` counts for it. */
  readonly trusted: boolean
  /** The host that a person typed, where `url` is what that led to (discovery, a permanent redirect); null: that of `url`. */
  readonly typedHost: string | null
  readonly createdAt: number
  /** Goes up when url or type change or the backfill is raised, so that the result of an older poll is told apart. */
  readonly version: number
}

/** What is known of a source that nobody has asked yet. */
export const NEVER_POLLED: SourceState = {
  feedUrl: null,
  lastPolled: null,
  lastSucceededAt: null,
  lastSeenId: null,
  choosesAsFirst: false,
  nextPollAt: null,
  isMadeDue: false,
  consecutiveFailures: 0,
  permanentRun: [],
  lastFailureType: null,
  lastFailureReason: null,
  disabledReason: null,
  lastPermanentAt: null,
  autoDisabledAt: null,
  validators: { etag: null, lastModified: null },
  bodyHash: null,
  feedFreshness: null,
  freshUntil: null,
  retryAt: null,
  redirect: null,
  leadsTo: null,
  rhythm: null,
  learnedIntervalMinutes: null,
  quietSince: null,
  title: null,
  siteUrl: null,
  language: null,
  postCount: 0,
}

/** What people see as the name of a source; null when nobody has named it. */
export function nameOf({ label, title }: Pick<Source, 'label' | 'title'>): string | null {
  return label || title || null
}
