/**
 * Control characters, which have no business in a feed and none in a database, made spaces. White space stays.
 *
 * Hardly any document has one, so what counts is to find that out fast. In UTF-8 they are bytes of their own, and a
 * search for a class of characters is fastest in short texts of one byte each and for classes within one row of sixteen.
 */

const IN_TEXT = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g
const FIRST_ROW = /[\x00-\x08\x0b\x0c\x0e\x0f]/
const SECOND_ROW = /[\x10-\x1f]/
const DELETE = '\x7f'

export function withoutControls(text: string): string {
  return text.replace(IN_TEXT, ' ')
}

/** Whether there are any, for the text of these bytes in UTF-8. */
export function hasControls(text: string, bytes: Uint8Array): boolean {
  const narrow =
    text.length === bytes.length ? text : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return FIRST_ROW.test(narrow) || SECOND_ROW.test(narrow) || narrow.includes(DELETE)
}
