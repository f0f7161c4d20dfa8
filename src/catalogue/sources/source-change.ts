// What a person's change of settings does to the state that polling has learned. A pure rule, run inside the store's
// transaction.
//
//   another URL or type   forgets failures, validators and what was seen; raises the version; due now
//   enabled again         forgets failures; due now
//   another owner's lane  forgets what put it off in the old one; due now
//   a setting that replans   the next poll is planned anew; what was made due stays due
//   a raised backfill     the next poll chooses like a first one; raises the version
//   a setting that rereads, another podcast   the next document is read even if it has not changed
//   full text: never      pages that wait to be asked are dropped
// See docs/decisions/0053-which-source-changes-reset-its-state.md
import type { SourceAddress } from '../../domain/address.ts'
import { backfillStart } from '../../domain/choose.ts'
import { type NewEvent, sourceEnabled } from '../../domain/event.ts'
import { GOOD_HEALTH } from '../../domain/health.ts'
import { newRhythm } from '../../domain/rhythm.ts'
import { type BackoffLimits, planAfterChange } from '../../domain/schedule.ts'
import type { Source, SourceSettings } from '../../domain/source.ts'
import { SETTING_NAMES, SOURCE_SETTINGS } from '../../domain/source-settings.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import type { SecretRow } from '../../ports/secret-store.ts'
import type { SourceChange } from '../../ports/source-store.ts'
import { whereaboutsOf } from './source-url.ts'

export interface WantedSource {
  /** Complete, with the URL as shown. */
  readonly settings: SourceSettings
  readonly address: SourceAddress
  /** Owner of the podcast it belongs to afterwards. */
  readonly userId: string
  /** Whether the person who gives a new address may use private networks. */
  readonly trusted: boolean
  /** The feed that a test fetch found; null when there was no test, or the feed is the URL itself. */
  readonly feedUrl: string | null
  /** The new URL's credentials, encrypted. */
  readonly secret: SecretRow | null
}

export interface DecidedChange {
  readonly set: SourceChange
  readonly events: readonly NewEvent[]
  readonly secret?: SecretRow | null
  readonly forgetSkippedSince?: number
  readonly dropPages?: boolean
}

export const FORGET_DOCUMENT: Pick<Source, 'validators' | 'bodyHash'> = {
  validators: { etag: null, lastModified: null },
  bodyHash: null,
}

/** Clears what was learned at the old address. Known posts stay known. */
const FORGET_ADDRESS = {
  ...FORGET_DOCUMENT,
  lastSeenId: null,
  redirect: null,
  leadsTo: null,
  feedFreshness: null,
  freshUntil: null,
  retryAt: null,
  learnedIntervalMinutes: null,
  quietSince: null,
  title: null,
  siteUrl: null,
  language: null,
}

export function decideChange(
  current: Source,
  wanted: WantedSource,
  types: SourceTypes,
  limits: BackoffLimits,
  now: number,
): DecidedChange {
  const { settings } = wanted
  // New credentials may lead to another document, so the result of an older poll must not count.
  const moved = hasNewAddress(current, wanted) || wanted.secret !== null
  const enables = settings.enabled && !current.enabled
  const changed = SETTING_NAMES.filter((name) => settings[name] !== current[name])
  const rereads = settings.podcastId !== current.podcastId || changed.some((name) => SOURCE_SETTINGS[name].rereads)
  let set: SourceChange = settings
  if (moved) set = { ...set, ...newAddress(current, wanted, types, now) }
  else if (wanted.userId !== current.userId) set = { ...set, ...newOwner(current, wanted.userId, types) }
  const changesLane = set.lane !== undefined && set.lane !== current.lane
  if (rereads) set = { ...set, ...FORGET_DOCUMENT }
  const backfills = settings.backfillDays > current.backfillDays
  if (backfills) set = { ...set, ...chooseAsFirst(current) }
  if (enables) set = { ...set, ...GOOD_HEALTH }
  const replans = changed.some((name) => SOURCE_SETTINGS[name].replans)
  const plan = { isEnabled: settings.enabled, isMadeDue: enables || moved || changesLane, replans }
  set = { ...set, ...planAfterChange(current, { ...current, ...settings }, plan, limits, now) }
  return {
    ...{ set, events: eventsOf(current, wanted, now), ...secretOf(current, wanted) },
    ...(backfills && { forgetSkippedSince: backfillStart({ ...current, ...settings }) }),
    ...(changed.includes('fullText') && settings.fullText === 'never' && { dropPages: true }),
  }
}

/** A poll that is under way has chosen by the old backfill: its result must not count. */
function chooseAsFirst({ version }: Source): SourceChange {
  return { choosesAsFirst: true, version: version + 1 }
}

export function hasNewAddress(current: Source, wanted: Pick<WantedSource, 'address' | 'settings'>): boolean {
  return wanted.address.urlKey !== current.urlKey || wanted.settings.type !== current.type
}

/** The lane of a service such as X is that of its owner's key, which has a quota of its own. */
function newOwner(current: Source, userId: string, types: SourceTypes): SourceChange {
  const whereabouts = whereaboutsOf(types, current, userId)
  return whereabouts.lane === current.lane ? whereabouts : { ...whereabouts, retryAt: null, leadsTo: null }
}

function newAddress(current: Source, wanted: WantedSource, types: SourceTypes, now: number): SourceChange {
  const { settings, address, userId, feedUrl, trusted } = wanted
  return {
    ...FORGET_ADDRESS,
    // Not null: that would be a source whose rhythm is to be found out from what is stored.
    rhythm: newRhythm(now),
    ...GOOD_HEALTH,
    // The reason stays until somebody enables the source.
    disabledReason: current.disabledReason,
    ...whereaboutsOf(types, { type: settings.type, url: settings.url, feedUrl }, userId),
    feedUrl,
    trusted,
    typedHost: null,
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

function eventsOf({ id: sourceId, host, enabled }: Source, wanted: WantedSource, at: number): readonly NewEvent[] {
  const { userId, settings } = wanted
  if (settings.enabled === enabled) return []
  const { podcastId, url } = settings
  if (settings.enabled) return [sourceEnabled({ id: sourceId, userId, podcastId, host, url }, at, 'by a person')]
  const about = { at, userId, podcastId, sourceId, host }
  return [{ ...about, type: 'source.disabled', data: { url, reason: 'by a person' } }]
}
