// What a consumer reads: one or more posts under one title.

export interface Article {
  readonly id: string
  readonly podcastId: string
  readonly sourceId: string
  readonly title: string
  readonly body: string
  readonly url: string
  readonly publishedAt: number | null
  readonly author: string | null
  readonly contentHash: string
  readonly isProcessed: boolean
  /** When a consumer marked it; null while it is unprocessed. */
  readonly processedAt: number | null
  readonly createdAt: number
  readonly postIds: readonly string[]
}
