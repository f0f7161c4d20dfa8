/**
 * Finds the rule for an element by its name and namespace. The vocabularies use names such as `title`, `dc:creator` and
 * `content:encoded`, in lower case.
 *
 * A declared prefix is translated by its namespace. An undeclared one is taken as written, and so is one whose address
 * was copied wrongly. The namespaces of RSS and Atom have no prefix here, because feeds mix them freely. An unknown
 * namespace has no rules. Scopes form a chain, as elements do, and each remembers the rules it has looked up.
 */
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
  podcast: [
    'http://podcastindex.org/namespace/1.0',
    'http://github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md',
  ],
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

/** For each prefix, what a wrongly copied address still contains of the right one. */
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

/** The usual meaning of the prefix, if an unknown address resembles the right one; else null. */
function usualMeaning(prefix: string, uri: string): string | null {
  const isSimilar = TRACES.get(prefix)?.test(uri.slice(0, TRACE_CHARS).toLowerCase()) ?? false
  return isSimilar ? (UNDECLARED.get(prefix) ?? prefix) : null
}

/** More element names than any vocabulary has. */
const REMEMBERED_NAMES = 256

/** Feeds write http or https, and with or without a slash at the end. */
function prefixOf(uri: string): string | null {
  const plain = uri
    .trim()
    .toLowerCase()
    .replace(/^https:/, 'http:')
    .replace(/\/$/, '')
  if (plain.includes('backend.userland.com/rss')) return ''
  return PREFIX_OF.get(plain) ?? ADDRESS_BEGINNINGS.find(([family]) => plain.startsWith(family))?.[1] ?? null
}

/** Addresses are often copied wrongly at the end, so the beginning is enough. */
const ADDRESS_BEGINNINGS: [start: string, prefix: string][] = [
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

/** The meaning of undeclared prefixes that differ from the ones used here. */
const UNDECLARED = new Map(
  Object.entries({ atom: '', a10: '', atom10: '', rss: '', dcterm: 'dcterms', googleplay: 'itunes' }),
)

export class NamespaceScope {
  readonly #parent: NamespaceScope | null
  readonly #nesting: number
  /** Prefixes and addresses, alternating. They are translated when they are used. */
  readonly #declared: readonly string[]
  #wasAsked = false
  #rules: Map<string, Rule | null> | null = null

  private constructor(parent: NamespaceScope | null, declared: readonly string[]) {
    this.#parent = parent
    this.#nesting = parent ? parent.#nesting + 1 : 0
    this.#declared = declared
  }

  static outermost(): NamespaceScope {
    return new NamespaceScope(null, [])
  }

  /** The scope inside an element with these `xmlns` attributes: prefixes and addresses, alternating. */
  within(declared: readonly string[]): NamespaceScope {
    return this.#nesting >= MAX_NAMESPACE_SCOPES ? this : new NamespaceScope(this, declared)
  }

  /** The rule for an element with this name in this scope; null if no vocabulary has one. */
  ruleFor(written: string): Rule | null {
    const remembered = this.#rules?.get(written)
    if (remembered !== undefined) return remembered
    const name = this.#resolve(written.toLowerCase())
    const rule = name === null ? null : ruleFor(name)
    // The scope of a single element is asked only once and needs no map.
    if (this.#wasAsked) this.#rules ??= new Map()
    this.#wasAsked = true
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
      const at = lastDeclaration(scope.#declared, prefix)
      const uri = at < 0 ? null : (scope.#declared[at + 1] ?? '')
      if (uri !== null) return prefixOf(uri) ?? usualMeaning(prefix, uri)
    }
    return UNDECLARED.get(prefix) ?? prefix
  }
}

/** The position of the last declaration of a prefix; -1 if there is none. */
function lastDeclaration(declared: readonly string[], prefix: string): number {
  let at = declared.length - 2
  while (at >= 0 && declared[at] !== prefix) at -= 2
  return at
}
