/**
 * Reads one tag after another of simple, well-formed HTML and writes each as sanitize-html would write it. Every tag that
 * is not exactly of the simple form ends the reading: null. So does everything that makes a parser close other elements.
 */
import { absoluteAddress } from './absolute-address.ts'
import { SimpleAttributes } from './simple-attributes.ts'
import { decodeSimpleValue } from './simple-references.ts'
import type { Attributes, SimpleRules, SimpleTag } from './simple-rules.ts'

/** The tag or attribute is copied as it was written. */
export const AS_WRITTEN = Symbol('as written')
type Written = string | typeof AS_WRITTEN

const [SLASH, EXCLAMATION_MARK, GREATER_THAN] = [0x2f, 0x21, 0x3e]

export class SimpleTags {
  readonly #html: string
  readonly #base: string
  readonly #rules: SimpleRules
  readonly #attributes: SimpleAttributes
  readonly #open: string[] = []
  /** The attributes of this tag that may stay. Of one that is written twice, the first counts. */
  #seen: string[] = []
  /** Behind the tag that was read last. */
  end = 0

  constructor(html: string, base: string, rules: SimpleRules) {
    this.#html = html
    this.#base = base
    this.#rules = rules
    this.#attributes = new SimpleAttributes(html)
  }

  /** What to write for the tag at `at`. */
  read(at: number): Written | null {
    const next = this.#html.charCodeAt(at + 1)
    if (next === SLASH) return this.#readEndTag(at)
    return next === EXCLAMATION_MARK ? this.#readComment(at) : this.#readStartTag(at)
  }

  /** The end tags that are missing at the end. */
  closeAll(): string {
    return this.#open
      .toReversed()
      .map((name) => `</${name}>`)
      .join('')
  }

  #readEndTag(at: number): typeof AS_WRITTEN | null {
    const name = this.#open[this.#open.length - 1]
    if (name === undefined || !this.#html.startsWith(name, at + 2)) return null
    const close = at + 2 + name.length
    if (this.#html.charCodeAt(close) !== GREATER_THAN) return null
    this.#open.pop()
    this.end = close + 1
    return AS_WRITTEN
  }

  #readComment(at: number): '' | null {
    const close = this.#html.indexOf('-->', at + 4)
    if (close < 0 || !this.#html.startsWith('--', at + 2)) return null
    // Comments may end in other ways too, and some of those only in some parsers.
    if (/^-?>|--|<!|[<>]/.test(this.#html.slice(at + 4, close + 1))) return null
    this.end = close + 3
    return ''
  }

  #readStartTag(at: number): Written | null {
    const stop = this.#endOfName(at + 1)
    const name = this.#html.slice(at + 1, stop)
    const tag = this.#rules.tags.get(name)
    const around = this.#open[this.#open.length - 1]
    if (!tag || this.#open.length >= this.#rules.maxDepth) return null
    if (around !== undefined && tag.closes.has(around)) return null
    if (!tag.isVoid) this.#open.push(name)
    return tag.rewrite ? this.#rewritten(name, tag, stop) : this.#copied(name, tag, stop)
  }

  #endOfName(from: number): number {
    let stop = from
    for (;;) {
      const code = this.#html.charCodeAt(stop)
      if (!((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39))) return stop
      stop++
    }
  }

  /** The tag with the attributes that may stay. */
  #copied(name: string, tag: SimpleTag, stop: number): Written | null {
    if (!tag.isVoid && this.#html.charCodeAt(stop) === GREATER_THAN) {
      this.end = stop + 1
      return AS_WRITTEN
    }
    const attributes = this.#attributes
    let changed = ''
    let from = stop
    let at = stop
    if (this.#seen.length > 0) this.#seen = []
    while (attributes.read(at)) {
      const written = this.#attributeOf(tag)
      if (written === null) return null
      if (written !== AS_WRITTEN) {
        changed += this.#html.slice(from, at) + written
        from = attributes.end
      }
      at = attributes.end
    }
    this.end = attributes.endOfTag(at)
    if (this.end < 0) return null
    const close = closeOf(tag)
    const isAsWritten = from === stop && this.end === at + close.length && this.#html.startsWith(close, at)
    return isAsWritten ? AS_WRITTEN : `<${name}${changed}${this.#html.slice(from, at)}${close}`
  }

  /** What to write for the attribute that was just read. */
  #attributeOf(tag: SimpleTag): Written | null {
    const { name, isPlain } = this.#attributes
    if (tag.hasClasses && name === 'class') return null
    if (!tag.attributes.has(name) || this.#seen.includes(name)) return ''
    this.#seen.push(name)
    const { value } = this.#attributes
    const decoded = decodeSimpleValue(value)
    if (decoded === null) return null
    const meant = tag.addresses.has(name) ? absoluteAddress(decoded, this.#base) : decoded
    if (meant === null) return ''
    return isPlain && meant !== '' && escapeValue(meant) === value ? AS_WRITTEN : this.#written(name, meant)
  }

  #rewritten(name: string, tag: SimpleTag, stop: number): string | null {
    const written = this.#readAll(stop)
    if (written === null) return null
    const attributes = tag.rewrite?.(written, this.#base) ?? null
    if (attributes === null) return ''
    let all = ''
    for (const attribute in attributes) {
      if (tag.attributes.has(attribute)) all += this.#written(attribute, attributes[attribute] ?? '')
    }
    return `<${name}${all}${closeOf(tag)}`
  }

  #readAll(from: number): Attributes | null {
    const all: Attributes = {}
    const attributes = this.#attributes
    let at = from
    while (attributes.read(at)) {
      at = attributes.end
      if (Object.hasOwn(all, attributes.name)) continue
      const value = decodeSimpleValue(attributes.value)
      if (value === null) return null
      all[attributes.name] = value
    }
    this.end = attributes.endOfTag(at)
    return this.end < 0 ? null : all
  }

  #written(name: string, value: string): string {
    if (value !== '') return ` ${name}="${escapeValue(value)}"`
    if (name === 'alt') return ' alt=""'
    return this.#rules.nonBoolean.has(name) ? '' : ` ${name}`
  }
}

function closeOf({ isVoid }: SimpleTag): string {
  return isVoid ? ' />' : '>'
}

function escapeValue(value: string): string {
  const joined = value.includes('&') ? value.replaceAll('&', '&amp;') : value
  if (!/[<>"]/.test(joined)) return joined
  return joined.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
