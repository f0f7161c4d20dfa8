/**
 * Bytes to feed: RSS 0.9x, 1.0, 2.0, Atom 0.3 and 1.0, CDF, JSON Feed. Pure: no network, no clock, no local time zone.
 *
 * Whatever can be read of a broken document is read; FeedError is thrown only when there is no feed in it at all.
 */
import { decodeText, isUtf8Document, validUtf8 } from '../text/charset.ts'
import { ANYTHING, type Rare, rareInUtf8 } from '../text/collapse-space.ts'
import { prologOf } from '../text/prolog.ts'
import type { FeedDocument } from './feed-document.ts'
import { FeedError } from './feed-error.ts'
import { FeedFinisher } from './finish/finish-feed.ts'
import { JSON_FEED, readJsonFeed } from './json/json-feed.ts'
import { FeedScanner } from './scan/scan-feed.ts'
import { WINDOW_BYTES, windowsOf } from './scan/windows.ts'
import { hasControls, withoutControls } from './text-repair/control-characters.ts'
import { mayHoldMojibake } from './text-repair/mojibake.ts'

export type FeedSource = { contentType?: string | undefined; url: string }

export function readFeed(bytes: Uint8Array, source: FeedSource, windowBytes: number = WINDOW_BYTES): FeedDocument {
  const feed = readInWindows(bytes, source, windowBytes) ?? readWhole(bytes, source)
  if (!feed.draft.isFeed) throw new FeedError('not-a-feed', 'the document is not a feed')
  return feed.document()
}

/** Long XML in UTF-8; null for all else. */
function readInWindows(bytes: Uint8Array, { contentType, url }: FeedSource, windowBytes: number): FeedFinisher | null {
  if (bytes.length <= windowBytes || !beginsWithMarkup(bytes) || mayHideBehindProlog(bytes)) return null
  if (!isUtf8Document(bytes, { contentType, kind: 'xml' })) return null
  return readXmlFeed(windowsOf(bytes, windowBytes).map(cleanUtf8), url)
}

/** Not with junk, nor as JSON does. */
function beginsWithMarkup(bytes: Uint8Array): boolean {
  return /^(?:\xef\xbb\xbf)?\s*</.test(Buffer.from(bytes.subarray(0, SNIFF_BYTES)).toString('latin1'))
}

function readWhole(bytes: Uint8Array, { contentType, url }: FeedSource): FeedFinisher {
  const { text, charset } = decodeText(bytes, { contentType, kind: 'xml' })
  const start = text.search(/\S/)
  if (start < 0) throw new FeedError('empty', 'the document is empty')
  const clean = charset === 'utf-8' ? cleanText(text, bytes) : cleanedText(text)
  if (text[start] === '{') return jsonFeedIn(clean, url, false)
  return jsonFeedBehindJunk(clean, url) ?? readXmlFeed([{ ...clean, text: behindProlog(clean.text) }], url)
}

function jsonFeedIn({ text, mayBeMojibake }: CleanText, url: string, mustSaySo: boolean): FeedFinisher {
  const feed = new FeedFinisher(url)
  feed.draft.mayHoldMojibake = mayBeMojibake
  readJsonFeed(text, feed.draft, mustSaySo)
  return feed
}

/** A guard against being run as a script, or what a server has to complain of. Null for all that is not surely JSON Feed. */
function jsonFeedBehindJunk(clean: CleanText, url: string): FeedFinisher | null {
  const start = prologOf(clean.text.slice(0, PROLOG_CHARS), 'xml').search(OBJECT)
  if (start < 0 || !clean.text.includes(JSON_FEED)) return null
  const feed = jsonFeedIn({ ...clean, text: clean.text.slice(start) }, url, true)
  return feed.draft.isFeed ? feed : null
}

/** `rare` as in htmlToText, `mayBeMojibake` as in mayHoldMojibake. */
type CleanText = { text: string; rare: Rare; mayBeMojibake: boolean }

function cleanUtf8(bytes: Uint8Array): CleanText {
  return cleanText(validUtf8(bytes), bytes)
}

/** Of UTF-8, where much can be told faster from the bytes. */
function cleanText(text: string, bytes: Uint8Array): CleanText {
  if (hasControls(text, bytes)) return cleanedText(text)
  const isAscii = text.length === bytes.length
  return { text, rare: rareInUtf8(bytes, isAscii), mayBeMojibake: !isAscii && mayHoldMojibake(text) }
}

/** Of any other charset, or with something to clean. */
function cleanedText(text: string): CleanText {
  const clean = withoutControls(text)
  return { text: clean, rare: ANYTHING, mayBeMojibake: mayHoldMojibake(clean) }
}

/** One part after the other. Where one ends inside of something, all the others are read with it. */
function readXmlFeed(parts: Iterable<CleanText>, url: string): FeedFinisher {
  const feed = new FeedFinisher(url)
  const scanner = new FeedScanner(url, feed.draft)
  const remaining = Iterator.from(parts)
  for (const part of remaining) {
    const unread = scanner.takeUnread()
    const { text, rare, mayBeMojibake } = unread === '' ? part : joined(unread, [part, ...remaining])
    feed.draft.mayHoldMojibake ||= mayBeMojibake
    scanner.scan(text, rare)
  }
  scanner.end()
  return feed
}

function joined(unread: string, parts: readonly CleanText[]): CleanText {
  const text = unread + parts.map((part) => part.text).join('')
  return { text, rare: ANYTHING, mayBeMojibake: parts.some((part) => part.mayBeMojibake) }
}

const SNIFF_BYTES = 256
const PROLOG_CHARS = 4096
const UNFINISHED = /<\?[a-z][^<>]*(?:[^?<>]>|(?=<|$))/gi

/** Where an object of JSON begins. */
const OBJECT = /\{\s*"/

/** Looks further than those who look for it, whatever the bytes of a character: windows are not for documents like that. */
function mayHideBehindProlog(bytes: Uint8Array): boolean {
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4 * PROLOG_CHARS))
  const prolog = prologOf(beginning.toString('latin1'), 'xml')
  return prolog.search(UNFINISHED) >= 0 || OBJECT.test(prolog)
}

/** A declaration without its closing '?' or '>' would hide the whole document, so what goes before its end is left out. */
function behindProlog(text: string): string {
  const last = [...prologOf(text.slice(0, PROLOG_CHARS), 'xml').matchAll(UNFINISHED)].at(-1)
  return last ? text.slice(last.index + last[0].length) : text
}
