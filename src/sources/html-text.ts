/**
 * HTML to plain text in one pass over the characters, the way jsoup's text() reads.
 *
 * Tags go, references are decoded, script and style leave nothing, comments neither. Every run of white space, every
 * block boundary and every <br> is one space, inline tags are none, the ends are trimmed. Soft hyphens, zero width
 * spaces and control characters are dropped. No tree is built and no character is looked at more than a few times,
 * so the work is linear in the input whatever the input is.
 */
import { referenceAt } from './entities.ts'
import { endOfTag, findWithin, isBlock, type OpenEnds, rawTextEnd, tagNameAt } from './html-tags.ts'

export function htmlToText(html: string, limitChars: number = Number.POSITIVE_INFINITY): string {
  return htmlRangeToText(html, 0, html.length, limitChars)
}

/** The same for a part of a larger text, which need not be cut out first. */
export function htmlRangeToText(html: string, start: number, end: number, limitChars: number): string {
  const text = new FlowingText(limitChars)
  const open: OpenEnds = { comment: true, cdata: true, single: true, double: true }
  let at = start
  while (at < end && !text.full) {
    const lessThan = html.indexOf('<', at)
    if (lessThan < 0 || lessThan >= end) {
      text.append(html, at, end)
      break
    }
    if (lessThan > at) text.append(html, at, lessThan)
    at = afterMarkup(html, lessThan, end, text, open)
  }
  return text.finish()
}

/** Takes in the markup that starts at `at`, or the bare '<' there, and says where reading goes on. */
function afterMarkup(html: string, at: number, end: number, text: FlowingText, open: OpenEnds): number {
  const next = at + 1 < end ? html.charCodeAt(at + 1) : 0
  if (!isLetter(next) && next !== 0x2f && next !== 0x21 && next !== 0x3f) {
    text.append(html, at, at + 1)
    return at + 1
  }
  if (next === 0x21) return afterDeclaration(html, at, end, text, open)
  const close = endOfTag(html, at, end, open)
  if (next === 0x3f) return close
  const name = tagNameAt(html, next === 0x2f ? at + 2 : at + 1, end)
  if (isBlock(name)) text.space()
  return next === 0x2f ? close : rawTextEnd(html, name, close, end)
}

function afterDeclaration(html: string, at: number, end: number, text: FlowingText, open: OpenEnds): number {
  if (html.startsWith('<!--', at)) {
    const close = open.comment ? findWithin(html, '-->', at + 4, end) : -1
    open.comment = close >= 0
    return close < 0 ? endOfTag(html, at, end, open) : close + 3
  }
  if (html.startsWith('<![CDATA[', at)) {
    const close = open.cdata ? findWithin(html, ']]>', at + 9, end) : -1
    open.cdata = close >= 0
    text.appendLiteral(html, at + 9, close < 0 ? end : close)
    return close < 0 ? end : close + 3
  }
  // '<!' before anything but a name begins nothing, and a declaration that never ends is none.
  const close = isLetter(html.charCodeAt(at + 2)) || html[at + 2] === '[' ? endOfTag(html, at, end, open) : at + 2
  if (html.charCodeAt(close - 1) === GREATER_THAN) return close
  text.append(html, at, close)
  return close
}

function isLetter(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

/** Plain text with its white space run together; no markup and no references in it. */
export function collapseSpace(text: string, limitChars: number = Number.POSITIVE_INFINITY): string {
  const flow = new FlowingText(limitChars)
  flow.appendLiteral(text, 0, text.length)
  return flow.finish()
}

const AMPERSAND = 0x26
const GREATER_THAN = 0x3e

class FlowingText {
  #out = ''
  #pendingSpace = false
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  get full(): boolean {
    return this.#out.length >= this.#limit
  }

  space(): void {
    this.#pendingSpace = true
  }

  append(source: string, start: number, end: number): void {
    this.#take(source, start, end, AMPERSAND)
  }

  appendLiteral(source: string, start: number, end: number): void {
    this.#take(source, start, end, -1)
  }

  finish(): string {
    if (this.#out.length <= this.#limit) return this.#out
    const last = this.#out.charCodeAt(this.#limit - 1)
    const whole = last >= 0xd800 && last <= 0xdbff ? this.#limit - 1 : this.#limit
    return this.#out.slice(0, whole).trimEnd()
  }

  /** Copies whole stretches; only an irregular space, a dropped character or a reference ends one. */
  #take(source: string, start: number, end: number, ampersand: number): void {
    let from = start
    let at = start
    while (at < end) {
      const code = source.charCodeAt(at)
      if (code > 0x20 && code !== ampersand && code < 0xa0) {
        at++
      } else if (code === 0x20 && at > from && at + 1 < end && isInk(source.charCodeAt(at + 1), ampersand)) {
        at += 2
      } else if (code === ampersand) {
        const reference = referenceAt(source, at, end, false)
        if (reference) {
          this.#flush(source, from, at)
          this.#take(reference.text, 0, reference.text.length, -1)
          at += reference.length
          from = at
        } else at++
      } else if (code > 0xa0 && code !== 0xad && code !== 0x200b && code !== 0xfeff) {
        at++
      } else {
        this.#flush(source, from, at)
        if (isSpace(code)) this.#pendingSpace = true
        at++
        from = at
      }
    }
    this.#flush(source, from, end)
  }

  #flush(source: string, from: number, to: number): void {
    if (from >= to) return
    if (this.#pendingSpace) {
      if (this.#out !== '') this.#out += ' '
      this.#pendingSpace = false
    }
    this.#out += source.slice(from, to)
  }
}

function isInk(code: number, ampersand: number): boolean {
  return code > 0x20 && code < 0xa0 && code !== ampersand
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0
}
