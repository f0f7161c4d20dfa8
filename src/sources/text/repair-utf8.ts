/**
 * Text from bytes that are neither valid UTF-8 nor of a charset that somebody named.
 *
 * Two kinds of document end here. UTF-8 into which a few foreign bytes were pasted: its good sequences stay and each
 * stray byte is read as windows-1252. Plain windows-1252, whatever it calls itself: all of it is read so. Which of
 * the two is told by counting, since windows-1252 prose hardly ever forms a valid UTF-8 sequence, and where it does, by a
 * capital and a sign (`«CAFÉ»`), it does so a few times only. What says that it is UTF-8 may have as many strays as good
 * sequences. Emoji in halves, as some databases write them, are made whole before.
 */
import { isUtf8 } from 'node:buffer'
import { withWholePairs } from './surrogate-pairs.ts'

const GOOD_SEQUENCES_PER_STRAY = 4
/** As many as one stray needs in what does not say so. */
const GOOD_SEQUENCES_AT_LEAST = 4

/** `isClaimed`: the document is said to be UTF-8. */
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

/** A document cut in the middle of a character is still good up to there. */
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

/** What windows-1252 has for each byte from 128 on, in UTF-8. */
const ANSI = Array.from({ length: 128 }, (_, at) => {
  return Buffer.from(new TextDecoder('windows-1252').decode(Uint8Array.of(0x80 + at)))
})
const LONGEST_ANSI = 3

/** All in one piece, since there may be millions of them. */
function spliceStrays(bytes: Uint8Array, strays: readonly number[]): string {
  const spliced = new Uint8Array(bytes.length + strays.length * (LONGEST_ANSI - 1))
  let to = 0
  let from = 0
  for (let next = 0; next <= strays.length; next++) {
    const stray = strays[next] ?? bytes.length
    while (from < stray) spliced[to++] = bytes[from++] as number
    if (stray === bytes.length) break
    const letter = ANSI[(bytes[from++] as number) - 0x80] as Buffer
    for (let at = 0; at < letter.length; at++) spliced[to++] = letter[at] as number
  }
  return new TextDecoder('utf-8').decode(spliced.subarray(0, to))
}

function sequenceLength(lead: number): number {
  if (lead < 0xc2) return 1
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1
}

/** Whether the bytes behind the first are those of a character that has this length and no shorter one. */
function isSequence(bytes: Uint8Array, at: number, length: number): boolean {
  const [least, most] = SECOND.get(bytes[at] as number) ?? ANY_SECOND
  const second = bytes[at + 1] ?? 0
  if (second < least || second > most) return false
  for (let further = at + 2; further < at + length; further++) if (((bytes[further] ?? 0) & 0xc0) !== 0x80) return false
  return true
}

/** Others would be written with fewer bytes, are halves of a pair, or lie beyond Unicode. */
const ANY_SECOND = [0x80, 0xbf] as const
const SECOND = new Map<number, readonly [number, number]>([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
])
