// Each source type has a reader: it asks through the visit it is lent and returns candidates or what went wrong.
import type { StatedByFeed } from '../domain/freshness.ts'
import type { Failure } from '../domain/outcome.ts'
import type { Candidate } from '../domain/post.ts'
import type { Source, SourceType, Validators } from '../domain/source.ts'
import type { Waiting } from '../domain/x-posts-limit.ts'
import type { NoPermit } from './coordinator.ts'
import type { FetchResult } from './fetcher.ts'

export interface VisitRequest {
  readonly url: string
  readonly accept: 'feed' | 'page' | 'json' | 'any'
  readonly validators?: Validators | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly followRedirects?: boolean | undefined
  /** The address stands in the configuration: it may lie in a private network. Only without redirects. */
  readonly configured?: boolean | undefined
  /** A visit of its own, with spacing before it, even to the host asked last: guesses are not part of a visit. */
  readonly separate?: boolean | undefined
  /** Called before each redirect is followed. It may ask the target's host first. False: it is not followed. */
  readonly beforeRedirect?: ((url: string) => Promise<boolean>) | undefined
  /** How long its host's lane may be waited for, where that is less than the visit allows anyway. */
  readonly withinMs?: number | undefined
}

export interface PutOff {
  readonly until: number
  readonly reason: string
  /** Of the host that cannot be asked. */
  readonly lane: string
  /** 'not-free': its word or its spacing. 'busy': others are served; `until` is only when to try again. */
  readonly because: 'breaker' | 'not-free' | 'busy'
}

/** The visit ended without an answer, and its poll leaves no record. */
export interface GivenUp {
  readonly kind: 'given-up'
  readonly because:
    | NoPermit
    /** This process is shutting down. */
    | 'stopping'
    /** Whoever asked for it does not want it any more. */
    | 'withdrawn'
}

/** What a poll's requests end in, once lanes and redirects are dealt with. */
export type VisitResult =
  | Exclude<FetchResult, { kind: 'elsewhere' | 'aborted' }>
  | GivenUp
  /** The redirect's target cannot be asked soon. */
  | ({ readonly kind: 'put-off' } & PutOff)

export interface Visit {
  /** Somebody needs the bodies of answers afterwards. */
  readonly keepsBodies?: boolean
  fetch(request: VisitRequest): Promise<VisitResult>
}

/** What a feed says about how often to come. */
export type FeedFreshness = StatedByFeed

type Ended = Exclude<VisitResult, { kind: 'body' | 'not-modified' }>
type Answer = Extract<VisitResult, { kind: 'body' | 'not-modified' }>

export type ReadResult =
  | {
      readonly kind: 'document'
      readonly answer: Extract<VisitResult, { kind: 'body' }>
      readonly candidates: readonly Candidate[]
      readonly freshness: FeedFreshness | null
      /** What was cut or repaired, in words. */
      readonly notes: readonly string[]
      /** Up to where it has read, in words of its own; only of types whose new entries are told by a mark. */
      readonly mark?: string
      readonly bodyHash: string
      /** What is asked instead of `url` from now on (YouTube). */
      readonly feedUrl?: string
      /** Where earlier entries are, if the document says so. */
      readonly earlierUrl?: string | null
      /** Of the feed or page. */
      readonly title?: string | null
      /** The page that a feed belongs to. */
      readonly siteUrl?: string | null
      readonly language?: string | null
      /** The date a page states; its stored post has none. */
      readonly statedAt?: number | null
    }
  /** 304, or the same bytes as last time. */
  | { readonly kind: 'unchanged'; readonly answer: Answer }
  /** The answer came but could not be read. */
  | { readonly kind: 'unreadable'; readonly answer: Extract<VisitResult, { kind: 'body' }>; readonly failure: Failure }
  /** No answer was needed to know that it cannot work (a missing key). */
  | { readonly kind: 'impossible'; readonly failure: Failure }
  | { readonly kind: 'ended'; readonly by: Ended }

/** `refused`: the host answered with another status, and may ask to be left alone. */
export type EarlierPage =
  | { readonly kind: 'page'; readonly candidates: readonly Candidate[]; readonly earlierUrl: string | null }
  | { readonly kind: 'refused'; readonly answer: Extract<VisitResult, { kind: 'status' }> }
  | { readonly kind: 'unreadable' }

export interface SourceReader {
  read(source: Source, visit: Visit): Promise<ReadResult>
  /** Only of types with a limit of our own: set while `read` puts every poll of the source off. */
  waiting?(source: Source): Promise<Waiting | null>
  /** Only of types whose documents may have pages of earlier entries. */
  readEarlier?(url: string, source: Source, visit: Visit): Promise<EarlierPage>
}

/** By the name of the type. */
export type Readers = Readonly<Record<SourceType, SourceReader>>

export function readerOf(readers: Readers, type: SourceType): SourceReader {
  const reader = readers[type]
  if (!reader) throw new Error(`nothing reads sources of type ${type}`)
  return reader
}
