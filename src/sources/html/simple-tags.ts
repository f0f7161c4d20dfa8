/**
 * Reads one tag after another of simple, well-formed HTML and writes each as sanitize-html would write it. Every tag that
 * is not exactly of the simple form ends the reading: null. So does everything that makes a parser close other elements.
 */
import { decodeSimpleValue } from './simple-references.ts'

export type Attributes = Record<string, string>

/** What may stay. */
export interface SimpleRules {
  readonly tags: ReadonlySet<string>
  readonly voidTags: ReadonlySet<string>
  /** By tag. Those that every tag may have are included. */
  readonly attributes: ReadonlyMap<string, ReadonlySet<string>>
  /** Dropped when they are empty. */
  readonly nonBoolean: ReadonlySet<string>
  readonly maxDepth: number
}

/** By tag. A tag that gets another name is left out. */
export type Transforms = Readonly<Record<string, (tag: string, written: Attributes) => Transformed>>
export interface Transformed {
  readonly tagName: string
  readonly attribs: Attributes
}

/** The tag is copied as it was written. */
export const AS_WRITTEN = Symbol('as written')

const ATTRIBUTE = /[ \t\n\f\r]+([A-Za-z][\w:.-]*)(?:="([^"]*)"|='([^']*)')?/y
const TAG_END = /[ \t\n\f\r]*\/?>/y
const [SLASH, EXCLAMATION_MARK, GREATER_THAN] = [0x2f, 0x21, 0x3e]

export class SimpleTags {
  readonly #html: string
  readonly #rules: SimpleRules
  readonly #transforms: Transforms
  readonly #open: string[] = []
  /** Behind the tag that was read last. */
  end = 0

  constructor(html: string, rules: SimpleRules, transforms: Transforms) {
    this.#html = html
    this.#rules = rules
    this.#transforms = transforms
  }

  /** What to write for the tag at `at`. */
  read(at: number): string | typeof AS_WRITTEN | null {
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
    const name = this.#open.at(-1)
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

  #readStartTag(at: number): string | typeof AS_WRITTEN | null {
    const { tags, voidTags, maxDepth } = this.#rules
    const stop = this.#endOfName(at + 1)
    const name = this.#html.slice(at + 1, stop)
    if (!tags.has(name) || this.#open.length >= maxDepth || closesOther(name, this.#open.at(-1))) return null
    const isVoid = voidTags.has(name)
    if (!isVoid) this.#open.push(name)
    const transform = this.#transforms[name]
    if (this.#html.charCodeAt(stop) === GREATER_THAN && !transform) {
      this.end = stop + 1
      return isVoid ? `<${name} />` : AS_WRITTEN
    }
    const attributes = this.#readAttributes(stop)
    if (attributes === null || ('class' in attributes && (name === 'code' || name === 'pre'))) return null
    const { tagName, attribs } = transform?.(name, attributes) ?? { tagName: name, attribs: attributes }
    return tagName === name ? `<${name}${this.#written(name, attribs)}${isVoid ? ' />' : '>'}` : ''
  }

  #endOfName(from: number): number {
    let stop = from
    for (;;) {
      const code = this.#html.charCodeAt(stop)
      if (!((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39))) return stop
      stop++
    }
  }

  /** Of an attribute that is written twice, the first counts. */
  #readAttributes(from: number): Attributes | null {
    const attributes: Attributes = {}
    let at = from
    for (;;) {
      ATTRIBUTE.lastIndex = at
      const found = ATTRIBUTE.exec(this.#html)
      if (!found) break
      at = ATTRIBUTE.lastIndex
      const name = (found[1] ?? '').toLowerCase()
      const value = decodeSimpleValue(found[2] ?? found[3] ?? '')
      if (value === null) return null
      if (!Object.hasOwn(attributes, name)) attributes[name] = value
    }
    TAG_END.lastIndex = at
    if (!TAG_END.test(this.#html)) return null
    this.end = TAG_END.lastIndex
    return attributes
  }

  #written(tag: string, attributes: Attributes): string {
    const allowed = this.#rules.attributes.get(tag)
    let written = ''
    for (const name in attributes) {
      if (!allowed?.has(name)) continue
      const value = attributes[name] ?? ''
      if (value !== '') written += ` ${name}="${escapeValue(value)}"`
      else if (name === 'alt') written += ' alt=""'
      else if (!this.#rules.nonBoolean.has(name)) written += ` ${name}`
    }
    return written
  }
}

function escapeValue(value: string): string {
  if (!/[&<>"]/.test(value)) return value
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const HEADINGS = 'h1 h2 h3 h4 h5 h6'
/** Which open elements a parser closes before it opens an element. */
const CLOSES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  (
    [
      ['tr', 'tr th td'],
      ['th', 'th'],
      ['td', 'thead th td'],
      ['a', 'a'],
      ['li', 'li'],
      ['dd dt', 'dd dt'],
      ['rt rp', 'rt rp'],
      ['tbody tfoot', 'thead tbody'],
      [HEADINGS, `${HEADINGS} p`],
      [
        'address article aside blockquote details div dl figcaption figure footer header hr main ol p pre section table ul',
        'p',
      ],
    ] as const
  ).flatMap(([names, closed]) => names.split(' ').map((name) => [name, new Set(closed.split(' '))] as const)),
)

function closesOther(name: string, open: string | undefined): boolean {
  return open !== undefined && CLOSES.get(name)?.has(open) === true
}
