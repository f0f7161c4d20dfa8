// What people do to sources. Settings are theirs, state is the polls': see source-change.ts for where they touch.
import type { z } from 'zod'
import type { Podcast } from '../domain/person.ts'
import { Problem } from '../domain/problem.ts'
import type { Source, SourceSettings } from '../domain/source.ts'
import type { SecretRow, SourceQuery } from '../ports/store.ts'
import type { SourceView } from './answers.ts'
import type { CatalogueParts } from './catalogue.ts'
import { newSourceRow, sourceCreated } from './new-source.ts'
import type { List } from './paging.ts'
import {
  type NewSourceInput,
  newSource,
  SOURCE_READ_ONLY,
  type SourcePatchInput,
  type SourcePutInput,
  sourcePatch,
  sourcePut,
  sourceQuery,
} from './schemas.ts'
import { defaultOverrides, refuseDelay, withOverrides } from './settings.ts'
import { decideChange, isElsewhere } from './source-change.ts'
import { readSourceUrl, type SourceAddress, typeByAddress, urlErrors, whereaboutsOf } from './source-url.ts'
import { placeUntried, tryAddress } from './try-address.ts'
import { readInput } from './validate.ts'
import { sourceView } from './views.ts'

export interface ActingOptions {
  /** Whether the address is tested when the input does not say; by default not. */
  readonly validate?: boolean
  /** Whether the person may do everything; by default yes, as for whoever runs the program. */
  readonly admin?: boolean
  /** Whether `allow-private-networks` counts for the address; by default as `admin`. */
  readonly trusted?: boolean
  readonly signal?: AbortSignal
}

export interface SourceCatalogue {
  create(podcastId: string, input: NewSourceInput, options?: ActingOptions): Promise<SourceView>
  get(id: string): Promise<SourceView>
  list(podcastId?: string | null, query?: z.input<typeof sourceQuery>): Promise<List<SourceView>>
  update(id: string, patch: SourcePatchInput, options?: ActingOptions): Promise<SourceView>
  replace(id: string, put: SourcePutInput, options?: ActingOptions): Promise<SourceView>
  remove(id: string): Promise<void>
}

export function createSources(parts: CatalogueParts): SourceCatalogue {
  const { store, secrets, clock, config, newId } = parts
  const limits = config.source

  async function viewOf(source: Source): Promise<SourceView> {
    return sourceView(source, (await store.countsOf([source.id])).get(source.id), limits)
  }

  async function podcastOf(id: string): Promise<Podcast> {
    const podcast = await store.getPodcast(id)
    if (!podcast) throw new Problem('not-found', 'There is no such podcast.')
    return podcast
  }

  async function sourceOf(id: string): Promise<Source> {
    const source = await store.getSource(id)
    if (!source) throw noSuchSource()
    return source
  }

  async function seal(id: string, { credentials }: SourceAddress): Promise<SecretRow | null> {
    if (credentials === null) return null
    return secrets.seal({ scope: 'source', ownerId: id, name: 'url' }, credentials, clock.now())
  }

  /** Before anybody is asked: a second source for the same address needs no request to be refused. */
  async function refuseTwin(podcastId: string, address: SourceAddress, except?: string): Promise<void> {
    const { items } = await store.listSources({ podcastId, url: address.urlKey, limit: 2, cursor: null })
    const twin = items.find((source) => source.id !== except)
    if (twin) throw sourceExists(address.url, twin.id)
  }

  async function create(podcastId: string, input: NewSourceInput, options: ActingOptions = {}): Promise<SourceView> {
    const wanted = readInput(newSource, input, [...SOURCE_READ_ONLY, 'podcastId'], urlErrors(null))
    const { admin = true, trusted = admin, signal } = options
    const podcast = await podcastOf(podcastId)
    const validate = wanted.validate ?? options.validate ?? false
    const attempt = { type: wanted.type ?? null, given: wanted.url, userId: podcast.userId, trusted, signal }
    const overrides = withOverrides(defaultOverrides(limits), wanted, limits)
    if (validate)
      await refuseTwin(podcastId, readSourceUrl(attempt.type ?? typeByAddress(wanted.url) ?? 'rss', wanted.url))
    const place = validate ? await tryAddress(parts.engine(), attempt) : placeUntried(attempt)
    const { type, address, feedUrl } = place
    const settings = { ...overrides, podcastId, type, url: address.url, enabled: wanted.enabled ?? true }
    const where = whereaboutsOf({ ...settings, feedUrl }, podcast.userId)
    if (!admin) refuseDelay(settings.pollDelaySeconds, { type, host: where.host }, limits)
    const id = newId()
    const secret = await seal(id, address)
    const now = clock.now()
    const source = newSourceRow({ id, userId: podcast.userId, settings, place, where, trusted, now })
    if ((await store.addSource(source, [sourceCreated(source)], secret)) === 'exists') throw sourceExists(address.url)
    return viewOf(source)
  }

  async function change(id: string, wantedOf: WantedOf, test: boolean, options: ActingOptions): Promise<SourceView> {
    const { admin = true, trusted = admin, signal } = options
    const current = await sourceOf(id)
    const settings = wantedOf(current)
    const { userId } = await podcastOf(settings.podcastId)
    if (!admin && userId !== current.userId) throw new Problem('not-found', 'There is no such podcast.')
    const address = addressOf(current, settings)
    const moves = isElsewhere(current, { address, settings })
    if (moves || settings.podcastId !== current.podcastId) await refuseTwin(settings.podcastId, address, id)
    const attempt = { type: settings.type, given: settings.url, userId, trusted, signal }
    const feedUrl = test && moves ? (await tryAddress(parts.engine(), attempt)).feedUrl : null
    if (!admin) refuseNewDelay(current, settings, feedUrl, userId)
    const secret = await seal(id, address)
    const changed = await store.changeSource(id, (row) => {
      const now = wantedOf(row)
      const at = addressOf(row, now)
      const wanted = { settings: { ...now, url: at.url }, address: at, userId, trusted, feedUrl, secret }
      return decideChange(row, wanted, limits, clock.now())
    })
    if (changed === null) throw noSuchSource()
    if (changed === 'exists') throw sourceExists(address.url)
    return viewOf(changed)
  }

  /** A delay that was there before stays, whoever set it, as long as it is for the same host. */
  function refuseNewDelay(current: Source, wanted: SourceSettings, feedUrl: string | null, userId: string): void {
    const { host } = whereaboutsOf({ ...wanted, feedUrl }, userId)
    const same = wanted.pollDelaySeconds === current.pollDelaySeconds && wanted.type === current.type
    if (!same || host !== current.host) refuseDelay(wanted.pollDelaySeconds, { type: wanted.type, host }, limits)
  }

  return {
    create,
    get: async (id) => viewOf(await sourceOf(id)),
    async list(podcastId = null, query = {}) {
      const page = await store.listSources({ ...readSourceQuery(query), podcastId })
      const counts = await store.countsOf(page.items.map((source) => source.id))
      const items = page.items.map((source) => sourceView(source, counts.get(source.id), limits))
      return { items, nextCursor: page.nextCursor }
    },
    async update(id, input, options = {}) {
      const patch = readInput(sourcePatch, input, SOURCE_READ_ONLY, urlErrors((await sourceOf(id)).type))
      const { type, url, podcastId, enabled } = patch
      const wantedOf: WantedOf = (current) => ({
        ...withOverrides(current, patch, limits),
        podcastId: podcastId ?? current.podcastId,
        type: type ?? current.type,
        url: url ?? current.url,
        enabled: enabled ?? current.enabled,
      })
      return change(id, wantedOf, patch.validate ?? false, options)
    },
    async replace(id, input, options = {}) {
      const put = readInput(sourcePut, input, SOURCE_READ_ONLY, urlErrors(null))
      const overrides = withOverrides(defaultOverrides(limits), put, limits)
      const wantedOf: WantedOf = (current) => ({
        ...overrides,
        podcastId: put.podcastId ?? current.podcastId,
        type: put.type,
        url: put.url,
        enabled: put.enabled ?? current.enabled,
      })
      return change(id, wantedOf, put.validate ?? false, options)
    },
    async remove(id) {
      if (!(await store.removeSource(id))) throw noSuchSource()
    },
  }
}

function readSourceQuery(query: z.input<typeof sourceQuery>): Omit<SourceQuery, 'podcastId'> {
  const { limit, cursor = null, type = null, health = null, q = null, host, url } = readInput(sourceQuery, query)
  const urlKey = url ? readSourceUrl(typeByAddress(url) ?? 'rss', url).urlKey : null
  return { limit, cursor, type, health, q, host: host?.toLowerCase() ?? null, url: urlKey }
}

type WantedOf = (current: Source) => SourceSettings

/** An address that nobody touches is never read again: it may have arrived by another way than this one. */
function addressOf(row: Source, { type, url }: SourceSettings): SourceAddress {
  if (url === row.url && type === row.type) return { url, urlKey: row.urlKey, credentials: null }
  return readSourceUrl(type, url)
}

function noSuchSource(): Problem {
  return new Problem('not-found', 'There is no such source.')
}

function sourceExists(url: string, twinId?: string): Problem {
  const which = twinId ? ` It is source ${twinId}.` : ''
  return new Problem('source-exists', `The podcast already has ${url}.${which}`, [
    { path: 'url', message: 'expected an address that the podcast does not have yet' },
  ])
}
