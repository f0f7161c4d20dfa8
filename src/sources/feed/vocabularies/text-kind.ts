/**
 * How the content of an element is to be understood.
 *
 * - `text`: plain text. `html`: escaped HTML. `xhtml`: child elements.
 * - `base64`: declared as base64, which may be wrong. `packed`: text only if it really is base64.
 * - `none`: a picture, a sound or a file, so there is no text.
 * - `guess`: should be text but is often HTML, as in RSS titles. It counts as HTML only if that is nearly certain,
 *   because taking "a <b> tag" for markup would lose words.
 */
import type { Attributes } from '../elements/attributes.ts'

export type TextKind = 'text' | 'html' | 'xhtml' | 'base64' | 'base64 html' | 'packed' | 'guess' | 'none'

const MEDIA_TYPE = /^(?:image|audio|video|font|model)\//

export function textKind(attributes: Attributes, otherwise: TextKind): TextKind {
  const type = typeOf(attributes)
  const mode = attributes.lower('mode')
  if (type && MEDIA_TYPE.test(type)) return 'none'
  if (mode === 'base64') return type?.includes('html') ? 'base64 html' : 'base64'
  // Content that is declared as escaped, but without a type, is probably HTML.
  if (!type) return mode === 'escaped' && otherwise === 'text' ? 'guess' : otherwise
  if (type === 'html' || type === 'text/html') return 'html'
  if (type === 'xhtml' || type.endsWith('+xml') || type.endsWith('/xml')) return 'xhtml'
  if (type === 'text' || type === 'plain' || type.startsWith('text/')) return otherwise === 'guess' ? 'guess' : 'text'
  return type.includes('/') ? 'base64' : otherwise
}

/** Types of files that people can read as text. */
const READABLE_TYPE = /[/+](?:x-)?(?:xml|xhtml|html|json|ndjson|javascript|ecmascript|yaml|toml|markdown|text|plain)$/

/** The same for content, which may be a file of any type. Titles are always text, whatever type they declare. */
export function contentKind(attributes: Attributes, otherwise: TextKind): TextKind {
  const kind = textKind(attributes, otherwise)
  const type = kind === 'base64' ? typeOf(attributes) : undefined
  if (!type?.startsWith('application/') || READABLE_TYPE.test(type)) return kind
  return type === 'application/octet-stream' ? 'packed' : 'none'
}

function typeOf(attributes: Attributes): string | undefined {
  return attributes.lower('type')?.split(';', 1)[0]?.trimEnd()
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
