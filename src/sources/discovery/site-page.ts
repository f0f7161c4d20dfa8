/**
 * Whether an answer is a page of a site, by its type and its first bytes. A picture, a document, data or nothing at all
 * says nothing about where the site keeps its feed, so nobody goes looking for one.
 */

const PAGE_TYPE = /^\s*(?:text\/html|application\/xhtml\+xml|(?:text|application)\/xml)\s*(?:;|$)/i
const OTHER_BYTES = /^\s*(?:%PDF-|\x89PNG|GIF8|\xff\xd8\xff|PK\x03\x04)/
const HEAD_BYTES = 4_096

export function isSitePage(bytes: Uint8Array, contentType: string | undefined): boolean {
  // As bytes, one character each: what is looked for is ASCII in every charset that a page can have.
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1')
  if (head.trim() === '' || OTHER_BYTES.test(head)) return false
  return contentType?.trim() ? PAGE_TYPE.test(contentType) : head.includes('<')
}
