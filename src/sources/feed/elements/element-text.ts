/**
 * What stands between the tags of one element, read only when somebody asks.
 *
 * It is a range of the document with what the scanner saw in it on the way: child elements, CDATA, comments. Most
 * texts of a feed are never asked for (the summary of an entry that has content), and most of the others are one
 * stretch of characters or one CDATA section, which is read where it stands, without being copied first.
 */
import { isUtf8 } from 'node:buffer'
import { decodeEntities } from '../../html/entities.ts'
import { htmlToText } from '../../html/html-text.ts'
import { collapseSpace, type Rare } from '../../text/collapse-space.ts'
import { ownCopy } from '../../text/own-copy.ts'
import { MAX_OF_A_KIND } from '../limits.ts'
import { withoutControls } from '../text-repair/control-characters.ts'
import type { TextKind } from '../vocabularies/text-kind.ts'
import { looksLikeHtml } from '../vocabularies/text-kind.ts'

/** What the scanner met inside the element, as flags. */
export type Seen = number
export const NOTHING: Seen = 0
export const MARKUP: Seen = 1
export const CDATA: Seen = 2
/** Comments and processing instructions. */
export const NOISE: Seen = 4
/** The text is no XML at all: nothing in it is a reference. */
export const LITERAL: Seen = 8
/** The range is what one CDATA section holds, and the element has nothing else. */
export const SECTION: Seen = 16
const RARE_SHIFT = 8

/** For all that is known, this may be in it. */
export function seenRare(rare: Rare): Seen {
  return rare << RARE_SHIFT
}

export class ElementText {
  readonly #source: string
  readonly #start: number
  readonly #end: number
  readonly #seen: Seen

  constructor(source: string, start: number, end: number, seen: Seen) {
    this.#source = source
    this.#start = start
    this.#end = end
    this.#seen = seen
  }

  /** A value from a format without markup of its own: nothing in it is a reference. */
  static literally(value: string): ElementText {
    return new ElementText(value, 0, value.length, LITERAL)
  }

  /** Nothing at all stands between the tags. */
  get isEmpty(): boolean {
    return this.#start >= this.#end
  }

  /** The characters the element holds: references decoded, CDATA as it stands, child elements as their text. */
  value(): string {
    const raw = this.#source.slice(this.#start, this.#end)
    if (!this.#has(LITERAL | MARKUP | CDATA | NOISE)) return unwrapped(decodeEntities(raw, true).trim())
    if (this.#has(LITERAL)) return raw.trim()
    if (this.#has(MARKUP)) return htmlToText(raw)
    return unwrapped((this.#sectionAlone() ?? joinSections(raw)).trim())
  }

  /** The value, or where there are elements in it, those too: for what is compared and never read. */
  asWritten(): string {
    return this.#has(MARKUP) ? this.#source.slice(this.#start, this.#end).trim() : this.value()
  }

  /** What each of the list items in it says, as the lists of RDF and HTML write them; null if it is no list. */
  listed(items = LIST_ITEM): string[] | null {
    if (!this.#has(MARKUP)) return null
    const parts = this.#source.slice(this.#start, this.#end).split(items, MAX_PARTS)
    return parts.length > 1 ? parts.map((part) => htmlToText(part)) : null
  }

  /** The text a reader sees, as the kind says the element is to be understood. */
  plain(kind: TextKind, limitChars?: number): string {
    const limit = limitChars ?? Number.POSITIVE_INFINITY
    if (kind === 'none') return ''
    if (this.#has(MARKUP)) return kind === 'packed' ? '' : this.#withoutMarkup(kind, limit)
    if (kind === 'base64' || kind === 'base64 html' || kind === 'packed') return plainBase64(this.value(), kind, limit)
    if (kind === 'html' && this.#has(CDATA)) {
      const section = this.#sectionAlone()
      if (section !== null) return htmlToText(ownCopy(section), limit, this.#seen >> RARE_SHIFT)
    }
    const value = this.value()
    return kind === 'html' || this.#isHtmlAfterAll(value, kind) ? htmlToText(value, limit) : collapseSpace(value, limit)
  }

  /** Without an element in it, what says it is XHTML does not know what it says. */
  #isHtmlAfterAll(value: string, kind: TextKind): boolean {
    if (kind === 'text') return false
    return (kind === 'guess' || this.#has(CDATA) || value.includes('<')) && looksLikeHtml(value)
  }

  #has(flags: Seen): boolean {
    return (this.#seen & flags) !== 0
  }

  /** What is in the one CDATA section of an element that holds nothing else but white space. */
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

  /** Some wrap escaped HTML, or a section of it, into a real <div>. */
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
    const wrapped = /^\s*<div\b[^<>]*>[^<]*<\/div\s*>\s*$/.test(raw)
    return wrapped ? htmlToText(text, limit) : text
  }
}

export const ANY_ELEMENT = /<[^<>]*>/
/** The beginning or end of one. */
const LIST_ITEM = /<\/?(?:[a-z][\w.-]*:)?li(?:\s[^<>]*)?\/?>/i
/** Of an honest list, with what stands between its items. */
const MAX_PARTS = 2 * MAX_OF_A_KIND

export const SECTION_OPEN = '<![CDATA['
export const SECTION_CLOSE = ']]>'

/** What is in the one section that a <div> holds, and the element around it nothing else; null for all else. */
function sectionInDiv(raw: string): string | null {
  const open = /^\s*<div\b[^<>]*>\s*<!\[CDATA\[/.exec(raw)
  if (!open) return null
  const close = raw.indexOf(SECTION_CLOSE, open[0].length)
  return close >= 0 && BEHIND_SECTION.test(raw.slice(close)) ? raw.slice(open[0].length, close) : null
}

const BEHIND_SECTION = /^\]\]>\s*<\/div\s*>\s*$/

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
    // Closed twice, and only opened once.
    if (raw.startsWith(SECTION_CLOSE, at) && !raw.startsWith(SECTION_OPEN, inner)) at += SECTION_CLOSE.length
  }
  return out
}

/** The text of a section without `]]>`, and without what was meant to be one. */
export function unclosedSection(text: string): string {
  return text.replace(/\](?:\]?\s?>|\])\s*$/, '')
}

/** A section inside another, or escaped with all the rest: two templates have wrapped the same text. */
function unwrapped(value: string): string {
  if (!value.endsWith(SECTION_CLOSE)) return value
  const open = value.search(/<!\[CDATA\[/i)
  // None that begins with it, nor one inside: somebody has closed what nobody opened.
  if (open > 0) return value
  return value.slice(open < 0 ? 0 : SECTION_OPEN.length, -SECTION_CLOSE.length).trim()
}

const COMMENT = /<!--|<\?/g

/** Comments and instructions go; one that never ends takes the rest with it. */
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

/** XHTML whose elements are all named like <x:p>, as plain HTML. */
function withoutPrefix(raw: string): string {
  const prefix = /^\s*<([a-z][\w.-]{0,30}):/i.exec(raw)?.[1]
  return prefix === undefined ? raw : raw.replaceAll(`<${prefix}:`, '<').replaceAll(`</${prefix}:`, '</')
}

/** No text has words like that, so that it is something else that was packed. */
const LONG_PACKED = /^\S{60}/
/** Nor characters like these, which are not even white space. */
const IN_FILES = /[\x00-\x08\x0e-\x1f\x7f]/

/** Text that says it is packed and is not is left alone. */
function plainBase64(value: string, kind: TextKind, limit: number): string {
  const bytes = Buffer.from(/^[\w+/\s-]*={0,2}\s*$/.test(value) ? value : '', 'base64')
  if (bytes.length === 0 || !isUtf8(bytes)) {
    return kind === 'packed' || LONG_PACKED.test(value) ? '' : collapseSpace(value, limit)
  }
  const unpacked = bytes.toString()
  if (IN_FILES.test(unpacked)) return ''
  const text = withoutControls(unpacked)
  return kind === 'base64 html' || looksLikeHtml(text) ? htmlToText(text, limit) : collapseSpace(text, limit)
}
