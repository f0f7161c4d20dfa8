/**
 * Decodes the bytes of feeds and pages.
 *
 * The charset is taken from, in this order: byte order mark, the byte pattern of UTF-16 and UTF-32, Content-Type, XML
 * declaration or <meta>, valid UTF-8, windows-1252. A declaration behind the root element is only a quotation. A claim
 * that the bytes contradict is ignored, and so is a claim of another charset for bytes that are plainly UTF-8. UTF-8
 * with a few broken places is repaired there. Labels mean what they mean in browsers: iso-8859-1 and us-ascii are
 * windows-1252, gb2312 is gb18030, and the Korean and traditional Chinese ones include later extensions.
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

/** Whether a document is valid UTF-8 and claims nothing else. Then `validUtf8` can decode it part by part. */
export function isUtf8Document(bytes: Uint8Array, hint: CharsetHint): boolean {
  if (wideCharset(bytes)) return false
  const [claimed] = hasUtf8Mark(bytes) ? ['utf-8'] : claimedCharsets(bytes, hint)
  return (claimed ?? 'utf-8') === 'utf-8' && isUtf8(bytes)
}

/** Any bytes are valid in most single-byte charsets, so such a claim can only be refuted by showing that they are UTF-8. */
function isUtf8AfterAll(bytes: Uint8Array, [first, second]: readonly string[]): boolean {
  if (first === undefined || first === 'utf-8') return false
  return second === 'utf-8' ? isForeignUtf8(bytes) : isPlainlyUtf8(bytes)
}

function hasUtf8Mark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

/** UTF-16 or UTF-32, recognised by the byte order mark or by the zero bytes around the first character. */
function wideCharset(bytes: Uint8Array): string | null {
  const [a, b, c, d] = bytes
  if (a === 0 && b === 0) return (c === 0xfe && d === 0xff) || (c === 0 && beginsDocument(d)) ? 'utf-32be' : null
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'utf-32le' : 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a === 0 && beginsDocument(b) && c === 0) return 'utf-16be'
  if (beginsDocument(a) && b === 0) return c === 0 && d === 0 ? 'utf-32le' : d === 0 ? 'utf-16le' : null
  return null
}

/** An angle bracket, a brace, or white space that some templates leave before them. */
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

/** Charsets with later extensions. TextDecoder does not know the extended Korean and Chinese ones, but iconv does. */
const WIDER = new Map([
  ['gbk', 'gb18030'],
  ['euc-kr', 'cp949'],
  ['big5', 'big5hkscs'],
])

/** Labels for UTF-16 and UTF-32. */
const WIDE = /^(utf-?16|utf-?32|ucs-?[24]|u16|u32|unicode|csucs4|csunicode|iso-10646)/
/** Labels that iconv accepts but that are not charsets of documents. Browsers refuse UTF-7 too, which is also slow. */
const NO_CHARSET = /^(x-user-defined|binary|base64|hex$|utf-?7|unicode-?1-1-utf-?7|cs-?utf-?7)/

/** The charset for a label; null if it is unknown, or if it needs 16 or 32 bits, which the bytes have already refuted. */
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
    // RangeError: TextDecoder does not know the charset. TypeError: the bytes are invalid in that charset.
    return error instanceof RangeError ? withoutReplacements(iconv.decode(asBuffer(bytes), charset)) : null
  }
}

/** Null if the text has replacement characters, which iconv inserts for invalid bytes. */
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

/** The text without its byte order mark; null if it is not UTF-8. Buffers are faster here than TextDecoder. */
function utf8Text(bytes: Uint8Array): string | null {
  return isUtf8(bytes) ? validUtf8(bytes) : null
}

/** Decodes bytes that are known to be valid UTF-8. */
export function validUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return isAscii(bytes) ? buffer.toString('latin1') : buffer.toString('utf8', hasUtf8Mark(bytes) ? 3 : 0)
}
