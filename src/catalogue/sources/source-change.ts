// What a person's change of settings does to what polling has learned. Pure: runs inside the store's transaction.
//
//   another URL or type   failure state, validators and marks are forgotten, the version goes up, due now
//   enabled again         failure state is forgotten, due now
//   interval, backoff cap or freshness   planned again by the one function that plans; what was made due stays due
//   what choosing goes by (filter, backfill, another podcast)   the next document is read even if it is the same
import type { EventType, NewEvent } from '../../domain/event.ts'
import { GOOD_HEALTH } from '../../domain/health.ts'
import { type BackoffLimits, planUnderChange } from '../../domain/schedule.ts'
import type { Source, SourceSettings } from '../../domain/source.ts'
import type { SecretRow } from '../../ports/secret-store.ts'
import type { SourceChange } from '../../ports/source-store.ts'
import { type SourceAddress, whereaboutsOf } from './source-url.ts'

export interface WantedSource {
  /** Complete, with the URL as shown. */
  readonly settings: SourceSettings
  readonly address: SourceAddress
  /** Owner of the podcast it belongs to afterwards. */
  readonly userId: string
  /** Rights of the person who changes it: a new address is only as trusted as who gave it. */
  readonly trusted: boolean
  /** What a test fetch found to be asked; null when it was not tested or is the URL itself. */
  readonly feedUrl: string | null
  /** The new URL's credentials, sealed. */
  readonly secret: SecretRow | null
}

export interface DecidedChange {
  readonly set: SourceChange
  readonly events: readonly NewEvent[]
  readonly secret?: SecretRow | null
}

export const NOTHING_READ: Pick<Source, 'validators' | 'bodyHash'> = {
  validators: { etag: null, lastModified: null },
  bodyHash: null,
}

/** What was learned at one address and means nothing at another. Guids and hashes stay. */
const NOTHING_LEARNED = {
  ...NOTHING_READ,
  lastSeenId: null,
  redirect: null,
  leadsTo: null,
  feedFreshness: null,
  freshUntil: null,
  retryAt: null,
}

export function decideChange(current: Source, wanted: WantedSource, limits: BackoffLimits, now: number): DecidedChange {
  const { settings } = wanted
  // New credentials may open another document, and an older poll must not speak for them.
  const moved = isElsewhere(current, wanted) || wanted.secret !== null
  const enables = settings.enabled && !current.enabled
  const disables = !settings.enabled && current.enabled
  let set: SourceChange = settings
  if (moved) set = { ...set, ...newAddress(current, wanted) }
  else if (wanted.userId !== current.userId) set = { ...set, ...whereaboutsOf(current, wanted.userId) }
  if (choosesOtherwise(current, settings)) set = { ...set, ...NOTHING_READ }
  if (enables) set = { ...set, ...GOOD_HEALTH }
  if (!settings.enabled) set = { ...set, nextPollAt: null }
  else if (enables || moved) set = { ...set, nextPollAt: now }
  else if (plansOtherwise(current, settings)) {
    set = { ...set, nextPollAt: planUnderChange(current, { ...current, ...settings }, limits, now) }
  }
  const events = enables
    ? [eventOf('source.enabled', current, wanted, now)]
    : disables
      ? [eventOf('source.disabled', current, wanted, now, { reason: 'by a person' })]
      : []
  return { set, events, ...secretOf(current, wanted) }
}

export function isElsewhere(current: Source, wanted: Pick<WantedSource, 'address' | 'settings'>): boolean {
  return wanted.address.urlKey !== current.urlKey || wanted.settings.type !== current.type
}

function newAddress(current: Source, wanted: WantedSource): SourceChange {
  const { settings, address, userId, feedUrl, trusted } = wanted
  return {
    ...NOTHING_LEARNED,
    ...GOOD_HEALTH,
    // Why it is disabled stays true until somebody enables it.
    disabledReason: current.disabledReason,
    ...whereaboutsOf({ type: settings.type, url: settings.url, feedUrl }, userId),
    feedUrl,
    trusted,
    urlKey: address.urlKey,
    hasCredentials: wanted.secret !== null || (address.urlKey === current.urlKey && current.hasCredentials),
    version: current.version + 1,
  }
}

/** A URL without credentials keeps the hidden ones as long as it is the same URL. */
function secretOf(current: Source, wanted: WantedSource): { secret?: SecretRow | null } {
  if (wanted.secret) return { secret: wanted.secret }
  return wanted.address.urlKey === current.urlKey ? {} : { secret: null }
}

function choosesOtherwise(current: Source, settings: SourceSettings): boolean {
  return (
    settings.categoryFilter !== current.categoryFilter ||
    settings.backfillDays !== current.backfillDays ||
    settings.podcastId !== current.podcastId
  )
}

function plansOtherwise(current: Source, settings: SourceSettings): boolean {
  return (
    settings.pollIntervalMinutes !== current.pollIntervalMinutes ||
    settings.maxBackoffHours !== current.maxBackoffHours ||
    settings.honourFreshness !== current.honourFreshness
  )
}

function eventOf(
  type: EventType,
  current: Source,
  { userId, settings }: WantedSource,
  at: number,
  data: Record<string, unknown> = {},
): NewEvent {
  const { id: sourceId, host } = current
  return { type, at, userId, podcastId: settings.podcastId, sourceId, host, data: { url: settings.url, ...data } }
}
