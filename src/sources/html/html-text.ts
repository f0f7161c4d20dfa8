/**
 * HTML to plain text in one pass, the way jsoup's text() reads.
 *
 * Tags go, references are decoded, script and style leave nothing, comments neither. Every run of white space, every
 * block boundary and every <br> is one space, inline tags are none, the ends are trimmed. Soft hyphens and zero
 * width spaces are dropped. No tree is built and no search runs twice over the same stretch, so the
 * work is linear in the input whatever the input is.
 */
import { ANYTHING, collapseMade, type Rare } from '../text/collapse-space.ts'
import { htmlReferenceAt, nextAmpersand } from './entities.ts'
import { FlowingText } from './flowing-text.ts'
import { HtmlTags } from './html-tags.ts'

const SLASH = 0x2f
const EXCLAMATION_MARK = 0x21
const QUESTION_MARK = 0x3f
const GREATER_THAN = 0x3e

/** At most `limitChars` characters of it. `rare`: what may be in it as it is, not as a reference. */
export function htmlToText(html: string, limitChars: number = Number.POSITIVE_INFINITY, rare: Rare = ANYTHING): string {
  if (!html.includes('<') && !html.includes('&')) return collapseMade(html, html, limitChars, rare)
  const tags = new HtmlTags(html)
  const flow = new FlowingText(html, rare)
  let at = 0
  let ampersand = -1
  for (;;) {
    let open = html.indexOf('<', at)
    let next = html.charCodeAt(open + 1)
    while (open >= 0 && beginsNothing(next)) {
      open = html.indexOf('<', open + 1)
      next = html.charCodeAt(open + 1)
    }
    const end = open < 0 ? html.length : open
    let from = at
    while (at < end) {
      if (ampersand < at) ampersand = nextAmpersand(html, at)
      const reference = ampersand < end ? htmlReferenceAt(html, ampersand, end) : null
      if (reference === null) {
        // An ampersand that begins nothing is part of what stands around it.
        at = Math.min(ampersand + 1, end)
        continue
      }
      if (ampersand > from) flow.addStretch(from, ampersand)
      flow.addCharacters(reference.text)
      at = ampersand + reference.length
      from = at
    }
    if (end > from) flow.addStretch(from, end)
    if (open < 0) return flow.text(limitChars)
    at = behindMarkup(html, open, next, tags, flow)
  }
}

/** Where reading goes on behind what this '<' begins, which is followed by `next`. */
function behindMarkup(html: string, open: number, next: number, tags: HtmlTags, flow: FlowingText): number {
  const isEnd = next === SLASH
  const name = isEnd ? open + 2 : open + 1
  const first = isEnd ? html.charCodeAt(name) : next
  if (!isLetter(first)) return behindOtherMarkup(html, open, tags, flow)
  tags.read(name, first)
  const { breaking, end } = tags
  if (!breaking) return end
  flow.addBreak()
  return isEnd ? end : tags.behindRawText(breaking, end)
}

/** Comments, instructions, declarations, sections, end tags without a name, or just a '<'. */
function behindOtherMarkup(html: string, at: number, tags: HtmlTags, flow: FlowingText): number {
  const next = html.charCodeAt(at + 1)
  if (next === SLASH || next === QUESTION_MARK) return tags.endOfTag(at + 2)
  if (next !== EXCLAMATION_MARK) {
    flow.addStretch(at, at + 1)
    return at + 1
  }
  if (html.startsWith('--', at + 2)) return tags.endOfComment(at)
  if (html.startsWith('[CDATA[', at + 2)) {
    const close = html.indexOf(']]>', at + 9)
    const end = close < 0 ? html.length : close
    if (end > at + 9) flow.addStretch(at + 9, end)
    return end + 3
  }
  // '<!' before anything but a name begins nothing, and a declaration that never ends is none.
  const close = isLetter(html.charCodeAt(at + 2)) || html[at + 2] === '[' ? tags.endOfTag(at + 2) : at + 2
  if (html.charCodeAt(close - 1) !== GREATER_THAN) flow.addStretch(at, close)
  return close
}

/** Whether a '<' before this is plainly text: before a space, a digit, most signs. Others may turn out to be text too. */
function beginsNothing(next: number): boolean {
  return next < 0x41 && next !== SLASH && next !== EXCLAMATION_MARK && next !== QUESTION_MARK
}

function isLetter(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}
