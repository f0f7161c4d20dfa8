/** Makes absolute http(s) addresses from what feeds write. */
import { isCanonicalAddress } from '../../text/canonical-address.ts'

/** The address, resolved against the first base that works; null if it is not an http(s) address. */
export function webUrl(written: string, ...bases: (string | null)[]): string | null {
  const link = withPlainAmpersands(inOneLine(written.trim()))
  if (link === '') return null
  if (link.charCodeAt(0) === SLASH) return resolved(link, bases)
  if (isCanonicalAddress(link)) return link
  if (SCHEME.test(link)) return WEB.test(link) ? parse(link, undefined) : null
  return resolved(HOST.test(link) ? `//${link}` : link, bases)
}

function resolved(relative: string, bases: readonly (string | null)[]): string | null {
  for (let at = 0; at < bases.length; at++) {
    const base = bases[at] ?? null
    const url = base === null ? null : (joined(relative, base) ?? parse(relative, base))
    if (url !== null) return url
  }
  return null
}

const LINE_BREAK = /[\r\n]/

/** Joins an address that was wrapped into several lines. The URL parser would keep the spaces at the line ends. */
function inOneLine(link: string): string {
  if (!LINE_BREAK.test(link)) return link
  return link
    .split(LINE_BREAK)
    .map((line) => line.trim())
    .join('')
}

/** Decodes ampersands that were escaped twice. No site has a parameter named `amp;page`. */
function withPlainAmpersands(link: string): string {
  return link.includes('&') ? link.replace(/&(?:amp|#0?38);/g, '&') : link
}

/** Whether it begins with http: or https:. It may still be invalid. */
export function hasWebScheme(link: string): boolean {
  return WEB.test(link)
}

/** Joins an ordinary path to its base without the parser, which is faster; null if the result may need the parser. */
function joined(path: string, base: string): string | null {
  const first = path.charCodeAt(0)
  if (first === QUESTION || first === HASH || (first === SLASH && path.charCodeAt(1) === SLASH)) return null
  const end = first === SLASH ? base.indexOf('/', HTTPS.length) : endOfDirectory(base)
  const url = base.slice(0, Math.max(0, end)) + path
  return isCanonicalAddress(url) ? url : null
}

/** The position behind the last slash of the path; 0 if there is none or it may belong to a query. */
function endOfDirectory(base: string): number {
  const slash = base.includes('?') || base.includes('#') ? -1 : base.lastIndexOf('/')
  return slash < HTTPS.length ? 0 : slash + 1
}

const SLASH = 0x2f
const QUESTION = 0x3f
const HASH = 0x23
const HTTPS = 'https://'
const SCHEME = /^[a-z][a-z0-9+.-]*:/i
const WEB = /^https?:/i
/** An address without its scheme, which is certainly not a path. */
const HOST = /^www\.[a-z0-9-]+\.[a-z0-9]/i

function parse(link: string, base: string | undefined): string | null {
  const url = URL.parse(link, base)
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : null
}
