/**
 * Converts HTML to plain text in one pass, like jsoup's text().
 *
 * Tags, comments, scripts and styles are removed, and references are decoded. Every run of white space, every block
 * boundary and every <br> becomes one space; inline tags become nothing; the ends are trimmed. Soft hyphens and zero
 * width spaces are dropped. No tree is built and nothing is searched twice, so the work is linear for every input.
 */
import { ANYTHING, collapseMade, type Rare } from '../text/collapse-space.ts'
import { htmlReferenceAt, nextAmpersand } from './entities.ts'
import { FlowingText } from './flowing-text.ts'
import { HtmlTags } from './html-tags.ts'

const SLASH = 0x2f
const EXCLAMATION_MARK = 0x21
const QUESTION_MARK = 0x3f
const GREATER_THAN = 0x3e

/** Returns at most `limitChars` characters. `rare`: the rare characters that may be in `html`, not as references. */
export function htmlToText(html: string, limitChars: number = Number.POSITIVE_INFINITY, rare: Rare = ANYTHING): string {
  if (!html.includes('<') && !html.includes('&')) return collapseMade(html, html, limitChars, rare)
  const tags = new HtmlTags(html)
  const flow = new FlowingText(html, rare)
  let at = 0
  let ampersand = -1
  for (;;) {
    let open = html.indexOf('<', at)
    let next = html.charCodeAt(open + 1)
    while (open >= 0 && cannotBeginMarkup(next)) {
      open = html.indexOf('<', open + 1)
      next = html.charCodeAt(open + 1)
    }
    const end = open < 0 ? html.length : open
    let from = at
    while (at < end) {
      if (ampersand < at) ampersand = nextAmpersand(html, at)
      const reference = ampersand < end ? htmlReferenceAt(html, ampersand, end) : null
      if (reference === null) {
        // An ampersand that begins no reference is ordinary text.
        at = Math.min(ampersand + 1, end)
        continue
      }
      if (ampersand > from) flow.addRange(from, ampersand)
      flow.addCharacters(reference.text)
      at = ampersand + reference.length
      from = at
    }
    if (end > from) flow.addRange(from, end)
    if (open < 0) return flow.text(limitChars)
    at = behindMarkup(html, open, next, tags, flow)
  }
}

/** The position behind the markup that begins at `open`. `next`: the character code behind the '<'. */
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

/** For comments, instructions, declarations, CDATA sections, end tags without a name, and a '<' that is text. */
function behindOtherMarkup(html: string, at: number, tags: HtmlTags, flow: FlowingText): number {
  const next = html.charCodeAt(at + 1)
  if (next === SLASH || next === QUESTION_MARK) return tags.endOfTag(at + 2)
  if (next !== EXCLAMATION_MARK) {
    flow.addRange(at, at + 1)
    return at + 1
  }
  if (html.startsWith('--', at + 2)) return tags.endOfComment(at)
  if (html.startsWith('[CDATA[', at + 2)) {
    const close = html.indexOf(']]>', at + 9)
    const end = close < 0 ? html.length : close
    if (end > at + 9) flow.addRange(at + 9, end)
    return end + 3
  }
  // '<!' is text unless a name or '[' follows, and so is a declaration that never ends.
  const close = isLetter(html.charCodeAt(at + 2)) || html[at + 2] === '[' ? tags.endOfTag(at + 2) : at + 2
  if (html.charCodeAt(close - 1) !== GREATER_THAN) flow.addRange(at, close)
  return close
}

/** Whether a '<' before this character is certainly text: before a space, a digit and most punctuation. */
function cannotBeginMarkup(next: number): boolean {
  return next < 0x41 && next !== SLASH && next !== EXCLAMATION_MARK && next !== QUESTION_MARK
}

function isLetter(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}
