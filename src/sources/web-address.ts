/**
 * Addresses in links of a page, made absolute: http(s) only, without fragment and credentials. Credentials come from the
 * person who adds a source; those in a page's link are not used, stored or shown.
 */

import { isHttp, withoutCredentials } from '../domain/address.ts'
import { URL_CHARACTERS } from '../domain/source.ts'

/** `feed:`, `podcast:` and similar schemes stand for http. */
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

/** The address of a feed; null when it is too long for a source. */
export function feedAddress(href: string | undefined, base: string): URL | null {
  const url = webAddress(href, base)
  return url && url.href.length <= URL_CHARACTERS ? url : null
}
