/** The start tag that is being read: its name, its attributes, and what these mean for everything inside the element. */

import { webUrl } from '../finish/links.ts'
import { MAX_ATTRIBUTES } from '../limits.ts'
import type { Site } from '../vocabularies/vocabulary.ts'
import { Attributes } from './attributes.ts'
import type { NamespaceScope } from './namespaces.ts'

const BASE = ['xml:base', 'base']
const MAX_CACHED_BASES = 64
/** The first letter of `xmlns` and `xml:base`. */
const X = 0x78
const ROOTS = /^(?:rss|feed|channel)$/i

export class OpenTag {
  readonly #documentUrl: string
  start = 0
  written = ''
  /** Whether an attribute may declare a namespace or a base, which apply to everything inside the element. */
  reachesInside = false
  /** Names and values as written, alternating. */
  #pairs: string[] = []
  /** Resolved bases. A feed that states one usually repeats it in every entry. */
  readonly #bases = new Map<string, string | null>()

  constructor(documentUrl: string) {
    this.#documentUrl = documentUrl
  }

  begin(start: number, written: string): void {
    this.start = start
    this.written = written
    if (this.#pairs.length > 0) this.#pairs = []
    this.reachesInside = false
  }

  /** `name` in lower case, `value` as written. */
  addAttribute(name: string, value: string): void {
    if (this.#pairs.length >= 2 * MAX_ATTRIBUTES) return
    this.#pairs.push(name, value)
    if (name.charCodeAt(0) === X || name === 'base') this.reachesInside = true
  }

  attributes(): Attributes {
    return this.#pairs.length === 0 ? Attributes.none : new Attributes(this.#pairs)
  }

  /** The namespaces inside the element. */
  scopeWithin(around: NamespaceScope, isRoot: boolean): NamespaceScope {
    let declared: string[] | null = null
    for (let at = 0; at < this.#pairs.length; at += 2) {
      const prefix = declaredPrefix(this.#pairs[at] ?? '')
      if (prefix === null) continue
      // The root of a feed counts as such, whatever namespace it declares.
      const meant = prefix === '' && isRoot && ROOTS.test(this.written) ? '' : (this.#pairs[at + 1] ?? '')
      declared ??= []
      declared.push(prefix, meant)
    }
    return declared ? around.within(declared) : around
  }

  /** The base for relative links inside the element. */
  baseWithin(around: Site, attributes: Attributes): string | null {
    const stated = attributes.firstOf(BASE)
    if (stated === null) return around.base
    const base = around.base ?? this.#documentUrl
    const key = `${base} ${stated}`
    let resolved = this.#bases.get(key)
    if (resolved === undefined) {
      resolved = webUrl(stated, base)
      if (this.#bases.size < MAX_CACHED_BASES) this.#bases.set(key, resolved)
    }
    return resolved ?? around.base
  }
}

/** The prefix that an `xmlns` attribute declares, empty for the default namespace; null for other attributes. */
function declaredPrefix(attribute: string): string | null {
  if (!attribute.startsWith('xmlns')) return null
  if (attribute.length === 5) return ''
  return attribute[5] === ':' ? attribute.slice(6) : null
}
