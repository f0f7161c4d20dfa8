// Addresses and the credentials in them: what host a URL names, how a web address is read and compared, and how
// credentials are taken out of a URL, put back, or hidden in a text that a person will see.

export interface SourceAddress {
  /** As it is shown and asked: as the person wrote it, but never with credentials. */
  readonly url: string
  /** What tells two sources of a podcast apart: parsed, without fragment and credentials. */
  readonly urlKey: string
  /** `user:password`, decoded; null when the address has none. */
  readonly credentials: string | null
}

/** Why an address cannot be taken. The caller adds what was given, without its credentials. */
export interface AddressRefused {
  readonly expected: string
  /** What was probably meant, to be put behind what was given; '' when nobody can tell. */
  readonly remedy: string
}

export type AddressRead = SourceAddress | AddressRefused

export function isRefused(read: AddressRead): read is AddressRefused {
  return 'expected' in read
}

/** Host of a URL: lower case, IDN as punycode, without port; null when there is none. */
export function hostOf(url: string): string | null {
  const parsed = URL.parse(url)
  if (!parsed || !isHttp(parsed)) return null
  // A trailing dot names the same host.
  return parsed.hostname.replace(/\.$/, '') || null
}

export function isHttp({ protocol }: Pick<URL, 'protocol'>): boolean {
  return protocol === 'http:' || protocol === 'https:'
}

/** The usual way to write a URL: nothing that a parser would silently drop, turn around or encode away. */
const PLAIN_URL = /^https?:\/\/[^@:/\s\\][^\s\\\u0000-\u001f\u007f]*$/i

export function readWebAddress(given: string): AddressRead {
  const expected = 'an http or https URL with a host'
  const parsed = URL.parse(given)
  if (!parsed || !isHttp(parsed)) return { expected, remedy: schemeMissing(given) }
  if (hostOf(given) === null) return { expected, remedy: '' }
  const credentials = credentialsIn(parsed)
  const bare = withoutCredentials(parsed)
  // Kept letter by letter as the person wrote it, as long as that is how a URL is written.
  const url = credentials === null && given.isWellFormed() && PLAIN_URL.test(given) ? given : bare.href
  bare.hash = ''
  return { url, urlKey: bare.href, credentials }
}

/** The key of an address that a server named, which is therefore one of the web. */
export function webAddressKey(url: string): string {
  const read = readWebAddress(url)
  return isRefused(read) ? url : read.urlKey
}

// The schemes of feed readers, as pages and exported lists write them: feed://host, feed:https://host.
const READER_SCHEME = /^(feeds?|rss|pcast|podcast|itpc|itms-pcast):(\/\/)?/i

function schemeMissing(given: string): string {
  const guess = withHttps(given)
  return guess === null ? '' : `; did you mean ${guess}?`
}

/** The URL that somebody means who leaves the scheme out, or gives that of a feed reader; null: no telling. */
export function withHttps(given: string): string | null {
  const bare = given.replace(READER_SCHEME, '')
  const whole = /^https?:/i.test(bare) ? bare : `https://${bare}`
  const guess = bare !== given || /^[\w-]+(\.[\w-]+)+([:/?#]|$)/.test(given) ? URL.parse(whole) : null
  return guess?.hostname && !hasCredentials(guess) ? guess.href : null
}

export function hasCredentials({ username, password }: Pick<URL, 'username' | 'password'>): boolean {
  return username !== '' || password !== ''
}

/** `user:password`, decoded; null when the URL has none. */
export function credentialsIn(url: URL): string | null {
  return hasCredentials(url) ? `${decoded(url.username)}:${decoded(url.password)}` : null
}

/** As it is written where it is not well encoded. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function withoutCredentials(url: URL): URL {
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  return bare
}

export function withCredentials(url: URL, credentials: string): URL {
  const whole = new URL(url)
  const colon = credentials.indexOf(':')
  whole.username = encodeURIComponent(credentials.slice(0, colon))
  whole.password = encodeURIComponent(credentials.slice(colon + 1))
  return whole
}

/** A text with URLs in it, each without its credentials. */
export function textWithoutCredentials(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#]*@/gi, '$1')
}

/** No address is that long, and a longer text must not take long to check. */
const MAX_CHECKED_CHARACTERS = 10_000

/**
 * Hides whatever stands before an @ and could be `user:password`, even with characters that should have been encoded.
 * It reads only the beginning, in one pass, because messages also show texts that are far too long.
 */
export function hideCredentials(written: string): string {
  const text = written.slice(0, MAX_CHECKED_CHARACTERS)
  const start = text.indexOf('//') + 2
  const end = start < 2 ? -1 : endOfCredentials(text, start)
  if (end >= 0) return `${text.slice(0, start)}***@${hideCredentials(text.slice(end + 1))}`
  const parts = text.split('@')
  return parts.map((part, at) => (at < parts.length - 1 ? withoutPassword(part) : part)).join('@')
}

/** The last @ before the path. Without one, the last @ of all if the text begins like `name:password`, not `host:port`. */
function endOfCredentials(text: string, start: number): number {
  const [before = ''] = BEFORE_PATH.exec(text.slice(start)) ?? []
  const end = text.lastIndexOf('@', start + before.length)
  if (end >= start) return end
  return NAME_AND_PASSWORD.test(text.slice(start)) ? text.lastIndexOf('@') : -1
}

const BEFORE_PATH = /^[^/?#]*/
const NAME_AND_PASSWORD = /^[^/?#\s:@]*:(?!\d{1,5}[/?#]).*@/s

function withoutPassword(part: string): string {
  const start = Math.max(...WORD_ENDS.map((sign) => part.lastIndexOf(sign))) + 1
  return part.includes(':', start) ? `${part.slice(0, start)}***` : part
}

const WORD_ENDS = ['/', ' ', '\t', '\n', '\r']
