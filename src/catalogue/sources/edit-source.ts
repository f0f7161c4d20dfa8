// Changes a source. The wanted settings are computed from the row when it is read, and again when it is written, because
// a poll may have finished in between. source-change.ts decides what the change does to the state.
import type { SourceAddress } from '../../domain/address.ts'
import { isNullLane } from '../../domain/lane.ts'
import type { Source, SourceSettings } from '../../domain/source.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import { loweredReservation, resolveDelay } from '../../domain/spacing.ts'
import type { ActingOptions } from '../acting.ts'
import { findPodcast, findSource, noSuch } from '../find.ts'
import type { CatalogueParts } from '../parts.ts'
import { sealCredentials } from './create-source.ts'
import { refuseDuplicate, sourceExists } from './duplicate-source.ts'
import { refuseDelay } from './settings.ts'
import { decideChange, hasNewAddress } from './source-change.ts'
import { readSourceUrl, whereaboutsOf } from './source-url.ts'
import { feedUrlByAddress, testAddress } from './test-address.ts'

export interface Edit {
  wantedOf(current: Source): SourceSettings
  /** Whether a new address is tested first. */
  readonly test: boolean
}

export async function editSource(
  parts: CatalogueParts,
  id: string,
  { wantedOf, test }: Edit,
  { admin = true, trusted = admin, signal, beforeTestFetch }: ActingOptions,
): Promise<Source> {
  const { store, clock, engine, config, types } = parts
  const current = await findSource(store, id)
  const settings = wantedOf(current)
  const { userId } = await findPodcast(store, settings.podcastId)
  if (!admin && userId !== current.userId) throw noSuch('podcast')
  const address = addressOf(types, current, settings)
  const moves = hasNewAddress(current, { address, settings })
  if (moves || settings.podcastId !== current.podcastId) await refuseDuplicate(store, settings.podcastId, address, id)
  const given = { type: settings.type, url: settings.url, userId, trusted, signal, beforeTestFetch }
  const byAddress = feedUrlByAddress(types, settings.type, settings.url)
  const feedUrl = test && moves ? (await testAddress(types, engine(), given)).feedUrl : byAddress
  if (!admin) refuseNewDelay(parts, current, settings, moves ? feedUrl : current.feedUrl)
  const secret = await sealCredentials(parts, id, address)
  const changed = await store.changeSource(id, (row) => {
    const now = wantedOf(row)
    const at = addressOf(types, row, now)
    const wanted = { settings: { ...now, url: at.url }, address: at, userId, trusted, feedUrl, secret }
    return decideChange(row, wanted, types, config.source, clock.now())
  })
  if (changed === null) throw noSuch('source')
  if (changed === 'exists') throw sourceExists(address.url)
  await lowerReservation(parts, current, changed)
  return changed
}

/** A lowered delay counts from the next visit on. */
async function lowerReservation({ store, config }: CatalogueParts, before: Source, after: Source): Promise<void> {
  const delayMs = (source: Source): number => resolveDelay(source, source.host, config.source).seconds * 1000
  const change = { fromMs: delayMs(before), toMs: delayMs(after) }
  if (change.toMs >= change.fromMs || before.lane !== after.lane || isNullLane(after.lane)) return
  await store.changeHost(after.lane, (host) => loweredReservation(host, after, change))
}

/** An address that did not change is not checked again: it may come from a redirect or an older version. */
function addressOf(types: SourceTypes, row: Source, { type, url }: SourceSettings): SourceAddress {
  if (url === row.url && type === row.type) return { url, urlKey: row.urlKey, credentials: null }
  return readSourceUrl(types, type, url)
}

/** A delay that is already set may stay, whoever set it, as long as the host is the same. */
function refuseNewDelay(
  { types, config }: CatalogueParts,
  current: Source,
  wanted: SourceSettings,
  feedUrl: string | null,
): void {
  const { type, pollDelaySeconds } = wanted
  const { host } = whereaboutsOf(types, { ...wanted, feedUrl }, current.userId)
  const same = pollDelaySeconds === current.pollDelaySeconds && type === current.type && host === current.host
  if (!same) refuseDelay(pollDelaySeconds, { type, host }, config.source)
}
