// Reading documents off the main thread. Whatever a document does - hang, crash the reader, make no sense -
// comes back as a failure in words.
import type { Failure } from '../domain/outcome.ts'
import type { Candidate } from '../domain/post.ts'
import type { FeedFreshness } from './reader.ts'

export interface DocumentHint {
  readonly contentType: string | undefined
  readonly url: string
}

export type DocumentResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure }

export interface FeedRead {
  readonly title: string | null
  readonly siteUrl: string | null
  readonly candidates: readonly Candidate[]
  readonly freshness: FeedFreshness
  readonly notes: readonly string[]
}

export interface PageRead {
  readonly title: string
  readonly candidate: Candidate
  readonly statedAt: number | null
  readonly notes: readonly string[]
}

export interface FeedLink {
  readonly url: string
  readonly title: string | null
}

export interface Documents {
  readFeed(bytes: Uint8Array, hint: DocumentHint): Promise<DocumentResult<FeedRead>>
  readPage(bytes: Uint8Array, hint: DocumentHint): Promise<DocumentResult<PageRead>>
  /** Feeds that a page links to, best first. */
  findFeeds(
    bytes: Uint8Array,
    hint: DocumentHint & { readonly linkHeader: string | undefined },
  ): Promise<DocumentResult<readonly FeedLink[]>>
  findYoutubeFeed(bytes: Uint8Array, hint: DocumentHint): Promise<DocumentResult<string | null>>
  close(): Promise<void>
}
