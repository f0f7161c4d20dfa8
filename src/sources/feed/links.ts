/** Absolute http(s) addresses out of what feeds write. */

/** The address, resolved against the first base that makes it one; null when it is none of the web. */
export function webUrl(written: string, ...bases: (string | null)[]): string | null {
  const link = written.trim()
  if (link === '') return null
  if (CANONICAL.test(link) && !link.includes('/.')) return link
  if (SCHEME.test(link)) return WEB.test(link) ? parse(link, undefined) : null
  for (const base of bases) {
    const url = base === null ? null : parse(link, base)
    if (url !== null) return url
  }
  return null
}

export function isWebUrl(written: string): boolean {
  return WEB.test(written.trim()) && URL.canParse(written.trim())
}

/** Addresses that parsing would return as they are. Names that may be numbers or punycode are left to the parser. */
const CANONICAL =
  /^https?:\/\/(?:(?!xn--)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24}\/[\w\-.~!$&()*+,;=:@%/]*(?:\?[\w\-.~!$&()*+,;=:@%/?]*)?(?:#[\w\-.~!$&()*+,;=:@%/?]*)?$/
const SCHEME = /^[a-z][a-z0-9+.-]*:/i
const WEB = /^https?:/i

function parse(link: string, base: string | undefined): string | null {
  const url = URL.parse(link, base)
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : null
}
