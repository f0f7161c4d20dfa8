export type FeedErrorCode = 'empty' | 'not-a-feed'

/**
 * There is nothing to read: no bytes, or bytes that are no feed. A broken feed is never an error.
 * The message is a reason to be put into a sentence, so it does not end one.
 */
export class FeedError extends Error {
  readonly code: FeedErrorCode

  constructor(code: FeedErrorCode, message: string) {
    super(message)
    this.name = 'FeedError'
    this.code = code
  }
}
