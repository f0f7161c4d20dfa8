/**
 * Converts HTML to plain text with the rules of `htmlToText` and no shortcuts. It is the
 * reference that the fast conversion is tested against.
 *
 * It removes tags one after the other, decodes the references between them and collapses white space at the end.
 */
import { decodeEntities } from '../../src/sources/html/entities.ts'
import { BLOCKS, RAW_TEXT } from '../../src/sources/html/html-tags.ts'

const INVISIBLE = /[\u00ad\u200b]/g
const WHITE_SPACE = /[\t\n\v\f\r\u00a0 ]+/g
/** A '<' before any other character is text. */
const MARKUP = /<(?=[A-Za-z/!?])/g
const TAG = /<(\/?)([a-z][a-z0-9]*)/iy

export function plainHtmlToText(html: string): string {
  let text = ''
  let at = 0
  while (at < html.length) {
    MARKUP.lastIndex = at
    const open = MARKUP.exec(html)?.index ?? html.length
    text += decodeEntities(html.slice(at, open), false)
    if (open === html.length) break
    const markup = readMarkup(html, open)
    text += markup.text
    at = markup.end
  }
  return text.replace(INVISIBLE, '').replace(WHITE_SPACE, ' ').replace(/^ | $/g, '')
}

/** What the markup at this '<' leaves in the text, and where it ends. */
type Markup = { text: string; end: number }

function readMarkup(html: string, open: number): Markup {
  TAG.lastIndex = open
  const tag = TAG.exec(html)
  if (tag) return readTag(html, open + tag[0].length, tag[2]?.toLowerCase() ?? '', tag[1] === '/')
  if (html.startsWith('<!--', open)) return { text: '', end: endOfComment(html, open) }
  if (html.startsWith('<![CDATA[', open)) return readSection(html, open + '<![CDATA['.length)
  if (html.startsWith('<!', open)) return readDeclaration(html, open)
  return { text: '', end: endOfTag(html, open + 2) }
}

function readTag(html: string, nameEnd: number, name: string, isEndTag: boolean): Markup {
  const end = endOfTag(html, nameEnd)
  if (!BLOCKS.includes(name)) return { text: '', end }
  const hasRawText = RAW_TEXT.has(name) && !isEndTag && html[end - 2] !== '/'
  if (!hasRawText) return { text: ' ', end }
  const closing = html.slice(end).search(new RegExp(`</${name}(?=[\\s/>])`, 'i'))
  return { text: ' ', end: closing < 0 ? html.length : end + closing }
}

/** The opening dashes may also close the comment. An unclosed comment is an ordinary tag. */
function endOfComment(html: string, open: number): number {
  const close = html.indexOf('-->', open + '<!'.length)
  return close < 0 ? endOfTag(html, open + '<!--'.length) : close + '-->'.length
}

function readSection(html: string, start: number): Markup {
  const close = html.indexOf(']]>', start)
  const end = close < 0 ? html.length : close
  return { text: html.slice(start, end), end: end + ']]>'.length }
}

/** '<!' is text unless a name or '[' follows, and so is a declaration that never ends. */
function readDeclaration(html: string, open: number): Markup {
  const start = open + '<!'.length
  const end = /[a-z[]/i.test(html.charAt(start)) ? endOfTag(html, start) : start
  return { text: html[end - 1] === '>' ? '' : html.slice(open, end), end }
}

/** A '>' in a quoted value does not count. A quote opens a value only behind '=', and only if it is closed. */
function endOfTag(html: string, from: number): number {
  let at = from
  for (;;) {
    const close = html.indexOf('>', at)
    if (close < 0) return html.length
    const quote = at + html.slice(at).search(/["']/)
    if (quote < at || quote > close) return close + 1
    const closing = /=\s*$/.test(html.slice(0, quote)) ? html.indexOf(html.charAt(quote), quote + 1) : -1
    at = (closing < 0 ? quote : closing) + 1
  }
}
