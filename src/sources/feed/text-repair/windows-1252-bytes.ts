/** The windows-1252 byte of each character, and how its sign may follow a letter in ordinary text. */

const HIGH = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 0x80 }, (_, at) => 0x80 + at))
const LAST_CODE = '™'.charCodeAt(0)
/** The byte by character code; 0 for characters that windows-1252 does not have. */
const BYTES = new Uint8Array(LAST_CODE + 1)
for (let byte = 0; byte < 0x80; byte++) BYTES[byte] = byte
for (let at = 0; at < HIGH.length; at++) BYTES[HIGH.charCodeAt(at)] = 0x80 + at

/** 0 behind the end of the text too. */
export function windows1252ByteAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code <= LAST_CODE ? (BYTES[code] ?? 0) : 0
}

/** Signs that may end a word or join it to the next one: `CAFÉ’s`, `CITÉ–gare`. */
const JOINING = '‚…‹‘’“”•–—™›\u00a0«´·»'
/** Signs that end a word and have a space behind them: `NESCAFÉ® Gold`, `5 Å³ at most`, a link to a heading. */
const CLOSING = '†‡§©ª\u00ad®°±²³¶¹º'

export type Position = 'odd' | 'closing' | 'joining'

const POSITIONS: Position[] = Array.from(HIGH.slice(0, 0x40), (sign) =>
  JOINING.includes(sign) ? 'joining' : CLOSING.includes(sign) ? 'closing' : 'odd',
)

/** How the sign of a byte from 128 to 191 may follow a letter. Odd ones never do in ordinary text. */
export function positionAfterLetter(byte: number): Position {
  return POSITIONS[byte - 0x80] ?? 'odd'
}
