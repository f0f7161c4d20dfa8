/**
 * Bytes to feed: RSS 0.9x, 1.0, 2.0, Atom 0.3 and 1.0, CDF, JSON Feed. Pure: no network, no clock, no local time zone.
 *
 * Whatever can be read of a broken document is read; FeedError is thrown only when there is no feed in it at all.
 */
import { decodeText } from '../charset.ts'
import { hasControls, withoutControls } from './controls.ts'
import type { FeedDocument } from './feed-document.ts'
import { FeedDraft } from './feed-draft.ts'
import { FeedError } from './feed-error.ts'
import { finishFeed } from './finish-feed.ts'
import { readJsonFeed } from './json-feed.ts'
import { mayHoldMojibake } from './mojibake.ts'
import { scanFeed } from './scan-feed.ts'

export type FeedSource = { contentType?: string | undefined; url: string }

export function readFeed(bytes: Uint8Array, source: FeedSource): FeedDocument {
  const { text, charset } = decodeText(bytes, { contentType: source.contentType, kind: 'xml' })
  const start = text.search(/\S/)
  if (start < 0) throw new FeedError('empty', 'The document is empty.')
  const clean = charset === 'utf-8' && !hasControls(bytes) ? text : withoutControls(text)
  const draft = text[start] === '{' ? readJsonFeed(clean) : readXmlFeed(clean, source.url)
  if (!draft.isFeed) throw new FeedError('not-a-feed', 'The document is not a feed.')
  return finishFeed(draft, source.url)
}

function readXmlFeed(text: string, url: string): FeedDraft {
  const draft = new FeedDraft()
  draft.mayHoldMojibake = mayHoldMojibake(text)
  scanFeed(behindProlog(text), url, draft)
  return draft
}

const PROLOG_CHARS = 4096
const UNFINISHED = /<\?[a-z][^<>]*[^?<>]>/gi

/** A declaration without its closing '?' would hide the whole document, so what goes before its end is left out. */
function behindProlog(text: string): string {
  const last = [...text.slice(0, PROLOG_CHARS).matchAll(UNFINISHED)].at(-1)
  return last ? text.slice(last.index + last[0].length) : text
}
