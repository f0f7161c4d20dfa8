/** The start tag that is being read: its name, its attributes, and what these mean for everything inside the element. */

import { webUrl } from '../finish/links.ts'
import { MAX_ATTRIBUTES } from '../limits.ts'
import type { Site } from '../vocabularies/vocabulary.ts'
import { Attributes } from './attributes.ts'
import type { NamespaceScope } from './namespaces.ts'

const BASE = ['xml:base', 'base']
const MAX_REMEMBERED_BASES = 64
/** Of `xmlns` and `xml:base`. */
const X = 0x78
const ROOTS = /^(?:rss|feed|channel)$/i

export class OpenTag {
  readonly #documentUrl: string
  start = 0
  written = ''
  /** An attribute may say something about all that stands inside the element; if none does, that is as around it. */
  reachesInside = false
  /** Names and raw values in turn; those of tags before this one stand behind its own. */
  readonly #pairs: string[] = new Array(2 * MAX_ATTRIBUTES).fill('')
  #taken = 0
  /** By what was stated and where: where one element says so, its siblings mostly say the same. */
  readonly #bases = new Map<string, string | null>()

  constructor(documentUrl: string) {
    this.#documentUrl = documentUrl
  }

  begin(start: number, written: string): void {
    this.start = start
    this.written = written
    this.#taken = 0
    this.reachesInside = false
  }

  /** `name` in lower case, `value` as written. */
  addAttribute(name: string, value: string): void {
    const taken = this.#taken
    if (taken >= this.#pairs.length) return
    this.#pairs[taken] = name
    this.#pairs[taken + 1] = value
    this.#taken = taken + 2
    if (name.charCodeAt(0) === X || name === 'base') this.reachesInside = true
  }

  attributes(): Attributes {
    return this.#taken === 0 ? Attributes.none : new Attributes(this.#pairs.slice(0, this.#taken))
  }

  /** The namespaces inside the element. */
  scopeWithin(around: NamespaceScope, isRoot: boolean): NamespaceScope {
    let declared: string[] | null = null
    for (let at = 0; at < this.#taken; at += 2) {
      const prefix = declaredPrefix(this.#pairs[at] ?? '')
      if (prefix === null) continue
      // Whatever namespace the root of a feed gives itself, it is a feed.
      const meant = prefix === '' && isRoot && ROOTS.test(this.written) ? '' : (this.#pairs[at + 1] ?? '')
      declared ??= []
      declared.push(prefix, meant)
    }
    return declared ? around.within(declared) : around
  }

  /** What relative links inside the element refer to. */
  baseWithin(around: Site, attributes: Attributes): string | null {
    const stated = attributes.firstOf(BASE)
    if (stated === null) return around.base
    const base = around.base ?? this.#documentUrl
    const key = `${base} ${stated}`
    let resolved = this.#bases.get(key)
    if (resolved === undefined) {
      resolved = webUrl(stated, base)
      if (this.#bases.size < MAX_REMEMBERED_BASES) this.#bases.set(key, resolved)
    }
    return resolved ?? around.base
  }
}

/** Of an attribute that declares a namespace; null for all others. */
function declaredPrefix(attribute: string): string | null {
  if (!attribute.startsWith('xmlns')) return null
  if (attribute.length === 5) return ''
  return attribute[5] === ':' ? attribute.slice(6) : null
}
