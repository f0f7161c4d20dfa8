/**
 * Addresses as pages write them into links, made absolute: http(s) only, without fragment and without user info.
 * Credentials are what a person gives to us; what a page wrote into its link is not ours to use, keep or show.
 */

import { isHttp, withoutCredentials } from '../domain/address.ts'
import { URL_CHARACTERS } from '../domain/source.ts'

/** `feed:`, and `podcast:` and its like, are the programs' own spellings of http. */
export function webAddress(href: string | undefined, base: string): URL | null {
  const spelled = (href ?? '')
    .trim()
    .replace(/^(?:feed|podcast|pcast|itpc|rss):(?:\/\/)?(https?:)/i, '$1')
    .replace(/^(?:feed|podcast|pcast|itpc|rss):\/\//i, 'http://')
  if (href === undefined || !URL.canParse(spelled, base)) return null
  const url = new URL(spelled, base)
  if (!isHttp(url)) return null
  url.hash = ''
  return withoutCredentials(url)
}

/** Where a feed is said to be, if that is an address which a source may have. */
export function feedAddress(href: string | undefined, base: string): URL | null {
  const url = webAddress(href, base)
  return url && url.href.length <= URL_CHARACTERS ? url : null
}
