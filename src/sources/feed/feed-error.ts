export type FeedErrorCode = 'empty' | 'not-a-feed' | 'too-deep'

/**
 * There is nothing to read: no bytes, bytes that are not a feed, or entries that are nested too deep. A broken feed is never an error.
 * The message is a reason that becomes part of a sentence, so it has no full stop.
 */
export class FeedError extends Error {
  readonly code: FeedErrorCode

  constructor(code: FeedErrorCode, message: string) {
    super(message)
    this.name = 'FeedError'
    this.code = code
  }
}
