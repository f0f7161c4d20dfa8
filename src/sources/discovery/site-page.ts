/**
 * Tells by content type and first bytes whether an answer is a web page. For pictures, documents, data and empty answers,
 * no feed paths are guessed.
 */

const PAGE_TYPE = /^\s*(?:text\/html|application\/xhtml\+xml|(?:text|application)\/xml)\s*(?:;|$)/i
const OTHER_BYTES = /^\s*(?:%PDF-|\x89PNG|GIF8|\xff\xd8\xff|PK\x03\x04)/
const HEAD_BYTES = 4_096

export function isSitePage(bytes: Uint8Array, contentType: string | undefined): boolean {
  // One character per byte is enough: the pattern is ASCII, which is the same in every charset of a page.
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1')
  if (head.trim() === '' || OTHER_BYTES.test(head)) return false
  return contentType?.trim() ? PAGE_TYPE.test(contentType) : head.includes('<')
}
