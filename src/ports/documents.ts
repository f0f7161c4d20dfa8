// Reading documents off the main thread. Whatever a document does - hang, crash the reader, make no sense -
// comes back as a failure in words.
import type { Failure } from '../domain/outcome.ts'
import type { Candidate, WrittenContent } from '../domain/post.ts'
import type { FeedFreshness } from './reader.ts'

export interface DocumentHint {
  readonly contentType: string | undefined
  readonly url: string
}

export type DocumentResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure }

export interface FeedHint extends DocumentHint {
  /** Entries dated before it cannot become posts, so their HTML is left out; Infinity: none becomes one. */
  readonly newFrom: number
  /** The hash of the document that was read last: the same bytes are not read again. */
  readonly lastHash: string | null
  /** Nobody needs the bytes afterwards: they are moved to the other thread, not copied. */
  readonly isLastUse: boolean
}

export interface SameBytes {
  readonly kind: 'same-bytes'
}

export interface FeedRead {
  readonly kind: 'feed'
  /** sha256 of the bytes, hex. */
  readonly bodyHash: string
  readonly title: string | null
  readonly siteUrl: string | null
  readonly language: string | null
  readonly candidates: readonly Candidate[]
  readonly freshness: FeedFreshness
  readonly notes: readonly string[]
  /** Where entries before those of this document are, as the feed says. */
  readonly earlierUrl: string | null
}

export interface PageRead {
  readonly title: string
  readonly language: string | null
  readonly candidate: Candidate
  readonly statedAt: number | null
  readonly notes: readonly string[]
}

export interface FeedLink {
  readonly url: string
  readonly title: string | null
}

/** A list of sources as a person sends it. */
export interface GivenList {
  readonly bytes: Uint8Array
  /** With charset, if known; else both are told from the bytes. */
  readonly contentType?: string | undefined
}

export interface ListedRow {
  /** Of any shape: nothing is checked yet. `tooLong` stands for a row that is longer than any source, `hasNoFeed` for one with only the address of a web page, `hasSpaces` for a line with more than an address. */
  readonly row: Readonly<Record<string, unknown>>
  /** How often the same row appears. */
  readonly times: number
}

export type ListRead =
  /** Each part is JSON of a list of `ListedRow`. */
  | { readonly kind: 'rows'; readonly parts: readonly string[] }
  | { readonly kind: 'too-many-rows' }
  | {
      readonly kind: 'unreadable'
      readonly code: 'invalid-input' | 'malformed-request'
      readonly reason: string
    }

export interface RobotsWord {
  readonly allowed: boolean
  readonly crawlDelaySeconds: number | null
  /** What it states about the use of content. */
  readonly usagePreferences: string | null
}

export interface CleanedContent {
  /** As UTF-8. */
  readonly htmlBytes: Uint8Array | null
  /** The first picture in it. */
  readonly image: string | null
}

export interface Documents {
  /** `mostRows`: null for any number. */
  readList(list: GivenList, mostRows: number | null): Promise<DocumentResult<ListRead>>
  readFeed(bytes: Uint8Array, hint: FeedHint): Promise<DocumentResult<FeedRead | SameBytes>>
  readPage(bytes: Uint8Array, hint: DocumentHint): Promise<DocumentResult<PageRead>>
  /** Feeds that a page links to, best first. */
  findFeeds(
    bytes: Uint8Array,
    hint: DocumentHint & { readonly linkHeader: string | undefined },
  ): Promise<DocumentResult<readonly FeedLink[]>>
  findYoutubeFeed(bytes: Uint8Array, hint: DocumentHint): Promise<DocumentResult<string | null>>
  /** HTML from outside, made safe to show. In the order given. */
  cleanHtml(contents: readonly WrittenContent[]): Promise<DocumentResult<readonly CleanedContent[]>>
  /** What robots.txt says about the address `url`. */
  readRobots(text: string, url: string): Promise<DocumentResult<RobotsWord>>
  /** The words of a transcript. */
  readTranscript(bytes: Uint8Array, hint: DocumentHint): Promise<DocumentResult<string>>
  /** Clean HTML as Markdown, in the order given. */
  toMarkdown(html: readonly string[]): Promise<DocumentResult<readonly string[]>>
  close(): Promise<void>
}
