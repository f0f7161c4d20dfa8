// Adds a source: checks the input, tests the address unless told not to, and writes row, encrypted credentials and event
// together.
import type { SourceAddress } from '../../domain/address.ts'
import type { Source } from '../../domain/source.ts'
import type { SecretRow } from '../../ports/secret-store.ts'
import { type ActingOptions, mostFor } from '../acting.ts'
import { findPodcast } from '../find.ts'
import type { CatalogueParts } from '../parts.ts'
import { type NewSourceInput, SOURCE_READ_ONLY } from '../shapes/schemas.ts'
import { readInput } from '../shapes/validate.ts'
import { refuseDuplicate, sourceExists } from './duplicate-source.ts'
import { newSourceRow, sourceCreated } from './new-source.ts'
import { defaultOverrides, refuseDelay, withOverrides } from './settings.ts'
import { readSourceUrl, urlErrors, whereaboutsOf } from './source-url.ts'
import { type GivenAddress, type Place, testAddress, untestedPlace } from './test-address.ts'

export async function createSource(
  parts: CatalogueParts,
  podcastId: string,
  input: NewSourceInput,
  options: ActingOptions,
): Promise<{ readonly source: Source; readonly discovery: Place['discovery'] }> {
  const { store, clock, newId, types, shapes } = parts
  const limits = parts.config.source
  const wanted = readInput(shapes.newSource, input, [...SOURCE_READ_ONLY, 'podcastId'], urlErrors(types, null))
  const { admin = true, trusted = admin, signal, beforeTestFetch } = options
  const { userId } = await findPodcast(store, podcastId)
  const given = { type: wanted.type ?? null, url: wanted.url, userId, trusted, signal, beforeTestFetch }
  const validate = wanted.validate ?? options.validate ?? false
  const place = validate ? await testedPlace(parts, podcastId, given) : untestedPlace(types, given)
  const { type, address, feedUrl } = place
  const overrides = withOverrides(defaultOverrides(limits), wanted, limits)
  const settings = { ...overrides, podcastId, type, url: address.url, enabled: wanted.enabled ?? true }
  const where = whereaboutsOf(types, { ...settings, feedUrl }, userId)
  if (!admin) refuseDelay(settings.pollDelaySeconds, { type, host: where.host }, limits)
  const id = newId()
  const secret = await sealCredentials(parts, id, address)
  const most = mostFor({ admin }, parts.config.limits.sources)
  const source = newSourceRow({ id, userId, settings, place, where, trusted, now: clock.now() })
  const added = await store.addSource(source, [sourceCreated(source)], secret, most)
  if (added === 'exists') throw sourceExists(address.url)
  return { source, discovery: place.discovery }
}

async function testedPlace(
  { store, engine, types }: CatalogueParts,
  podcastId: string,
  given: GivenAddress,
): Promise<Place> {
  await refuseDuplicate(store, podcastId, readSourceUrl(types, given.type, given.url))
  return testAddress(types, engine(), given)
}

export async function sealCredentials(
  { secrets, clock }: Pick<CatalogueParts, 'secrets' | 'clock'>,
  id: string,
  { credentials }: SourceAddress,
): Promise<SecretRow | null> {
  if (credentials === null) return null
  return secrets.seal({ scope: 'source', ownerId: id, name: 'url' }, credentials, clock.now())
}
