/**
 * Repairs UTF-8 as Java and some databases write it: each surrogate of a pair is encoded as three bytes, which no
 * decoder accepts. Such a pair becomes the four bytes of its character.
 */

const HALF_BYTES = 3
const PAIR_BYTES = 2 * HALF_BYTES
const LETTER_BYTES = 4
const LEAD = 0xed

/** Returns the same array if there are no such pairs. */
export function withWholePairs(bytes: Uint8Array): Uint8Array {
  let read = nextPair(bytes, 0)
  if (read < 0) return bytes
  const out = new Uint8Array(bytes.length)
  out.set(bytes.subarray(0, read))
  let written = read
  while (read >= 0) {
    writeLetter(out, written, pairAt(bytes, read))
    written += LETTER_BYTES
    const behind = read + PAIR_BYTES
    read = nextPair(bytes, behind)
    const between = bytes.subarray(behind, read < 0 ? bytes.length : read)
    out.set(between, written)
    written += between.length
  }
  return out.subarray(0, written)
}

function nextPair(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(LEAD, from)
  while (at >= 0 && pairAt(bytes, at) < 0) at = bytes.indexOf(LEAD, at + 1)
  return at
}

/** The character of the pair at this position; -1 if there is none. */
function pairAt(bytes: Uint8Array, at: number): number {
  const high = unitAt(bytes, at)
  const low = unitAt(bytes, at + HALF_BYTES)
  if (high < 0xd800 || high > 0xdbff || low < 0xdc00 || low > 0xdfff) return -1
  return 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff)
}

function unitAt(bytes: Uint8Array, at: number): number {
  const second = bytes[at + 1] ?? 0
  const third = bytes[at + 2] ?? 0
  if (bytes[at] !== LEAD || (second & 0xc0) !== 0x80 || (third & 0xc0) !== 0x80) return -1
  return 0xd000 | ((second & 0x3f) << 6) | (third & 0x3f)
}

function writeLetter(out: Uint8Array, at: number, letter: number): void {
  out[at] = 0xf0 | (letter >> 18)
  for (let byte = 1; byte < LETTER_BYTES; byte++) out[at + byte] = 0x80 | ((letter >> (6 * (3 - byte))) & 0x3f)
}
