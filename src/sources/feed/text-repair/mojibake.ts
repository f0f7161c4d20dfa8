/**
 * Undoes the commonest accident with charsets: UTF-8 that somebody took for windows-1252 and encoded once more, so
 * that "don’t" arrives as "donâ€™t". Only a text all of whose foreign letters, taken as bytes, are valid UTF-8 is
 * changed, and only if one of them can hardly have been meant: "BEYONCÉ’S" is valid too, and right as it is.
 */
import { isUtf8 } from 'node:buffer'
import { withoutControls } from './control-characters.ts'
import { isSurelyMojibake } from './mojibake-evidence.ts'
import { windows1252ByteAt } from './windows-1252-bytes.ts'

const SUSPECT = /[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u017e\u02c6\u02dc\u2013-\u2122]/

/** Up to here looking at every character costs next to nothing, and less than any pattern. */
export const SHORT_CHARS = 200

/** Whether the long texts of a document are worth looking at; these searches are much faster than the pattern. */
export function mayHoldMojibake(document: string): boolean {
  return TRACES.some((trace) => document.includes(trace))
}

const TRACES = ['Ã', 'â', 'Â']

export function mendMojibake(text: string): string {
  if (text.length > SHORT_CHARS ? !SUSPECT.test(text) : isPlain(text)) return text
  if (!isSurelyMojibake(text)) return text
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = windows1252ByteAt(text, at)
  // What was taken for Latin 1 before leaves control characters that were meant as windows-1252.
  return isUtf8(bytes) ? withoutControls(new TextDecoder('utf-8').decode(bytes)) : text
}

const FIRST_SUSPECT = 0xc2

function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= FIRST_SUSPECT) return false
  return true
}
