/**
 * What text reading needs to know about HTML tags: where one ends, what it is called, whether it breaks the flow.
 *
 * `OpenEnds` remembers that an ending was looked for in vain, so that a flood of unclosed tags does not search the
 * rest of the document each time.
 */
export type OpenEnds = { comment: boolean; cdata: boolean; single: boolean; double: boolean }

const BLOCKS = new Set(
  (
    'address article aside audio blockquote body br canvas caption center col colgroup dd details dialog dir div dl ' +
    'dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li ' +
    'link listing main marquee math menu meta nav noframes noscript ol option p plaintext pre script section style ' +
    'summary svg table tbody td template tfoot th thead title tr ul video xmp'
  ).split(' '),
)
const RAW_TEXT = new Map(['script', 'style'].map((name) => [name, new RegExp(`</${name}(?=[\\s/>])`, 'i')]))
const LONGEST_NAME = 10

export function isBlock(name: string): boolean {
  return BLOCKS.has(name)
}

/** The lower case name at `start`; empty when it is longer than any name that matters here. */
export function tagNameAt(html: string, start: number, end: number): string {
  const last = Math.min(end, start + LONGEST_NAME + 1)
  let stop = start
  let upper = false
  for (; stop < last; stop++) {
    const code = html.charCodeAt(stop)
    if (code >= 0x41 && code <= 0x5a) upper = true
    else if ((code < 0x61 || code > 0x7a) && (code < 0x30 || code > 0x39)) break
  }
  const name = html.slice(start, stop)
  return upper ? name.toLowerCase() : name
}

/** Just behind the '>' that ends the tag at `at`; a '>' in a quoted value does not. The end when there is none. */
export function endOfTag(html: string, at: number, end: number, open: OpenEnds): number {
  let afterEquals = false
  for (let i = at + 1; i < end; i++) {
    const code = html.charCodeAt(i)
    if (code === 0x3e) return i + 1
    if (afterEquals && (code === 0x22 || code === 0x27)) {
      const close = endOfQuote(html, i, end, open)
      if (close > 0) i = close
    }
    if (code !== 0x20 && code !== 0x0a) afterEquals = code === 0x3d
  }
  return end
}

/** Searched by hand and only up to `end`: the text behind it may be long and is none of this range's business. */
function endOfQuote(html: string, at: number, end: number, open: OpenEnds): number {
  const quote = html.charCodeAt(at)
  if (!(quote === 0x22 ? open.double : open.single)) return -1
  for (let i = at + 1; i < end; i++) if (html.charCodeAt(i) === quote) return i
  if (quote === 0x22) open.double = false
  else open.single = false
  return -1
}

/** The position of `needle` between `from` and `end`, or -1. */
export function findWithin(html: string, needle: string, from: number, end: number): number {
  const found = html.slice(from, end).indexOf(needle)
  return found < 0 ? -1 : from + found
}

/** Where reading goes on behind an opening tag: behind the whole element for script and its like. */
export function rawTextEnd(html: string, name: string, close: number, end: number): number {
  const closing = RAW_TEXT.get(name)
  if (!closing || html.charCodeAt(close - 2) === 0x2f) return close
  const found = html.slice(close, end).search(closing)
  return found < 0 ? end : close + found
}
