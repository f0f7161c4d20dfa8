/** Absolute http(s) addresses out of what feeds write. */

/** The address, resolved against the first base that makes it one; null when it is none of the web. */
export function webUrl(written: string, ...bases: (string | null)[]): string | null {
  const link = plainly(written.trim())
  if (link === '') return null
  if (isCanonical(link)) return link
  if (SCHEME.test(link)) return WEB.test(link) ? parse(link, undefined) : null
  const relative = HOST.test(link) ? `//${link}` : link
  for (const base of bases) {
    const url = base === null ? null : (behindHost(relative, base) ?? parse(relative, base))
    if (url !== null) return url
  }
  return null
}

/** Escaped once more than the document around it was read; nobody has a parameter that is called `amp;page`. */
function plainly(link: string): string {
  return link.includes('&') ? link.replace(/&(?:amp|#0?38);/g, '&') : link
}

export function isWebUrl(written: string): boolean {
  return WEB.test(written.trim()) && URL.canParse(written.trim())
}

/** Addresses that parsing would return as they are. Names that may be numbers or punycode are left to the parser. */
const CANONICAL =
  /^https?:\/\/(?:(?!xn--)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24}\/[\w\-.~!$&()*+,;=:@%/]*(?:\?[\w\-.~!$&()*+,;=:@%/?]*)?(?:#[\w\-.~!$&()*+,;=:@%/?]*)?$/
function isCanonical(link: string): boolean {
  return CANONICAL.test(link) && !link.includes('/.')
}

/** A path from the root, as most relative links are, needs no parser either where the whole is canonical. */
function behindHost(link: string, base: string): string | null {
  if (link.charCodeAt(0) !== SLASH || link.charCodeAt(1) === SLASH) return null
  const hostEnd = base.indexOf('/', HTTPS.length)
  const url = base.slice(0, Math.max(0, hostEnd)) + link
  return isCanonical(url) ? url : null
}

const SLASH = 0x2f
const HTTPS = 'https://'
const SCHEME = /^[a-z][a-z0-9+.-]*:/i
const WEB = /^https?:/i
/** Without a scheme, but plainly no path. */
const HOST = /^www\.[a-z0-9-]+\.[a-z0-9]/i

function parse(link: string, base: string | undefined): string | null {
  const url = URL.parse(link, base)
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : null
}
