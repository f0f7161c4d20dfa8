/**
 * Replaces control characters by spaces: they mean nothing in a feed, and some databases refuse them. White space stays.
 * The codes 128 to 159 are windows-1252 characters that were taken for Latin 1, so they become those characters.
 *
 * Few documents have any, so the check must be fast. In UTF-8 the bytes can be searched, and a pattern is fastest for
 * one-byte strings and for classes within one row of sixteen codes.
 */
import { WINDOWS_1252 } from '../../html/entities.ts'

const IN_TEXT = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/
const LOW = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g
/** One pattern each: replacing by a constant costs a tenth of replacing by a function. */
const HIGH = Array.from(WINDOWS_1252, (intended, at) => {
  const control = String.fromCharCode(0x80 + at)
  return { control, all: new RegExp(control, 'g'), intended }
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

/** Replacing part by part keeps garbage collection cheap in texts with a million control characters. */
const PART_CHARS = 16_384

function replaced(part: string): string {
  let out = part.replace(LOW, ' ')
  for (const { control, all, intended } of HIGH) if (out.includes(control)) out = out.replace(all, intended)
  return out
}

/** Whether a text has control characters. `bytes`: the same text in UTF-8. */
export function hasControls(text: string, bytes: Uint8Array): boolean {
  const isAscii = text.length === bytes.length
  const narrow = isAscii ? text : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  if (FIRST_ROW.test(narrow) || SECOND_ROW.test(narrow) || narrow.includes(DELETE)) return true
  return !isAscii && narrow.includes(HIGH_START) && HIGH_IN_UTF8.test(narrow)
}
