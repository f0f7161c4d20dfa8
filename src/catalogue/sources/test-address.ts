// Tests the address of a new source with a request: what is there and, for a page, which feed belongs to it. Types that
// are never tested when added are stored without a request.
import { hostOf, type SourceAddress } from '../../domain/address.ts'
import type { SourceType } from '../../domain/source.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import type { Engine, Preview } from '../../ports/engine.ts'
import { invalidInput } from '../shapes/validate.ts'
import { readSourceUrl } from './source-url.ts'

/** What a new source will poll. */
export interface Place {
  readonly type: SourceType
  readonly address: SourceAddress
  readonly feedUrl: string | null
  /** The host that the person typed, where the address was found behind another one. */
  readonly typedHost?: string | null
  /** The result of the search for a feed: other feeds that the person may mean, and what was not tried. */
  readonly discovery?: Pick<Preview, 'feeds' | 'notes'> | undefined
}

export interface GivenAddress {
  /** null: to be found out. */
  readonly type: SourceType | null
  /** As the person gave it. */
  readonly url: string
  readonly userId: string
  readonly trusted: boolean
  readonly signal?: AbortSignal | undefined
  readonly beforeTestFetch?: (() => Promise<void>) | undefined
}

export function untestedPlace(types: SourceTypes, { type, url }: Pick<GivenAddress, 'type' | 'url'>): Place {
  const address = readSourceUrl(types, type, url)
  const known = type ?? types.toldByAddress(url)?.name
  if (known) return { type: known, address, feedUrl: feedUrlByAddress(types, known, url) }
  const message = `expected a type (${wordList(types.names)}) when the address is not tested; or set validate to true`
  throw invalidInput([{ path: 'type', message }])
}

function wordList(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** The feed to poll instead of the address, if the address alone tells it; else null. */
export function feedUrlByAddress(types: SourceTypes, type: SourceType, given: string): string | null {
  return types.of(type).feedUrlOf?.(given) ?? null
}

export async function testAddress(
  types: SourceTypes,
  engine: Pick<Engine, 'testFetch'>,
  given: GivenAddress,
): Promise<Place> {
  const { userId, trusted, signal } = given
  const known = given.type === null ? types.toldByAddress(given.url) : types.of(given.type)
  const type = known?.name ?? null
  const address = readSourceUrl(types, type, given.url)
  if (known?.testWhenAdded === 'never') return { type: known.name, address, feedUrl: null }
  await given.beforeTestFetch?.()
  const found = await engine.testFetch({
    ...{ userId, type, url: address.url, basicAuth: address.credentials, trusted },
    ...(signal ? { signal } : {}),
  })
  if (type) return { type, address, feedUrl: found.feedUrl }
  // If the address shows its type, it stays as the person gave it. Only what is polled differs.
  if (types.of(found.type).recognises(address.url)) {
    return { type: found.type, address, feedUrl: found.feedUrl ?? found.url }
  }
  const { feeds, notes } = found
  const discovery = feeds.some(({ url }) => url !== found.url) || notes.length > 0 ? { feeds, notes } : undefined
  const place = addressFound(types, found, address)
  const typed = hostOf(address.url)
  const typedHost = hostOf(place.url) === typed ? null : typed
  return { type: found.type, address: place, feedUrl: found.feedUrl, typedHost, discovery }
}

/** Keeps the credentials only for the same host, and never from https to http. */
function addressFound(types: SourceTypes, { type, url }: Pick<Preview, 'type' | 'url'>, given: SourceAddress) {
  const found = readSourceUrl(types, type, url)
  const sameHost = hostOf(found.url) === hostOf(given.url)
  const downgraded = given.urlKey.startsWith('https:') && found.urlKey.startsWith('http:')
  return { ...found, credentials: sameHost && !downgraded ? given.credentials : null }
}
