/**
 * HTML to plain text in one pass, the way jsoup's text() reads.
 *
 * Tags go, references are decoded, script and style leave nothing, comments neither. Every run of white space, every
 * block boundary and every <br> is one space, inline tags are none, the ends are trimmed. Soft hyphens and zero
 * width spaces are dropped. No tree is built and no search runs twice over the same stretch, so the
 * work is linear in the input whatever the input is.
 */
import { referenceAt } from './entities.ts'
import { FlowingText } from './flowing-text.ts'
import { isBlock, rawTextEnd, TagEnds, tagKeyAt } from './html-tags.ts'

const SLASH = 0x2f

/** At most `limitChars` characters of it. */
export function htmlToText(html: string, limitChars: number = Number.POSITIVE_INFINITY): string {
  const ends = new TagEnds(html)
  const flow = new FlowingText(html)
  let at = 0
  for (;;) {
    const open = html.indexOf('<', at)
    const end = open < 0 ? html.length : open
    if (end > at) addText(html, at, end, ends, flow)
    if (open < 0) return flow.text(limitChars)
    const next = html.charCodeAt(open + 1)
    const name = next === SLASH ? open + 2 : open + 1
    if (isLetter(html.charCodeAt(name))) {
      const key = tagKeyAt(html, name)
      if (isBlock(key)) flow.addBreak()
      const close = ends.endOfTag(name)
      at = next === SLASH ? close : rawTextEnd(html, key, close)
    } else {
      at = addOtherMarkup(html, open, ends, flow)
    }
  }
}

/** What stands between two tags, with its references decoded. */
function addText(html: string, start: number, end: number, ends: TagEnds, flow: FlowingText): void {
  let from = start
  for (let at = ends.nextAmpersand(start); at < end; ) {
    const reference = referenceAt(html, at, end, false)
    if (reference) {
      if (at > from) flow.addStretch(from, at)
      flow.addCharacters(reference.text)
      from = at + reference.length
    }
    at = ends.nextAmpersand(reference ? from : at + 1)
  }
  if (end > from) flow.addStretch(from, end)
}

/** Comments, declarations, sections, or just a '<': says where reading goes on. */
function addOtherMarkup(html: string, at: number, ends: TagEnds, flow: FlowingText): number {
  const next = html[at + 1]
  if (next === '/' || next === '?') return ends.endOfTag(at + 2)
  if (next !== '!') {
    flow.addStretch(at, at + 1)
    return at + 1
  }
  if (html.startsWith('--', at + 2)) return ends.endOfComment(at)
  if (html.startsWith('[CDATA[', at + 2)) {
    const close = html.indexOf(']]>', at + 9)
    const end = close < 0 ? html.length : close
    if (end > at + 9) flow.addStretch(at + 9, end)
    return end + 3
  }
  // '<!' before anything but a name begins nothing, and a declaration that never ends is none.
  const close = isLetter(html.charCodeAt(at + 2)) || html[at + 2] === '[' ? ends.endOfTag(at + 2) : at + 2
  if (html[close - 1] !== '>') flow.addStretch(at, close)
  return close
}

function isLetter(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}
