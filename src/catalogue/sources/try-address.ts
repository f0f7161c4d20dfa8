// Before a source is stored its address is tested: what is there, and behind a page, which feed.
// Types that are never tested when added are taken at their word.
import { hostOf, type SourceAddress } from '../../domain/address.ts'
import type { SourceType } from '../../domain/source.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import type { Engine, Preview } from '../../ports/engine.ts'
import { invalidInput } from '../shapes/validate.ts'
import { readSourceUrl } from './source-url.ts'

export interface Place {
  readonly type: SourceType
  readonly address: SourceAddress
  readonly feedUrl: string | null
  /** What there is to tell of the search: feeds that could have been meant too, and what was not looked at. */
  readonly discovery?: Pick<Preview, 'feeds' | 'notes'> | undefined
}

export interface Attempt {
  readonly type: SourceType | null
  readonly given: string
  readonly userId: string
  readonly trusted: boolean
  readonly signal?: AbortSignal | undefined
}

export function placeUntried(types: SourceTypes, { type, given }: Pick<Attempt, 'type' | 'given'>): Place {
  const address = readSourceUrl(types, type, given)
  const known = type ?? types.toldByAddress(given)?.name
  if (known) return { type: known, address, feedUrl: feedUrlByAddress(types, known, given) }
  const message = `expected a type (${wordList(types.names)}) when the address is not tested; or set validate to true`
  throw invalidInput([{ path: 'type', message }])
}

function wordList(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** What will be asked, where the address alone says so; null when a page has to tell, and when it is the address itself. */
export function feedUrlByAddress(types: SourceTypes, type: SourceType, given: string): string | null {
  return types.of(type).feedUrlOf?.(given) ?? null
}

export async function tryAddress(
  types: SourceTypes,
  engine: Pick<Engine, 'testFetch'>,
  attempt: Attempt,
): Promise<Place> {
  const { userId, trusted, signal, given } = attempt
  const known = attempt.type === null ? types.toldByAddress(given) : types.of(attempt.type)
  const type = known?.name ?? null
  const address = readSourceUrl(types, type, given)
  if (known?.testWhenAdded === 'never') return { type: known.name, address, feedUrl: null }
  const found = await engine.testFetch({
    ...{ userId, type, url: address.url, basicAuth: address.credentials, trusted },
    ...(signal ? { signal } : {}),
  })
  if (type) return { type, address, feedUrl: found.feedUrl }
  // An address that names its type stays as the person knows it; only what is asked differs.
  if (types.of(found.type).recognises(address.url)) {
    return { type: found.type, address, feedUrl: found.feedUrl ?? found.url }
  }
  const { feeds, notes } = found
  const discovery = feeds.some(({ url }) => url !== found.url) || notes.length > 0 ? { feeds, notes } : undefined
  const place = addressFound(types, found, address)
  return { type: found.type, address: place, feedUrl: found.feedUrl, discovery }
}

/** Credentials go along to the same host only, and never without encryption where they had it. */
function addressFound(types: SourceTypes, { type, url }: Pick<Preview, 'type' | 'url'>, given: SourceAddress) {
  const found = readSourceUrl(types, type, url)
  const sameHost = hostOf(found.url) === hostOf(given.url)
  const downgraded = given.urlKey.startsWith('https:') && found.urlKey.startsWith('http:')
  return { ...found, credentials: sameHost && !downgraded ? given.credentials : null }
}
