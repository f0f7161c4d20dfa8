// Before a source is stored its address is tried: what is there, and behind a page, which feed.
// X accounts are never asked: that would cost the owner's quota.
import { hostOf } from '../../domain/host.ts'
import type { SourceType } from '../../domain/source.ts'
import { youtubeFeedUrl } from '../../domain/youtube-address.ts'
import type { Engine, Preview } from '../../ports/engine.ts'
import { invalidInput } from '../shapes/validate.ts'
import { readSourceUrl, type SourceAddress, typeByAddress } from './source-url.ts'

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

export function placeUntried({ type, given }: Pick<Attempt, 'type' | 'given'>): Place {
  const known = type ?? typeByAddress(given)
  if (known) return { type: known, address: readSourceUrl(known, given), feedUrl: feedUrlByAddress(known, given) }
  readSourceUrl('rss', given)
  const message =
    'expected a type (rss, website, twitter or youtube) when the address is not tested; or set validate to true'
  throw invalidInput([{ path: 'type', message }])
}

/** What will be asked, where the address alone says so; null when a page has to tell, and when it is the address itself. */
export function feedUrlByAddress(type: SourceType, given: string): string | null {
  const known = type === 'youtube' ? youtubeFeedUrl(given) : null
  return known?.kind === 'feed' ? known.feedUrl : null
}

export async function tryAddress(engine: Pick<Engine, 'testFetch'>, attempt: Attempt): Promise<Place> {
  const type = attempt.type ?? typeByAddress(attempt.given)
  const address = readSourceUrl(type ?? 'rss', attempt.given)
  if (type === 'twitter') return { type, address, feedUrl: null }
  const { userId, trusted, signal } = attempt
  const found = await engine.testFetch({
    ...{ userId, type, url: address.url, basicAuth: address.credentials, trusted },
    ...(signal ? { signal } : {}),
  })
  if (type) return { type, address, feedUrl: found.feedUrl }
  // A channel stays the address that the person knows; only what is asked differs.
  if (found.type === 'youtube') return { type: found.type, address, feedUrl: found.feedUrl ?? found.url }
  const { feeds, notes } = found
  const discovery = feeds.some(({ url }) => url !== found.url) || notes.length > 0 ? { feeds, notes } : undefined
  const place = addressFound(found.type, found.url, address)
  return { type: found.type, address: place, feedUrl: found.feedUrl, discovery }
}

/** Credentials go along to the same host only; what a page wrote into its link is not ours to keep. */
function addressFound(type: SourceType, foundUrl: string, given: SourceAddress): SourceAddress {
  const found = readSourceUrl(type, foundUrl)
  const sameHost = hostOf(found.url) === hostOf(given.url)
  const downgraded = given.urlKey.startsWith('https:') && found.urlKey.startsWith('http:')
  return { ...found, credentials: sameHost && !downgraded ? given.credentials : null }
}
