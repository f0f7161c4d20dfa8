/**
 * Decodes bytes that are neither valid UTF-8 nor valid in a claimed charset.
 *
 * There are two kinds of such documents. In UTF-8 with a few foreign bytes, the valid sequences stay and each stray byte
 * is read as windows-1252. In plain windows-1252, all bytes are read as such. Counting decides: windows-1252 text hardly
 * ever forms valid UTF-8 sequences, except by a capital and a sign (`«CAFÉ»`). A document that claims to be UTF-8 may
 * have as many stray bytes as valid sequences. Characters written as two surrogates are repaired first.
 */
import { isUtf8 } from 'node:buffer'
import { withWholePairs } from './surrogate-pairs.ts'

const GOOD_SEQUENCES_PER_STRAY = 4
/** As many as one stray byte requires in a document that does not claim to be UTF-8. */
const GOOD_SEQUENCES_AT_LEAST = 4

/** `isClaimed`: the document claims to be UTF-8. */
export function mendUtf8(bytes: Uint8Array, isClaimed: boolean): { text: string; charset: string } {
  const whole = withWholePairs(withoutCutTail(bytes))
  if (isUtf8(whole)) return { text: new TextDecoder('utf-8').decode(whole), charset: 'utf-8' }
  const { good, strays } = countSequences(whole)
  const enough = isClaimed ? Math.max(strays.length, GOOD_SEQUENCES_AT_LEAST) : strays.length * GOOD_SEQUENCES_PER_STRAY
  if (good < enough) {
    return { text: new TextDecoder('windows-1252').decode(bytes), charset: 'windows-1252' }
  }
  return { text: spliceStrays(whole, strays), charset: 'utf-8' }
}

/** Drops the beginning of a character at the end of a document that was cut off. */
function withoutCutTail(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0xc0) return sequenceLength(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes
    if (byte < 0x80) return bytes
  }
  return bytes
}

function countSequences(bytes: Uint8Array): { good: number; strays: number[] } {
  const strays: number[] = []
  let good = 0
  for (let i = 0; i < bytes.length; ) {
    const byte = bytes[i] ?? 0
    if (byte < 0x80) {
      i++
      continue
    }
    const length = sequenceLength(byte)
    if (length > 1 && isSequence(bytes, i, length)) {
      good++
      i += length
    } else {
      strays.push(i++)
    }
  }
  return { good, strays }
}

/** The windows-1252 character of each byte from 128 on, in UTF-8. */
const WINDOWS_1252_IN_UTF8 = Array.from({ length: 128 }, (_, at) => {
  return Buffer.from(new TextDecoder('windows-1252').decode(Uint8Array.of(0x80 + at)))
})
const MAX_CHARACTER_BYTES = 3

/** Replaces stray bytes in one pass, because there may be millions. */
function spliceStrays(bytes: Uint8Array, strays: readonly number[]): string {
  const spliced = new Uint8Array(bytes.length + strays.length * (MAX_CHARACTER_BYTES - 1))
  let to = 0
  let from = 0
  for (let next = 0; next <= strays.length; next++) {
    const stray = strays[next] ?? bytes.length
    while (from < stray) spliced[to++] = bytes[from++] as number
    if (stray === bytes.length) break
    const letter = WINDOWS_1252_IN_UTF8[(bytes[from++] as number) - 0x80] as Buffer
    for (let at = 0; at < letter.length; at++) spliced[to++] = letter[at] as number
  }
  return new TextDecoder('utf-8').decode(spliced.subarray(0, to))
}

function sequenceLength(lead: number): number {
  if (lead < 0xc2) return 1
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1
}

/** Whether the bytes behind the first complete a character that cannot be written in fewer bytes. */
function isSequence(bytes: Uint8Array, at: number, length: number): boolean {
  const [least, most] = SECOND.get(bytes[at] as number) ?? ANY_SECOND
  const second = bytes[at + 1] ?? 0
  if (second < least || second > most) return false
  for (let further = at + 2; further < at + length; further++) if (((bytes[further] ?? 0) & 0xc0) !== 0x80) return false
  return true
}

/** The second byte is limited for some first bytes: others are too long, surrogates, or beyond Unicode. */
const ANY_SECOND = [0x80, 0xbf] as const
const SECOND = new Map<number, readonly [number, number]>([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
])
