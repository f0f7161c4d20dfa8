/** The bytes that windows-1252 writes a text as, and what their signs look like to somebody who reads. */

const HIGH = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 0x80 }, (_, at) => 0x80 + at))
const LAST_CODE = '™'.charCodeAt(0)
/** By the code of the character; 0 for those that windows-1252 has not. */
const BYTES = new Uint8Array(LAST_CODE + 1)
for (let byte = 0; byte < 0x80; byte++) BYTES[byte] = byte
for (let at = 0; at < HIGH.length; at++) BYTES[HIGH.charCodeAt(at)] = 0x80 + at

/** 0 also where the text has ended. */
export function windows1252ByteAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code <= LAST_CODE ? (BYTES[code] ?? 0) : 0
}

/** Ends a word or goes on to the next one: `CAFÉ’s`, `CITÉ–gare`. */
const JOINING = '‚…‹‘’“”•–—™›\u00a0«´·»'
/** Ends a word, and a blank follows: `NESCAFÉ® Gold`, `5 Å³ at most`, a sign that links to its heading. */
const CLOSING = '†‡§©ª\u00ad®°±²³¶¹º'

export type Standing = 'odd' | 'closing' | 'joining'

const STANDING: Standing[] = Array.from(HIGH.slice(0, 0x40), (sign) =>
  JOINING.includes(sign) ? 'joining' : CLOSING.includes(sign) ? 'closing' : 'odd',
)

/** How the sign of a byte from 128 to 191 may stand behind a letter; those that are odd there never do. */
export function standingOf(byte: number): Standing {
  return STANDING[byte - 0x80] ?? 'odd'
}
