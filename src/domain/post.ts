// A candidate is what a reader found; a post is a candidate that was new.

export interface Candidate {
  readonly title: string
  readonly body: string
  readonly url: string
  readonly publishedAt: number | null
  readonly author: string | null
  readonly guid: string | null
  readonly categories: readonly string[]
  /** sha256 of the body, hex. Computed with the candidate, off the main thread. */
  readonly contentHash: string
}

export interface Post extends Candidate {
  /** Decimal string; goes up in commit order, so it is a consumer's position too. */
  readonly id: string
  readonly sourceId: string
  readonly createdAt: number
}

/** What is remembered of an entry that was stored, or dropped for its age: enough to know it again. */
export interface KnownEntry {
  readonly guid: string | null
  readonly contentHash: string
  readonly url: string
  readonly publishedAt: number | null
}
