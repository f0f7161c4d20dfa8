/**
 * The interface between reading a feed and scanning its XML.
 *
 * A scan splits the document into tags and texts and reports them to an `ElementReader`, which applies the rules of the
 * vocabularies. `fast-scan/` holds all the code that exists for speed. The tests have a scan with an unmodified tokenizer
 * and no shortcuts (test/support/plain-scan.ts), and require both to give equal feeds.
 */
import type { Rare } from '../../text/collapse-space.ts'
import type { FeedDraft } from '../draft/feed-draft.ts'

/** `rare`: which rare characters the text may contain, as in htmlToText. */
export type XmlPart = { text: string; rare: Rare }

export type XmlScan = {
  /** A document longer than this is passed in parts, each of which ends with an entry. */
  readonly maxPartBytes: number
  scan(parts: Iterable<XmlPart>, documentUrl: string, feed: FeedDraft): void
}
