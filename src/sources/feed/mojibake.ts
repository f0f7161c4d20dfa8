/**
 * Undoes the commonest accident with charsets: UTF-8 that somebody took for windows-1252 and encoded once more, so
 * that "don’t" arrives as "donâ€™t". Only a text all of whose foreign letters, taken as bytes, are valid UTF-8 is
 * changed; real text in a Latin alphabet hardly ever is.
 */
import { isUtf8 } from 'node:buffer'

const SUSPECT = /[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u017e\u02c6\u02dc\u2013-\u2122]/

const BYTE_OF = new Map(
  Array.from(
    { length: 128 },
    (_, i) => [new TextDecoder('windows-1252').decode(Uint8Array.of(128 + i)), 128 + i] as const,
  ),
)

/** Up to here looking at every character costs next to nothing, and less than any pattern. */
export const SHORT_CHARS = 200

/** Whether the long texts of a document are worth looking at; these searches are much faster than the pattern. */
export function mayHoldMojibake(document: string): boolean {
  return TRACES.some((trace) => document.includes(trace))
}

const TRACES = ['Ã', 'â', 'Â']

export function mendMojibake(text: string): string {
  if (isShortAndPlain(text) || !SUSPECT.test(text)) return text
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const byte = code < 0x80 ? code : BYTE_OF.get(text[at] ?? '')
    if (byte === undefined) return text
    bytes[at] = byte
  }
  return isUtf8(bytes) ? new TextDecoder('utf-8').decode(bytes) : text
}

const FIRST_SUSPECT = 0xc2

function isShortAndPlain(text: string): boolean {
  if (text.length > SHORT_CHARS) return false
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= FIRST_SUSPECT) return false
  return true
}
