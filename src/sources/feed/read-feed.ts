/**
 * Reads a feed from bytes: RSS 0.9x, 1.0, 2.0, Atom 0.3 and 1.0, CDF, JSON Feed. It is pure: no network, no clock, no
 * local time zone.
 *
 * Whatever can be read of a broken document is read. FeedError is thrown only if there is no feed in it at all.
 * See docs/decisions/0020-own-feed-reader.md
 */
import { decodeText, isUtf8Document, validUtf8 } from '../text/charset.ts'
import { ANYTHING, rareInUtf8 } from '../text/collapse-space.ts'
import { prologOf } from '../text/prolog.ts'
import type { FeedDraft } from './draft/feed-draft.ts'
import type { XmlPart, XmlScan } from './elements/xml-scan.ts'
import { fastScan } from './fast-scan/fast-scan.ts'
import { windowsOf } from './fast-scan/windows.ts'
import type { FeedDocument } from './feed-document.ts'
import { FeedError } from './feed-error.ts'
import { FeedFinisher } from './finish/finish-feed.ts'
import { JSON_FEED, readJsonFeed } from './json/json-feed.ts'
import { hasControls, withoutControls } from './text-repair/control-characters.ts'
import { mayHoldMojibake } from './text-repair/mojibake.ts'

export type FeedSource = { contentType?: string | undefined; url: string }

/** `xmlScan` differs from the default in tests only. */
export function readFeed(bytes: Uint8Array, source: FeedSource, xmlScan: XmlScan = fastScan): FeedDocument {
  const feed = readInWindows(bytes, source, xmlScan) ?? readWhole(bytes, source, xmlScan)
  if (!feed.draft.isFeed) throw new FeedError('not-a-feed', 'the document is not a feed')
  const document = feed.document()
  // Without entries it would look like a feed that has nothing to say.
  if (feed.draft.isTooDeep && document.entries.length === 0)
    throw new FeedError('too-deep', 'the elements of the feed are nested too deep')
  return document
}

/** Reads long XML in UTF-8; null for all other documents. */
function readInWindows(bytes: Uint8Array, { contentType, url }: FeedSource, xmlScan: XmlScan): FeedFinisher | null {
  const { maxPartBytes } = xmlScan
  if (bytes.length <= maxPartBytes || !beginsWithMarkup(bytes) || mayHideBehindProlog(bytes)) return null
  if (!isUtf8Document(bytes, { contentType, kind: 'xml' })) return null
  return readXmlFeed(windowsOf(bytes, maxPartBytes).map(cleanUtf8), url, xmlScan)
}

/** False for JSON and for documents with junk in front. */
function beginsWithMarkup(bytes: Uint8Array): boolean {
  return /^(?:\xef\xbb\xbf)?\s*</.test(Buffer.from(bytes.subarray(0, SNIFF_BYTES)).toString('latin1'))
}

function readWhole(bytes: Uint8Array, { contentType, url }: FeedSource, xmlScan: XmlScan): FeedFinisher {
  const { text, charset } = decodeText(bytes, { contentType, kind: 'xml' })
  const start = text.search(/\S/)
  if (start < 0) throw new FeedError('empty', 'the document is empty')
  const clean = charset === 'utf-8' ? cleanText(text, bytes) : cleanedText(text)
  if (text[start] === '{') return jsonFeedIn(clean, url, false)
  return jsonFeedBehindJunk(clean, url) ?? readXmlFeed([{ ...clean, text: behindProlog(clean.text) }], url, xmlScan)
}

function jsonFeedIn({ text, mayBeMojibake }: CleanText, url: string, mustStateVersion: boolean): FeedFinisher {
  const feed = new FeedFinisher(url)
  feed.draft.mayHoldMojibake = mayBeMojibake
  readJsonFeed(text, feed.draft, mustStateVersion)
  return feed
}

/** Some servers put a guard against script inclusion, or an error message, in front. Null if it is not surely JSON Feed. */
function jsonFeedBehindJunk(clean: CleanText, url: string): FeedFinisher | null {
  const start = prologOf(clean.text.slice(0, PROLOG_CHARS), 'xml').search(OBJECT)
  if (start < 0 || !clean.text.includes(JSON_FEED)) return null
  const feed = jsonFeedIn({ ...clean, text: clean.text.slice(start) }, url, true)
  return feed.draft.isFeed ? feed : null
}

/** A text without control characters. `mayBeMojibake` as in mayHoldMojibake. */
type CleanText = XmlPart & { mayBeMojibake: boolean }

function cleanUtf8(bytes: Uint8Array): CleanText {
  return cleanText(validUtf8(bytes), bytes)
}

/** For UTF-8, where the bytes are faster to search than the text. */
function cleanText(text: string, bytes: Uint8Array): CleanText {
  if (hasControls(text, bytes)) return cleanedText(text)
  const isAscii = text.length === bytes.length
  return { text, rare: rareInUtf8(bytes, isAscii), mayBeMojibake: !isAscii && mayHoldMojibake(text) }
}

/** For other charsets, and for texts with control characters. */
function cleanedText(text: string): CleanText {
  const clean = withoutControls(text)
  return { text: clean, rare: ANYTHING, mayBeMojibake: mayHoldMojibake(clean) }
}

function readXmlFeed(parts: Iterable<CleanText>, url: string, xmlScan: XmlScan): FeedFinisher {
  const feed = new FeedFinisher(url)
  xmlScan.scan(notingMojibake(parts, feed.draft), url, feed.draft)
  return feed
}

/** Tells the draft of possible mojibake in a part before the entries of that part are finished. */
function* notingMojibake(parts: Iterable<CleanText>, draft: FeedDraft): Generator<XmlPart> {
  for (const part of parts) {
    draft.mayHoldMojibake ||= part.mayBeMojibake
    yield part
  }
}

const SNIFF_BYTES = 256
const PROLOG_CHARS = 4096
const UNFINISHED = /<\?[a-z][^<>]*(?:[^?<>]>|(?=<|$))/gi

/** The beginning of a JSON object. */
const OBJECT = /\{\s*"/

/**
 * Whether JSON or an unfinished declaration may stand before the root. Such documents are read whole. Characters have up
 * to four bytes, so this looks at least as far as `jsonFeedBehindJunk` and `behindProlog`.
 */
function mayHideBehindProlog(bytes: Uint8Array): boolean {
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4 * PROLOG_CHARS))
  const prolog = prologOf(beginning.toString('latin1'), 'xml')
  return prolog.search(UNFINISHED) >= 0 || OBJECT.test(prolog)
}

/** Drops everything up to a declaration without its closing '?' or '>', which would hide the whole document. */
function behindProlog(text: string): string {
  const last = [...prologOf(text.slice(0, PROLOG_CHARS), 'xml').matchAll(UNFINISHED)].at(-1)
  return last ? text.slice(last.index + last[0].length) : text
}
