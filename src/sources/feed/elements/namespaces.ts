/**
 * Element names as the vocabularies know them: `title`, `dc:creator`, `content:encoded`, all lower case.
 *
 * A declared prefix counts by its namespace, whatever it is called; an undeclared one is taken at its word, and so is
 * one whose address was miscopied. The namespaces of RSS and Atom have no prefix here: feeds mix them freely and mean
 * the same. Nor has whatever namespace an <rss> or <feed> at the very top gives itself. Elements of a namespace nobody
 * here reads resolve to null. Scopes form a chain as the elements do, each remembering what it resolved.
 */
import { ownCopy } from '../../text/own-copy.ts'
import { MAX_NAMESPACE_SCOPES } from '../limits.ts'
import { ruleFor } from '../vocabularies/all-rules.ts'
import type { Rule } from '../vocabularies/vocabulary.ts'

const NAMESPACES: Record<string, string[]> = {
  '': [
    '',
    'http://blogs.law.harvard.edu/tech/rss',
    'http://cyber.law.harvard.edu/rss/rss.html',
    'http://purl.org/rss/1.0',
    'http://purl.org/net/rss1.1#',
    'http://channel.netscape.com/rdf/simple/0.9',
    'http://my.netscape.com/rdf/simple/0.9',
    'http://my.netscape.com/publish/formats/rss-0.91.dtd',
    'http://purl.org/rss/1.0/modules/rss091#',
    'http://example.com/newformat#',
    'http://example.com/necho',
    'http://purl.org/echo',
    'uri/of/echo/namespace#',
    'http://purl.org/pie',
    'http://purl.org/atom/ns#',
    'http://www.w3.org/2005/atom',
  ],
  content: ['http://purl.org/rss/1.0/modules/content'],
  dc: ['http://purl.org/dc/elements/1.0', 'http://purl.org/dc/elements/1.1'],
  dcterms: ['http://purl.org/dc/terms'],
  feedburner: ['http://rssnamespace.org/feedburner/ext/1.0'],
  itunes: [
    'http://www.itunes.com/dtds/podcast-1.0.dtd',
    'http://example.com/dtds/podcast-1.0.dtd',
    'http://www.google.com/schemas/play-podcasts/1.0',
  ],
  media: ['http://search.yahoo.com/mrss', 'http://video.search.yahoo.com/mrss', 'http://www.rssboard.org/media-rss'],
  pheedo: ['http://www.pheedo.com/namespace/pheedo'],
  prism: ['http://purl.org/rss/1.0/modules/prism'],
  rdf: ['http://www.w3.org/1999/02/22-rdf-syntax-ns#'],
  sy: ['http://purl.org/rss/1.0/modules/syndication'],
  turbo: ['http://turbo.yandex.ru'],
  webfeeds: ['http://webfeeds.org/rss/1.0'],
  xhtml: ['http://www.w3.org/1999/xhtml'],
  xml: ['http://www.w3.org/xml/1998/namespace'],
  yandex: ['http://news.yandex.ru', 'http://news.yandex.com'],
}
const PREFIX_OF = new Map(Object.entries(NAMESPACES).flatMap(([prefix, uris]) => uris.map((uri) => [uri, prefix])))

/** What is left in a miscopied address of what it should be, by the prefix that stands for it. */
const TRACES = new Map(
  Object.entries({
    content: /purl|content/,
    dc: /purl|dublin|\/dc/,
    dcterms: /purl|dublin|\/dc/,
    feedburner: /feedburner/,
    googleplay: /google/,
    itunes: /itunes|podcast/,
    media: /yahoo|mrss|media/,
    prism: /purl|prism/,
    rdf: /rdf|w3/,
    sy: /purl|syndication/,
  }),
)
const TRACE_CHARS = 100

/** Where an address is nobody's, but not far from what everybody means by this prefix. */
function meantBy(prefix: string, uri: string): string | null {
  const isMeant = TRACES.get(prefix)?.test(uri.slice(0, TRACE_CHARS).toLowerCase()) ?? false
  return isMeant ? (UNDECLARED.get(prefix) ?? prefix) : null
}

/** Of elements; no vocabulary has as many. */
const REMEMBERED_NAMES = 256
const REMEMBERED_URIS = 256
const remembered = new Map<string, string | null>()

function prefixOf(uri: string): string | null {
  const known = remembered.get(uri)
  if (known !== undefined) return known
  const prefix = lookUpPrefix(uri)
  if (remembered.size < REMEMBERED_URIS) remembered.set(ownCopy(uri), prefix)
  return prefix
}

/** Schemes are written with and without s, ends with and without a slash. */
function lookUpPrefix(uri: string): string | null {
  const plain = uri
    .trim()
    .toLowerCase()
    .replace(/^https:/, 'http:')
    .replace(/\/$/, '')
  if (plain.includes('backend.userland.com/rss')) return ''
  return PREFIX_OF.get(plain) ?? FAMILIES.find(([family]) => plain.startsWith(family))?.[1] ?? null
}

/** Addresses are copied wrongly, mostly behind the part that says what it is. */
const FAMILIES: [start: string, prefix: string][] = [
  ['http://www.w3.org/2005/atom', ''],
  ['http://purl.org/atom/ns', ''],
  ['http://purl.org/rss/1.0/modules/content', 'content'],
  ['http://purl.org/rss/1.0/modules/syndication', 'sy'],
  ['http://purl.org/dc/elements/', 'dc'],
  ['http://purl.org/dc/terms', 'dcterms'],
  ['http://www.itunes.com/dtds/podcast', 'itunes'],
  ['http://search.yahoo.com/mrss', 'media'],
  ['http://prismstandard.org/namespaces/', 'prism'],
]

/** What prefixes mean where nobody declared them. */
const UNDECLARED = new Map(
  Object.entries({ atom: '', a10: '', atom10: '', rss: '', dcterm: 'dcterms', googleplay: 'itunes' }),
)

export class NamespaceScope {
  readonly #parent: NamespaceScope | null
  readonly #nesting: number
  /** Prefixes and addresses in turn: what one means is asked when it is used. */
  readonly #declared: readonly string[]
  #isAskedAgain = false
  #rules: Map<string, Rule | null> | null = null

  private constructor(parent: NamespaceScope | null, declared: readonly string[]) {
    this.#parent = parent
    this.#nesting = parent ? parent.#nesting + 1 : 0
    this.#declared = declared
  }

  static outermost(): NamespaceScope {
    return new NamespaceScope(null, [])
  }

  /** The scope inside an element with these `xmlns` attributes: prefixes and addresses in turn. */
  within(declared: readonly string[]): NamespaceScope {
    return this.#nesting >= MAX_NAMESPACE_SCOPES ? this : new NamespaceScope(this, declared)
  }

  /** The rule for an element with this name in this scope; null when no vocabulary has one. */
  ruleFor(written: string): Rule | null {
    const remembered = this.#rules?.get(written)
    if (remembered !== undefined) return remembered
    const name = this.#resolve(written.toLowerCase())
    const rule = name === null ? null : ruleFor(name)
    // The scope of a single element is asked but once.
    if (this.#isAskedAgain) this.#rules ??= new Map()
    this.#isAskedAgain = true
    if (this.#rules && this.#rules.size < REMEMBERED_NAMES) this.#rules.set(written, rule)
    return rule
  }

  #resolve(written: string): string | null {
    const colon = written.indexOf(':')
    const prefix = colon < 0 ? '' : written.slice(0, colon)
    const known = this.#lookUp(prefix)
    if (known === null) return null
    return known === '' ? written.slice(colon + 1) : `${known}:${written.slice(colon + 1)}`
  }

  #lookUp(prefix: string): string | null {
    for (let scope: NamespaceScope | null = this; scope; scope = scope.#parent) {
      const at = lastPlace(scope.#declared, prefix)
      const uri = at < 0 ? null : (scope.#declared[at + 1] ?? '')
      if (uri !== null) return prefixOf(uri) ?? meantBy(prefix, uri)
    }
    return UNDECLARED.get(prefix) ?? prefix
  }
}

/** Of a prefix; -1 if it is not declared here. */
function lastPlace(declared: readonly string[], prefix: string): number {
  let at = declared.length - 2
  while (at >= 0 && declared[at] !== prefix) at -= 2
  return at
}
