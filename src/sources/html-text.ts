/**
 * HTML to plain text in one pass, the way jsoup's text() reads.
 *
 * Tags go, references are decoded, script and style leave nothing, comments neither. Every run of white space, every
 * block boundary and every <br> is one space, inline tags are none, the ends are trimmed. Soft hyphens and zero
 * width spaces are dropped. No tree is built and no search runs twice over the same stretch, so the
 * work is linear in the input whatever the input is.
 */
import { collapseSpace, collapseVisible } from './collapse-space.ts'
import { decodeEntities } from './entities.ts'
import { isBlock, rawTextEnd, TagEnds, tagKeyAt } from './html-tags.ts'

/** At most `limitChars` characters of it. */
export function htmlToText(html: string, limitChars: number = Number.POSITIVE_INFINITY): string {
  const text = withoutTags(html)
  return html.includes(ZERO_WIDTH_SPACE) ? collapseSpace(text, limitChars) : collapseVisible(text, limitChars)
}

/** References to it are dropped where they are decoded. */
const ZERO_WIDTH_SPACE = '\u200b'

function withoutTags(html: string): string {
  const ends = new TagEnds(html)
  let out = ''
  let at = 0
  for (;;) {
    const open = html.indexOf('<', at)
    const end = open < 0 ? html.length : open
    if (end > at) out += ends.nextAmpersand(at) < end ? decodeEntities(html.slice(at, end), false) : html.slice(at, end)
    if (open < 0) return out
    const next = html.charCodeAt(open + 1)
    const name = next === SLASH ? open + 2 : open + 1
    if (isLetter(html.charCodeAt(name))) {
      const key = tagKeyAt(html, name)
      if (isBlock(key)) out += ' '
      const close = ends.endOfTag(name)
      at = next === SLASH ? close : rawTextEnd(html, key, close)
    } else {
      const { text, behind } = otherMarkup(html, open, ends)
      out += text
      at = behind
    }
  }
}

const SLASH = 0x2f

/** Comments, declarations, sections, or just a '<': the text in it and where reading goes on. */
function otherMarkup(html: string, at: number, ends: TagEnds): { text: string; behind: number } {
  const next = html[at + 1]
  if (next === '/' || next === '?') return { text: '', behind: ends.endOfTag(at + 2) }
  if (next !== '!') return { text: '<', behind: at + 1 }
  if (html.startsWith('--', at + 2)) return { text: '', behind: ends.endOfComment(at) }
  if (html.startsWith('[CDATA[', at + 2)) {
    const close = html.indexOf(']]>', at + 9)
    const end = close < 0 ? html.length : close
    return { text: html.slice(at + 9, end), behind: end + 3 }
  }
  // '<!' before anything but a name begins nothing, and a declaration that never ends is none.
  const close = isLetter(html.charCodeAt(at + 2)) || html[at + 2] === '[' ? ends.endOfTag(at + 2) : at + 2
  return { text: html[close - 1] === '>' ? '' : html.slice(at, close), behind: close }
}

function isLetter(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}
