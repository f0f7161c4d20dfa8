/**
 * Control characters, which have no business in a feed and none in a database, made spaces. White space stays. Those of
 * 128 to 159 were meant as windows-1252, and taken for Latin 1 on the way to Unicode: they become what was meant.
 *
 * Hardly any document has one, so what counts is to find that out fast. In UTF-8 they are bytes of their own, and a
 * search for a class of characters is fastest in short texts of one byte each and for classes within one row of sixteen.
 */
import { WINDOWS_1252 } from '../../html/entities.ts'

const IN_TEXT = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/
const LOW = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g
/** One by one, since a replacement that is known beforehand costs a tenth of one that is asked for. */
const HIGH = Array.from(WINDOWS_1252, (meant, at) => {
  const control = String.fromCharCode(0x80 + at)
  return { control, all: new RegExp(control, 'g'), meant }
})
const FIRST_ROW = /[\x00-\x08\x0b\x0c\x0e\x0f]/
const SECOND_ROW = /[\x10-\x1f]/
const DELETE = '\x7f'
/** The first byte of every character from 128 to 191. */
const HIGH_START = '\xc2'
const HIGH_IN_UTF8 = /\xc2[\x80-\x9f]/

export function withoutControls(text: string): string {
  if (!IN_TEXT.test(text)) return text
  const parts: string[] = []
  for (let at = 0; at < text.length; at += PART_CHARS) parts.push(replaced(text.slice(at, at + PART_CHARS)))
  return parts.join('')
}

/** A million replacements at once keep the collector of garbage busy for longer than a thousand times a thousand. */
const PART_CHARS = 16_384

function replaced(part: string): string {
  let out = part.replace(LOW, ' ')
  for (const { control, all, meant } of HIGH) if (out.includes(control)) out = out.replace(all, meant)
  return out
}

/** Whether there are any, for the text of these bytes in UTF-8. */
export function hasControls(text: string, bytes: Uint8Array): boolean {
  const isAscii = text.length === bytes.length
  const narrow = isAscii ? text : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  if (FIRST_ROW.test(narrow) || SECOND_ROW.test(narrow) || narrow.includes(DELETE)) return true
  return !isAscii && narrow.includes(HIGH_START) && HIGH_IN_UTF8.test(narrow)
}
