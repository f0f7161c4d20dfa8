/**
 * Repairs the most frequent charset mistake: UTF-8 that was taken for windows-1252 and encoded again, so that "don’t"
 * arrives as "donâ€™t". A text is changed only if all its non-ASCII characters, as windows-1252 bytes, are valid UTF-8
 * and one of them is certainly a mistake: "BEYONCÉ’S" is valid too, but correct as it is.
 */
import { isUtf8 } from 'node:buffer'
import { withoutControls } from './control-characters.ts'
import { isSurelyMojibake } from './mojibake-evidence.ts'
import { windows1252ByteAt } from './windows-1252-bytes.ts'

const SUSPECT = /[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u017e\u02c6\u02dc\u2013-\u2122]/

/** Up to this length a loop over all characters is cheaper than a pattern. */
export const SHORT_CHARS = 200

/** Whether the long texts of a document need to be checked. These searches are much faster than the pattern. */
export function mayHoldMojibake(document: string): boolean {
  return TRACES.some((trace) => document.includes(trace))
}

const TRACES = ['Ã', 'â', 'Â']

export function mendMojibake(text: string): string {
  if (text.length > SHORT_CHARS ? !SUSPECT.test(text) : isPlain(text)) return text
  if (!isSurelyMojibake(text)) return text
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = windows1252ByteAt(text, at)
  // Text that was taken for Latin 1 before still has control characters that stand for windows-1252 characters.
  return isUtf8(bytes) ? withoutControls(new TextDecoder('utf-8').decode(bytes)) : text
}

const FIRST_SUSPECT = 0xc2

function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= FIRST_SUSPECT) return false
  return true
}
