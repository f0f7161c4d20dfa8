/** The opening tag that is being read: its name, its attributes, and what these mean for everything inside the element. */
import { Attributes } from './attributes.ts'
import { MAX_ATTRIBUTES } from './limits.ts'
import { webUrl } from './links.ts'
import type { NamespaceScope } from './namespaces.ts'
import type { Site } from './vocabulary.ts'

const NO_PAIRS: string[] = []
const MAX_REMEMBERED_BASES = 64
const ROOTS = /^(?:rss|feed|channel)$/i

export class OpenTag {
  readonly #documentUrl: string
  start = 0
  written = ''
  #attributeName = ''
  #pairs: string[] = NO_PAIRS
  /** By what was stated and where: where one element says so, its siblings mostly say the same. */
  readonly #bases = new Map<string, string | null>()

  constructor(documentUrl: string) {
    this.#documentUrl = documentUrl
  }

  begin(start: number, written: string): void {
    this.start = start
    this.written = written
    this.#pairs = NO_PAIRS
  }

  nameAttribute(name: string): void {
    this.#attributeName = name.toLowerCase()
  }

  giveValue(value: string): void {
    if (this.#pairs.length >= 2 * MAX_ATTRIBUTES) return
    if (this.#pairs === NO_PAIRS) this.#pairs = []
    this.#pairs.push(this.#attributeName, value)
  }

  attributes(): Attributes {
    return this.#pairs === NO_PAIRS ? Attributes.none : new Attributes(this.#pairs)
  }

  /** The namespaces inside the element. */
  scopeWithin(around: NamespaceScope, isRoot: boolean): NamespaceScope {
    if (this.#pairs === NO_PAIRS) return around
    let declarations: [string, string][] | null = null
    for (let at = 0; at < this.#pairs.length; at += 2) {
      const name = this.#pairs[at] ?? ''
      if (!name.startsWith('xmlns')) continue
      declarations ??= []
      if (name === 'xmlns') declarations.push(['', this.#pairs[at + 1] ?? ''])
      else if (name[5] === ':') declarations.push([name.slice(6), this.#pairs[at + 1] ?? ''])
    }
    return declarations ? around.within(declarations, isRoot && ROOTS.test(this.written)) : around
  }

  /** What relative links inside the element refer to. */
  baseWithin(around: Site, attributes: Attributes): string | null {
    if (attributes === Attributes.none) return around.base
    const stated = attributes.firstOf('xml:base', 'base')
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
