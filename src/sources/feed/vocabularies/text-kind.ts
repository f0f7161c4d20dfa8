/**
 * How the text of an element is to be understood.
 *
 * `text`: as it stands. `html`: escaped HTML. `xhtml`: markup in place. `base64`: packed, or says so. `packed`: text only
 * if it is packed. `none`: a picture, a sound or a file, no text at all. `guess`: meant to be text, but often HTML in
 * practice (titles of RSS): HTML only if it cannot well be anything else, since taking "a <b> tag" for markup loses words.
 */
import type { Attributes } from '../elements/attributes.ts'

export type TextKind = 'text' | 'html' | 'xhtml' | 'base64' | 'base64 html' | 'packed' | 'guess' | 'none'

const NO_TEXT = /^(?:image|audio|video|font|model)\//

export function textKind(attributes: Attributes, otherwise: TextKind): TextKind {
  const type = typeOf(attributes)
  const mode = attributes.lower('mode')
  if (type && NO_TEXT.test(type)) return 'none'
  if (mode === 'base64') return type?.includes('html') ? 'base64 html' : 'base64'
  // What says that it is escaped, and not what, has something to escape.
  if (!type) return mode === 'escaped' && otherwise === 'text' ? 'guess' : otherwise
  if (type === 'html' || type === 'text/html') return 'html'
  if (type === 'xhtml' || type.endsWith('+xml') || type.endsWith('/xml')) return 'xhtml'
  if (type === 'text' || type === 'plain' || type.startsWith('text/')) return otherwise === 'guess' ? 'guess' : 'text'
  return type.includes('/') ? 'base64' : otherwise
}

/** What programs write and people can read. */
const READABLE = /[/+](?:x-)?(?:xml|xhtml|html|json|ndjson|javascript|ecmascript|yaml|toml|markdown|text|plain)$/

/** The same for content, which may be a file of any program; a title can only be words, whatever it says it is. */
export function contentKind(attributes: Attributes, otherwise: TextKind): TextKind {
  const kind = textKind(attributes, otherwise)
  const type = kind === 'base64' ? typeOf(attributes) : undefined
  if (!type?.startsWith('application/') || READABLE.test(type)) return kind
  return type === 'application/octet-stream' ? 'packed' : 'none'
}

function typeOf(attributes: Attributes): string | undefined {
  return attributes.lower('type')?.replace(/\s*;.*$/, '')
}

const HTML_ELEMENTS = new Set(
  (
    'a abbr acronym address area article aside audio b bdi bdo big blockquote br button canvas caption center cite ' +
    'code col colgroup dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer form h1 h2 ' +
    'h3 h4 h5 h6 header hr i img input ins kbd label legend li main map mark menu nav nobr ol optgroup option p pre ' +
    'q rp rt ruby s samp section select small source span strike strong sub summary sup table tbody td textarea ' +
    'tfoot th thead time tr tt u ul var video wbr'
  ).split(' '),
)
const TAG = /<\/?([a-z][a-z0-9]*)/gi
const CLOSING_TAG = /<\/[a-z][a-z0-9]*\s*>|<(?:br|hr|img)\b[^<>]*>/i
const REFERENCE = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z0-9]{1,31});/i

export function looksLikeHtml(value: string): boolean {
  const markup = value.includes('<')
  if (!(markup && CLOSING_TAG.test(value)) && !(value.includes('&') && REFERENCE.test(value))) return false
  if (!markup) return true
  for (const tag of value.matchAll(TAG)) if (!HTML_ELEMENTS.has((tag[1] ?? '').toLowerCase())) return false
  return true
}
