// A candidate is what a reader found; a post is a candidate that was new.

/** A file that belongs to a post, such as the sound of an episode. */
export interface Enclosure {
  readonly url: string
  readonly type: string | null
  readonly length: number | null
  /** In seconds; only if it is stated. */
  readonly duration?: number | undefined
}

/** What a post has beside its text. */
export interface PostExtras {
  /** As BCP 47, as stated. */
  readonly language: string | null
  readonly image: string | null
  readonly enclosures: readonly Enclosure[]
  readonly commentsUrl: string | null
  /** What the answer, robots.txt or the page state about how the text may be used; null: nothing. */
  readonly usagePreferences: string | null
}

export const NO_EXTRAS: PostExtras = {
  language: null,
  image: null,
  enclosures: [],
  commentsUrl: null,
  usagePreferences: null,
}

/** `none`: nobody wants it. `skipped`: the poll found more new posts than pages may be asked for. */
export const FULL_TEXT_STATES = ['none', 'pending', 'fetched', 'not-better', 'blocked', 'failed', 'skipped'] as const
export type FullTextState = (typeof FULL_TEXT_STATES)[number]

/** Where the rest of the text may be found. A transcript is asked instead of the page. */
export interface TextBehindPost {
  readonly url: string
  readonly kind: 'page' | 'transcript'
}

export interface WantedText {
  readonly state: Extract<FullTextState, 'none' | 'pending' | 'skipped'>
  readonly reason: string | null
  readonly behind: TextBehindPost | null
}

export const NO_FULL_TEXT: WantedText = { state: 'none', reason: null, behind: null }

export interface Candidate extends Partial<PostExtras> {
  readonly title: string
  readonly body: string
  readonly url: string
  readonly publishedAt: number | null
  readonly author: string | null
  readonly guid: string | null
  readonly categories: readonly string[]
  /** sha256 of the body, hex. Computed with the candidate, off the main thread. */
  readonly contentHash: string
  /** HTML as it came. It is cleaned if the candidate becomes a post. */
  readonly content?: WrittenContent | null
  /** Clean HTML. */
  readonly html?: string | null
  /** Clean HTML as UTF-8. It comes so from the thread that cleaned it: as bytes it stays out of this thread's heap. */
  readonly htmlBytes?: Uint8Array | null
  /** The transcript of an episode, if it can be read as text. */
  readonly transcriptUrl?: string | null
  /** Whether the text behind the post is asked for. */
  readonly wantedText?: WantedText
}

/** `base`: for its relative addresses. */
export interface WrittenContent {
  readonly html: string
  readonly base: string
}

export interface Post
  extends Omit<Candidate, 'content' | 'html' | 'htmlBytes' | 'transcriptUrl' | 'wantedText' | keyof PostExtras>,
    PostExtras {
  /** Decimal string; goes up in commit order, so it is a consumer's position too. */
  readonly id: string
  readonly sourceId: string
  readonly createdAt: number
  readonly fullTextState: FullTextState
  readonly transcriptUrl: string | null
  /** Why there is no full text, in words. */
  readonly fullTextReason: string | null
}

/** The large parts of a post, which lists do not read. */
export interface PostContent {
  readonly html: string | null
  /** The text of the page behind the post. */
  readonly fullText: string | null
}

/** What is remembered of an entry that was stored, or dropped for its age: enough to know it again. */
export interface KnownEntry {
  readonly guid: string | null
  readonly contentHash: string
  readonly url: string
  readonly publishedAt: number | null
}

/** What is left of an entry that was dropped for its age. */
export interface Tombstone extends KnownEntry {
  /** It was older than the source and its backfill, so it may become new when the backfill is raised. */
  readonly isBeforeCreated?: boolean
}
