/**
 * Bytes to text, for feeds and pages.
 *
 * Order of belief: byte order mark, the byte pattern of 16 and 32 bit units, Content-Type, XML declaration or <meta>,
 * strict UTF-8, windows-1252. A declaration behind the root of the document is a quotation and says nothing. A claim
 * that the bytes refute is passed over, so that a wrong header does not spoil a document whose declaration is right;
 * so is one of another charset for what is plainly UTF-8.
 * UTF-8 that is broken in a few places is mended there and nowhere else.
 * Labels mean what browsers take them for: iso-8859-1 and us-ascii are windows-1252, gb2312 is gb18030, and those of
 * Korean and of traditional Chinese cover what Windows and Hong Kong have added to them.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { isForeignUtf8, isPlainlyUtf8 } from './plain-utf8.ts'
import { prologOf } from './prolog.ts'
import { mendUtf8 } from './repair-utf8.ts'

export type CharsetHint = { contentType?: string | undefined; kind: 'xml' | 'html' }
export type DecodedText = { text: string; charset: string }

const SNIFF_BYTES = 4096

export function decodeText(bytes: Uint8Array, hint: CharsetHint): DecodedText {
  const wide = wideCharset(bytes)
  if (wide) return { text: decodeLoosely(bytes, wide), charset: wide }
  const claims = hasUtf8Mark(bytes) ? ['utf-8'] : claimedCharsets(bytes, hint)
  if (isUtf8AfterAll(bytes, claims)) return { text: validUtf8(bytes), charset: 'utf-8' }
  for (const charset of claims) {
    const text = decodeStrictly(bytes, charset)
    if (text !== null) return { text, charset }
  }
  const text = utf8Text(bytes)
  if (text !== null) return { text, charset: 'utf-8' }
  const claimed = claims[0]
  if (claimed !== undefined && claimed !== 'utf-8') return { text: decodeLoosely(bytes, claimed), charset: claimed }
  return mendUtf8(bytes, claimed !== undefined)
}

/** Whether a document is UTF-8 and nothing else; its parts can then be read one by one, with `validUtf8`. */
export function isUtf8Document(bytes: Uint8Array, hint: CharsetHint): boolean {
  if (wideCharset(bytes)) return false
  const [claimed] = hasUtf8Mark(bytes) ? ['utf-8'] : claimedCharsets(bytes, hint)
  return (claimed ?? 'utf-8') === 'utf-8' && isUtf8(bytes)
}

/** Any bytes are text in most charsets of one byte a letter, so that such a claim is refuted only by what they are instead. */
function isUtf8AfterAll(bytes: Uint8Array, [first, second]: readonly string[]): boolean {
  if (first === undefined || first === 'utf-8') return false
  return second === 'utf-8' ? isForeignUtf8(bytes) : isPlainlyUtf8(bytes)
}

function hasUtf8Mark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

/** The charset of a document in 16 or 32 bit units, by its mark or by where the zeros around its first character are. */
function wideCharset(bytes: Uint8Array): string | null {
  const [a, b, c, d] = bytes
  if (a === 0 && b === 0) return (c === 0xfe && d === 0xff) || (c === 0 && beginsDocument(d)) ? 'utf-32be' : null
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'utf-32le' : 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a === 0 && beginsDocument(b) && c === 0) return 'utf-16be'
  if (beginsDocument(a) && b === 0) return c === 0 && d === 0 ? 'utf-32le' : d === 0 ? 'utf-16le' : null
  return null
}

/** An angle bracket, a brace, or the white space that some templates leave before them. */
function beginsDocument(code: number | undefined): boolean {
  return code === 0x3c || code === 0x7b || code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

function claimedCharsets(bytes: Uint8Array, hint: CharsetHint): string[] {
  const http = /;\s*charset\s*=\s*["']?\s*([^\s"';,]+)/i.exec(hint.contentType ?? '')?.[1]
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SNIFF_BYTES)).toString('latin1')
  const inside = (hint.kind === 'html' ? declaredInMeta(head) : undefined) ?? declaredInXml(prologOf(head, hint.kind))
  return [http, inside].flatMap((label) => (label === undefined ? [] : (charsetOf(label) ?? [])))
}

function declaredInXml(prolog: string): string | undefined {
  return /<\?xml\s[^>]*?\bencoding\s*=\s*["']?\s*([^\s"'?>]+)/i.exec(prolog)?.[1]
}

/** Only <meta> outside comments counts; `http-equiv` and `charset` forms both end in `charset=`. */
function declaredInMeta(head: string): string | undefined {
  const bare = head.replace(/<!--[\s\S]*?(?:-->|$)/g, '')
  return /<meta\s[^>]*?\bcharset\s*=\s*["']?\s*([^\s"';/>]+)/i.exec(bare)?.[1]
}

/** The runtime reads the first of these without what was added later; the last two are names of iconv alone. */
const WIDER = new Map([
  ['gbk', 'gb18030'],
  ['euc-kr', 'cp949'],
  ['big5', 'big5hkscs'],
])

/** Of 16 and 32 bit units. */
const WIDE = /^(utf-?16|utf-?32|ucs-?[24]|u16|u32|unicode|csucs4|csunicode|iso-10646)/
/** Names of what is done to bytes on their way; browsers refuse UTF-7 too, and it takes five times as long as others. */
const NO_CHARSET = /^(x-user-defined|binary|base64|hex$|utf-?7|unicode-?1-1-utf-?7|cs-?utf-?7)/

/** What a label stands for here; null for one that nobody knows or that 8-bit bytes have already refuted. */
function charsetOf(label: string): string | null {
  const name = label.toLowerCase().slice(0, 40).replaceAll('_', '-')
  if (name === 'utf-8') return name
  if (/^(us-)?ascii$|^ansi-x3\.4|^iso646-us$|^iso-ir-6$/.test(name)) return 'us-ascii'
  if (WIDE.test(name) || NO_CHARSET.test(name)) return null
  try {
    const known = new TextDecoder(label.toLowerCase()).encoding
    return WIDER.get(known) ?? known
  } catch {
    return iconv.encodingExists(name) ? name : null
  }
}

function decodeStrictly(bytes: Uint8Array, charset: string): string | null {
  if (charset === 'us-ascii') return isAscii(bytes) ? utf8Text(bytes) : null
  if (charset === 'utf-8') return utf8Text(bytes)
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch (error) {
    // RangeError: not a charset of TextDecoder's; TypeError: the bytes are not of that charset.
    return error instanceof RangeError ? withoutReplacements(iconv.decode(asBuffer(bytes), charset)) : null
  }
}

/** Which iconv puts where bytes mean nothing. */
function withoutReplacements(text: string): string | null {
  return text.includes('\ufffd') ? null : text
}

function decodeLoosely(bytes: Uint8Array, charset: string): string {
  if (charset === 'us-ascii') return new TextDecoder('windows-1252').decode(bytes)
  if (charset.startsWith('utf-32')) return iconv.decode(asBuffer(bytes), charset).replace(/^\ufeff/, '')
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return iconv.decode(asBuffer(bytes), charset)
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** Without its mark; null if it is none. Buffers are faster here than TextDecoder, most of all with ASCII, as most feeds are. */
function utf8Text(bytes: Uint8Array): string | null {
  return isUtf8(bytes) ? validUtf8(bytes) : null
}

/** What is known to be UTF-8. */
export function validUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return isAscii(bytes) ? buffer.toString('latin1') : buffer.toString('utf8', hasUtf8Mark(bytes) ? 3 : 0)
}
