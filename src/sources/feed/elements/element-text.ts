/**
 * The content of one element, converted to text only when it is needed.
 *
 * It is a range of the document, with flags for what the scan saw in it: child elements, CDATA, comments. Most texts of
 * a feed are never needed, such as the summary of an entry that has content. Most others are plain characters or one
 * CDATA section, which can be read directly.
 */
import { isUtf8 } from 'node:buffer'
import { decodeEntities } from '../../html/entities.ts'
import { htmlToText } from '../../html/html-text.ts'
import { escapeHtml, textAsHtml } from '../../html/text-as-html.ts'
import { collapseSpace, type Rare } from '../../text/collapse-space.ts'
import { MAX_OF_A_KIND } from '../limits.ts'
import { withoutControls } from '../text-repair/control-characters.ts'
import type { TextKind } from '../vocabularies/text-kind.ts'
import { looksLikeHtml } from '../vocabularies/text-kind.ts'

/** What the scan saw inside the element, as flags. */
export type Seen = number
export const NOTHING: Seen = 0
export const MARKUP: Seen = 1
export const CDATA: Seen = 2
/** Comments and processing instructions. */
export const NOISE: Seen = 4
/** The text is not XML: nothing in it is a reference. */
export const LITERAL: Seen = 8
/** The element holds one CDATA section and nothing else. The range is the inside of that section. */
export const SECTION: Seen = 16
const RARE_SHIFT = 8

/** Flags for rare characters that may be in the text. */
export function seenRare(rare: Rare): Seen {
  return rare << RARE_SHIFT
}

export class ElementText {
  readonly #source: string
  readonly #start: number
  readonly #end: number
  readonly #seen: Seen
  /** Kept, because an entry needs the same value as text and as HTML. */
  #value: string | null = null

  constructor(source: string, start: number, end: number, seen: Seen) {
    this.#source = source
    this.#start = start
    this.#end = end
    this.#seen = seen
  }

  /** A value from a format that is not XML. */
  static literally(value: string): ElementText {
    return new ElementText(value, 0, value.length, LITERAL)
  }

  /** There is nothing between the tags, not even white space. */
  get isEmpty(): boolean {
    return this.#start >= this.#end
  }

  /** The characters in the element: references decoded, CDATA as it is, child elements as their text. */
  value(): string {
    this.#value ??= this.#decoded()
    return this.#value
  }

  #decoded(): string {
    const raw = this.#source.slice(this.#start, this.#end)
    if (!this.#has(LITERAL | MARKUP | CDATA | NOISE)) return unwrapped(decodeEntities(raw, true).trim())
    if (this.#has(LITERAL)) return raw.trim()
    if (this.#has(MARKUP)) return htmlToText(raw)
    return unwrapped((this.#sectionAlone() ?? joinSections(raw)).trim())
  }

  /** The value, or the markup if there are child elements. For values that are only compared. */
  asWritten(): string {
    return this.#has(MARKUP) ? this.#source.slice(this.#start, this.#end).trim() : this.value()
  }

  /** The text of each item of an RDF or HTML list; null if there is no list. */
  listed(items = LIST_ITEM): string[] | null {
    if (!this.#has(MARKUP)) return null
    const parts = this.#source.slice(this.#start, this.#end).split(items, MAX_PARTS)
    return parts.length > 1 ? parts.map((part) => htmlToText(part)) : null
  }

  /** The text that a reader sees. `kind` says how the content is to be understood. */
  plain(kind: TextKind, limitChars?: number): string {
    const limit = limitChars ?? Number.POSITIVE_INFINITY
    if (kind === 'none') return ''
    if (this.#has(MARKUP)) return kind === 'packed' ? '' : this.#withoutMarkup(kind, limit)
    if (kind === 'base64' || kind === 'base64 html' || kind === 'packed') return plainBase64(this.value(), kind, limit)
    if (kind === 'html' && this.#has(CDATA)) {
      const section = this.#sectionAlone()
      if (section !== null) return htmlToText(section, limit, this.#seen >> RARE_SHIFT)
    }
    const value = this.value()
    return kind === 'html' || this.#isUndeclaredHtml(value, kind)
      ? htmlToText(value, limit)
      : collapseSpace(value, limit)
  }

  /** The content as HTML, not cleaned; empty if there is none. Plain text becomes paragraphs. */
  html(kind: TextKind): string {
    if (kind === 'none') return ''
    if (this.#has(MARKUP)) return kind === 'packed' ? '' : this.#markup(kind)
    if (kind === 'base64' || kind === 'base64 html' || kind === 'packed') return htmlInBase64(this.value(), kind)
    if (kind === 'html' && this.#has(CDATA)) {
      const section = this.#sectionAlone()
      if (section !== null) return section
    }
    const value = this.value()
    return kind === 'html' || this.#isUndeclaredHtml(value, kind) ? value : textAsHtml(value)
  }

  #markup(kind: TextKind): string {
    const raw = this.#source.slice(this.#start, this.#end)
    const section = this.#has(CDATA) ? sectionInDiv(raw) : null
    if (section !== null) return section
    const markup = kind === 'xhtml' ? withoutPrefix(raw) : raw
    if (kind === 'html' && ESCAPED_IN_DIV.test(raw)) return htmlToText(raw)
    return this.#has(CDATA) ? markup.replace(SECTIONS, (_whole, text: string) => escapeHtml(text)) : markup
  }

  /** Whether a text that is not declared as HTML is HTML. Content declared as XHTML but without elements is checked too. */
  #isUndeclaredHtml(value: string, kind: TextKind): boolean {
    if (kind === 'text') return false
    return (kind === 'guess' || this.#has(CDATA) || value.includes('<')) && looksLikeHtml(value)
  }

  #has(flags: Seen): boolean {
    return (this.#seen & flags) !== 0
  }

  /** The inside of the CDATA section if the element holds one section and otherwise only white space; else null. */
  #sectionAlone(): string | null {
    const source = this.#source
    if (this.#has(SECTION)) return source.slice(this.#start, this.#end)
    let from = this.#start
    while (from < this.#end && source.charCodeAt(from) <= 0x20) from++
    let to = this.#end
    while (to > from && source.charCodeAt(to - 1) <= 0x20) to--
    if (!source.startsWith(SECTION_OPEN, from) || !source.endsWith(SECTION_CLOSE, to)) return null
    const inner = from + SECTION_OPEN.length
    const end = to - SECTION_CLOSE.length
    return source.indexOf(SECTION_CLOSE, inner) === end ? source.slice(inner, end) : null
  }

  /** The text of child elements. Some feeds wrap escaped HTML, or a CDATA section of HTML, into a real <div>. */
  #withoutMarkup(kind: TextKind, limit: number): string {
    const raw = this.#source.slice(this.#start, this.#end)
    if (this.#has(CDATA)) {
      const section = sectionInDiv(raw)
      if (section !== null && (kind === 'html' || (section.includes('<') && looksLikeHtml(section)))) {
        return htmlToText(section, limit)
      }
    }
    const text = htmlToText(kind === 'xhtml' ? withoutPrefix(raw) : raw, limit)
    if (kind !== 'html' || !text.includes('<')) return text
    if (text.startsWith(SECTION_OPEN)) return unwrapped(text)
    return ESCAPED_IN_DIV.test(raw) ? htmlToText(text, limit) : text
  }
}

export const ANY_ELEMENT = /<[^<>]*>/
/** The start tag or end tag of a list item. */
const LIST_ITEM = /<\/?(?:[a-z][\w.-]*:)?li(?:\s[^<>]*)?\/?>/i
/** The items of a list and the text between them. */
const MAX_PARTS = 2 * MAX_OF_A_KIND

export const SECTION_OPEN = '<![CDATA['
export const SECTION_CLOSE = ']]>'

/** The inside of the CDATA section in a <div>, if there is nothing else around either; else null. */
function sectionInDiv(raw: string): string | null {
  const open = /^\s*<div\b[^<>]*>\s*<!\[CDATA\[/.exec(raw)
  if (!open) return null
  const close = raw.indexOf(SECTION_CLOSE, open[0].length)
  return close >= 0 && END_OF_SECTION_AND_DIV.test(raw.slice(close)) ? raw.slice(open[0].length, close) : null
}

/** A <div> with nothing but text in it. */
const ESCAPED_IN_DIV = /^\s*<div\b[^<>]*>[^<]*<\/div\s*>\s*$/
const SECTIONS = /<!\[CDATA\[([\s\S]*?)\]\]>/g

const END_OF_SECTION_AND_DIV = /^\]\]>\s*<\/div\s*>\s*$/

function joinSections(raw: string): string {
  let out = ''
  let at = 0
  while (at < raw.length) {
    const open = raw.indexOf(SECTION_OPEN, at)
    out += decodeEntities(withoutComments(raw.slice(at, open < 0 ? raw.length : open)), true)
    if (open < 0) break
    const inner = open + SECTION_OPEN.length
    const close = raw.indexOf(SECTION_CLOSE, inner)
    if (close < 0) return out + unclosedSection(raw.slice(inner))
    out += raw.slice(inner, close)
    at = close + SECTION_CLOSE.length
    // The section was opened once and closed twice.
    if (raw.startsWith(SECTION_CLOSE, at) && !raw.startsWith(SECTION_OPEN, inner)) at += SECTION_CLOSE.length
  }
  return out
}

/** The text of an unclosed section, without a broken `]]>` at its end. */
export function unclosedSection(text: string): string {
  return text.replace(/\](?:\]?\s?>|\])\s*$/, '')
}

/** Removes a second CDATA wrapper, escaped or not: two templates have wrapped the same text. */
function unwrapped(value: string): string {
  if (!value.endsWith(SECTION_CLOSE)) return value
  const open = value.search(/<!\[CDATA\[/i)
  // Without any opening mark the `]]>` is a leftover and is removed as well.
  if (open > 0) return value
  return value.slice(open < 0 ? 0 : SECTION_OPEN.length, -SECTION_CLOSE.length).trim()
}

const COMMENT = /<!--|<\?/g

/** Removes comments and processing instructions. An unclosed one removes the rest of the text. */
function withoutComments(raw: string): string {
  let out = ''
  let at = 0
  for (;;) {
    COMMENT.lastIndex = at
    const open = COMMENT.exec(raw)
    if (!open) return out + raw.slice(at)
    out += raw.slice(at, open.index)
    const end = open[0] === '<?' ? '?>' : '-->'
    const close = raw.indexOf(end, open.index + 2)
    if (close < 0) return out
    at = close + end.length
  }
}

/** Turns XHTML with prefixed elements, such as <x:p>, into plain HTML. */
function withoutPrefix(raw: string): string {
  const prefix = /^\s*<([a-z][\w.-]{0,30}):/i.exec(raw)?.[1]
  return prefix === undefined ? raw : raw.replaceAll(`<${prefix}:`, '<').replaceAll(`</${prefix}:`, '</')
}

/** No text begins with a word of 60 characters, so this is encoded data. */
const LONG_WORD = /^\S{60}/
/** Control characters that occur in binary files but not in text. */
const BINARY_CHARACTER = /[\x00-\x08\x0e-\x1f\x7f]/

function plainBase64(value: string, kind: TextKind, limit: number): string {
  const { text, isHtml } = decodeBase64(value, kind)
  return isHtml ? htmlToText(text, limit) : collapseSpace(text, limit)
}

function htmlInBase64(value: string, kind: TextKind): string {
  const { text, isHtml } = decodeBase64(value, kind)
  return isHtml ? text : textAsHtml(text)
}

/** Decodes base64. Text that is declared as base64 but is not stays as it is. */
function decodeBase64(value: string, kind: TextKind): { text: string; isHtml: boolean } {
  const bytes = Buffer.from(/^[\w+/\s-]*(?:={1,2}\s*)?$/.test(value) ? value : '', 'base64')
  if (bytes.length === 0 || !isUtf8(bytes)) {
    return { text: kind === 'packed' || LONG_WORD.test(value) ? '' : value, isHtml: false }
  }
  const unpacked = bytes.toString()
  if (BINARY_CHARACTER.test(unpacked)) return { text: '', isHtml: false }
  const text = withoutControls(unpacked)
  return { text, isHtml: kind === 'base64 html' || looksLikeHtml(text) }
}
