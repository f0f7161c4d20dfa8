/** Why a page could not be read: a stable code and a sentence for people. */
const REASONS = {
  empty: 'the document is empty',
  'not-a-page': 'the document is not a page of text',
  'needs-script': 'the page shows its text only with JavaScript',
  'bot-challenge': 'the site asked whether the visitor is human instead of showing the page',
  'no-text': 'the page holds no readable text',
} as const

export type PageErrorCode = keyof typeof REASONS

export class PageError extends Error {
  readonly code: PageErrorCode

  constructor(code: PageErrorCode) {
    super(REASONS[code])
    this.name = 'PageError'
    this.code = code
  }
}
