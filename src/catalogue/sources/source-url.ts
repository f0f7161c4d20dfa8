// An address as a person gives it becomes four things: the URL that is shown (never with credentials), the key
// that tells two sources of a podcast apart, the host, and the lane. Credentials are split off to be sealed.
import { hostOf } from '../../domain/host.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import { SOURCE_TYPES, type SourceType } from '../../domain/source.ts'
import { invalidInput, shown } from '../shapes/validate.ts'
import { looksLikeX, xNameOf } from './x-name.ts'

export interface SourceAddress {
  readonly url: string
  readonly urlKey: string
  /** `user:password`, decoded; null when the URL has none. */
  readonly credentials: string | null
}

export function readSourceUrl(type: SourceType, given: string): SourceAddress {
  return type === 'twitter' ? readXAccount(given) : readWebAddress(given)
}

/** What is wrong with the address in an input, to be told together with its other errors. */
export function urlErrors(fallback: SourceType | null): (input: unknown) => readonly FieldError[] {
  return (input) => {
    if (typeof input !== 'object' || input === null || !('url' in input) || typeof input.url !== 'string') return []
    const given = input.url.trim()
    const named = 'type' in input ? SOURCE_TYPES.find((type) => type === input.type) : undefined
    try {
      readSourceUrl(named ?? fallback ?? typeByAddress(given) ?? 'rss', given)
      return []
    } catch (error) {
      if (error instanceof Problem) return error.errors
      throw error
    }
  }
}

/** The type that an address tells by itself: X accounts are never fetched to find out. */
export function typeByAddress(given: string): SourceType | null {
  return looksLikeX(given) ? 'twitter' : null
}

/** What spacing belongs to: the owner's key for X, the host otherwise. */
export function whereaboutsOf(
  source: { readonly type: SourceType; readonly url: string; readonly feedUrl: string | null },
  userId: string,
): { host: string | null; lane: string } {
  const host = hostOf(source.feedUrl ?? source.url)
  return { host, lane: source.type === 'twitter' ? `x:${userId}` : (host ?? '') }
}

/** The usual way to write a URL: nothing that a parser would silently drop, turn around or encode away. */
const PLAIN_URL = /^https?:\/\/[^@:/\s\\][^\s\\\u0000-\u001f\u007f]*$/i

function readXAccount(given: string): SourceAddress {
  const name = xNameOf(given)
  return { url: `https://x.com/${name}`, urlKey: `https://x.com/${name.toLowerCase()}`, credentials: null }
}

function readWebAddress(given: string): SourceAddress {
  const parsed = URL.parse(given)
  if (!parsed) throw badUrl(given, schemeMissing(given))
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') throw badUrl(given, schemeMissing(given))
  if (!hostOf(given)) throw badUrl(given)
  const credentials = credentialsOf(parsed)
  parsed.username = ''
  parsed.password = ''
  // Kept letter by letter as the person wrote it, as long as that is how a URL is written.
  const url = credentials === null && given.isWellFormed() && PLAIN_URL.test(given) ? given : parsed.href
  parsed.hash = ''
  return { url, urlKey: parsed.href, credentials }
}

function credentialsOf(url: URL): string | null {
  if (url.username === '' && url.password === '') return null
  return `${decoded(url.username)}:${decoded(url.password)}`
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

// Schemes of our kind of program, as links on pages and lists of other readers have them: feed://host, feed:https://host.
const READER_SCHEME = /^(feeds?|rss|pcast|podcast|itpc|itms-pcast):(\/\/)?/i

function schemeMissing(given: string): string {
  const bare = given.replace(READER_SCHEME, '')
  const whole = /^https?:/i.test(bare) ? bare : `https://${bare}`
  const guess = bare !== given || /^[\w-]+(\.[\w-]+)+([:/?#]|$)/.test(given) ? URL.parse(whole) : null
  if (!guess?.hostname || guess.username || guess.password) return ''
  return `; did you mean ${guess.href}?`
}

function badUrl(given: string, remedy = ''): Problem {
  return invalidInput([
    { path: 'url', message: `expected an http or https URL with a host, got ${shown(given)}${remedy}` },
  ])
}

/** Only for export with secrets, which needs admin rights. */
export function withCredentials(url: string, credentials: string): string {
  const parsed = URL.parse(url)
  if (!parsed) throw new Problem('internal', 'a stored URL cannot be parsed')
  const colon = credentials.indexOf(':')
  parsed.username = encodeURIComponent(credentials.slice(0, colon))
  parsed.password = encodeURIComponent(credentials.slice(colon + 1))
  return parsed.href
}
