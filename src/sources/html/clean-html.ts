/**
 * Makes HTML from outside safe to show: no script, style, form, frame, event handler, no address but http(s) and mailto,
 * and nothing that a browser could read differently (SVG, MathML, noscript, templates). Addresses become absolute.
 * Pictures that only count readers are removed. Lazy pictures get their real address.
 *
 * sanitize-html does the work; this file says what stays. Callers run it in a thread with a time limit.
 * See docs/decisions/0120-html-is-cleaned-for-new-posts-only.md
 */
import sanitize from 'sanitize-html'
import { firstBytes } from '../text/first-bytes.ts'
import { absoluteAddress } from './absolute-address.ts'
import { htmlToText } from './html-text.ts'
import { isTooDeep } from './nesting-depth.ts'
import { isTrackingPixel, pictureAddress } from './pictures.ts'
import { cleanSimpleHtml } from './simple-html.ts'
import { type Attributes, closedBy, type SimpleRules, type SimpleTag } from './simple-rules.ts'
import { textAsHtml } from './text-as-html.ts'

export const MAX_HTML_BYTES = 1_048_576
const MAX_DEPTH = 100

/** `image`: the first picture in it that is not an icon. */
export type CleanHtml = { html: string | null; image: string | null }

const TAGS = (
  'a abbr address article aside audio b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl ' +
  'dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p pre q rp rt ruby s samp ' +
  'section small source span strong sub summary sup table tbody td tfoot th thead time tr u ul var video wbr'
).split(' ')

/** What htmlparser2 or a browser takes for raw text, or for another kind of markup. Their text is dropped too. */
const DROPPED_WITH_TEXT = (
  'script style textarea option xmp noscript noembed noframes iframe plaintext title template svg math select button ' +
  'object embed applet'
).split(' ')

const VOID_TAGS = ['img', 'br', 'hr', 'wbr', 'col', 'source']

const ATTRIBUTES = {
  '*': ['dir', 'lang', 'title'],
  a: ['href'],
  audio: ['src', 'controls'],
  video: ['src', 'controls', 'poster', 'width', 'height'],
  source: ['src', 'type'],
  img: ['src', 'alt', 'width', 'height'],
  blockquote: ['cite'],
  q: ['cite'],
  del: ['cite', 'datetime'],
  ins: ['cite', 'datetime'],
  time: ['datetime'],
  ol: ['start', 'reversed', 'type'],
  li: ['value'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan', 'scope'],
  col: ['span'],
  colgroup: ['span'],
  details: ['open'],
}

const ATTRIBUTES_BY_TAG: Readonly<Record<string, readonly string[]>> = ATTRIBUTES

/** The attributes that hold an address. That of a picture is found by its own rules. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  audio: ['src'],
  video: ['src', 'poster'],
  source: ['src'],
  blockquote: ['cite'],
  q: ['cite'],
  del: ['cite'],
  ins: ['cite'],
}

export function cleanHtml(html: string, base: string): CleanHtml {
  return cleanIfSimple(html, base) ?? cleanByParser(html, base)
}

/** In one pass without a parser, so it takes no longer than reading the text. null: a parser has to do it. */
export function cleanIfSimple(html: string, base: string): CleanHtml | null {
  if (html.length > MAX_SIMPLE_CHARS) return null
  const clean = cleanSimpleHtml(html, base, SIMPLE)
  return clean === null || isTooLong(clean) ? null : shown(clean)
}

export function cleanByParser(html: string, base: string): CleanHtml {
  let clean = sanitizeAgainst(isTooDeep(html) ? textAsHtml(htmlToText(html)) : html, base)
  // What is too long is cut and cleaned again, which closes the elements that the cut left open.
  for (let limit = MAX_HTML_BYTES; isTooLong(clean); limit *= 0.9) {
    clean = sanitizeAgainst(withoutCutTag(firstBytes(clean, Math.floor(limit * 0.98))), base)
  }
  return shown(clean)
}

function isTooLong(html: string): boolean {
  // No character of a string has more than three bytes.
  return html.length * 3 > MAX_HTML_BYTES && Buffer.byteLength(html) > MAX_HTML_BYTES
}

function shown(clean: string): CleanHtml {
  const trimmed = clean.trim()
  return { html: hasContent(trimmed) ? trimmed : null, image: firstPicture(trimmed) }
}

function sanitizeAgainst(html: string, base: string): string {
  const clean = sanitize(html, { ...RULES, transformTags: transformsFor(base) })
  return clean.includes(LEFT_OUT_WRITTEN) ? clean.replaceAll(LEFT_OUT_WRITTEN, '') : clean
}

/**
 * What a picture without use is renamed to. sanitize-html writes it as an empty element, which is then removed: its own
 * way to leave elements out copies all that was written before.
 */
const LEFT_OUT = 'left-out'
const LEFT_OUT_WRITTEN = `<${LEFT_OUT} />`

const CLASSES = { code: ['language-*', 'lang-*'], pre: ['language-*', 'lang-*'] }

const RULES: sanitize.IOptions = {
  allowedTags: [...TAGS, LEFT_OUT],
  selfClosing: [...VOID_TAGS, LEFT_OUT],
  nonTextTags: DROPPED_WITH_TEXT,
  allowedAttributes: ATTRIBUTES,
  allowedClasses: CLASSES,
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  parseStyleAttributes: false,
  nestingLimit: MAX_DEPTH,
  disallowedTagsMode: 'discard',
}

const MAX_SIMPLE_CHARS = 2 * MAX_HTML_BYTES

/** What is done to attributes beyond leaving some out. null: the element is left out. */
const REWRITES: Readonly<Record<string, (written: Attributes, base: string) => Attributes | null>> = {
  audio: (written, base) => ({ ...withAbsolute(written, 'audio', base), controls: '' }),
  video: (written, base) => ({ ...withAbsolute(written, 'video', base), controls: '' }),
  img: (written, base) => {
    const src = isTrackingPixel(written) ? null : pictureAddress(written, base)
    return src === null ? null : { ...written, src }
  },
}

function transformsFor(base: string): { [tag: string]: sanitize.Transformer } {
  const transforms: { [tag: string]: sanitize.Transformer } = {}
  for (const tag of [...Object.keys(ADDRESSES), ...Object.keys(REWRITES)]) {
    transforms[tag] = (tagName, written) => {
      const attribs = REWRITES[tag] ? REWRITES[tag](written, base) : withAbsolute(written, tag, base)
      return attribs === null ? { tagName: LEFT_OUT, attribs: {} } : { tagName, attribs }
    }
  }
  return transforms
}

function withAbsolute(written: Attributes, tag: string, base: string): Attributes {
  const resolved = { ...written }
  for (const name of ADDRESSES[tag] ?? []) {
    const address = written[name] === undefined ? null : absoluteAddress(written[name], base)
    if (address === null) delete resolved[name]
    else resolved[name] = address
  }
  return resolved
}

/** The same rules for HTML that needs no parser. */
const SIMPLE: SimpleRules = {
  tags: new Map(TAGS.map((tag) => [tag, simpleTag(tag)])),
  nonBoolean: new Set(sanitize.defaults.nonBooleanAttributes),
  maxDepth: MAX_DEPTH,
}

function simpleTag(tag: string): SimpleTag {
  return {
    isVoid: VOID_TAGS.includes(tag),
    attributes: new Set([...ATTRIBUTES['*'], ...(ATTRIBUTES_BY_TAG[tag] ?? [])]),
    addresses: new Set(ADDRESSES[tag]),
    hasClasses: tag in CLASSES,
    rewrite: REWRITES[tag] ?? null,
    closes: closedBy(tag),
  }
}

function withoutCutTag(html: string): string {
  const open = html.lastIndexOf('<')
  return open > html.lastIndexOf('>') ? html.slice(0, open) : html
}

function hasContent(html: string): boolean {
  // Nearly all HTML has a letter soon after a tag.
  if (/(?:^|>)[^<>&]{0,20}[A-Za-z]/.test(html)) return true
  return /<(?:img|audio|video)\b/.test(html) || /[^\s\p{Cf}]/u.test(html.replace(/<[^<>]*>|&nbsp;/g, ''))
}

const PICTURE = /<img\b([^<>]*)>/g
const ICON_PIXELS = 64

/** Reads what sanitize-html wrote, so attributes always have double quotes. */
function firstPicture(html: string): string | null {
  if (!html.includes('<img')) return null
  for (const [, attributes = ''] of html.matchAll(PICTURE)) {
    const isIcon = [...attributes.matchAll(/ (?:width|height)="(\d+)"/g)].some(
      ([, size]) => Number(size) <= ICON_PIXELS,
    )
    const src = / src="([^"]*)"/.exec(attributes)?.[1]
    if (src && !isIcon && !/emoji|smil(?:ey|ies)/i.test(src)) return src.replaceAll('&amp;', '&')
  }
  return null
}
