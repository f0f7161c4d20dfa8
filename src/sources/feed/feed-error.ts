export type FeedErrorCode = 'empty' | 'not-a-feed'

/** There is nothing to read: no bytes, or bytes that are no feed. A broken feed is never an error. */
export class FeedError extends Error {
  readonly code: FeedErrorCode

  constructor(code: FeedErrorCode, message: string) {
    super(message)
    this.name = 'FeedError'
    this.code = code
  }
}
