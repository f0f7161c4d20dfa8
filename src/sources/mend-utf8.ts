/**
 * Text from bytes that are neither valid UTF-8 nor of a charset that somebody named.
 *
 * Two kinds of document end here. UTF-8 into which a few foreign bytes were pasted: its good sequences stay and each
 * stray byte is read as windows-1252. Plain windows-1252, whatever it calls itself: all of it is read so. Which of
 * the two is told by counting, since windows-1252 prose hardly ever forms a valid UTF-8 sequence. Emoji in halves, as
 * some databases write them, are made whole before.
 */
import { isUtf8 } from 'node:buffer'
import { withWholePairs } from './surrogate-pairs.ts'

const GOOD_SEQUENCES_PER_STRAY = 4

export function mendUtf8(bytes: Uint8Array): { text: string; charset: string } {
  const whole = withWholePairs(withoutCutTail(bytes))
  if (isUtf8(whole)) return { text: new TextDecoder('utf-8').decode(whole), charset: 'utf-8' }
  const { good, strays } = countSequences(whole)
  if (good < GOOD_SEQUENCES_PER_STRAY * strays.length) {
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
    if (length > 1 && i + length <= bytes.length && isUtf8(bytes.subarray(i, i + length))) {
      good++
      i += length
    } else {
      strays.push(i++)
    }
  }
  return { good, strays }
}

function spliceStrays(bytes: Uint8Array, strays: number[]): string {
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
  const ansi = new TextDecoder('windows-1252')
  const parts: string[] = []
  let from = 0
  for (const at of strays) {
    parts.push(utf8.decode(bytes.subarray(from, at)), ansi.decode(bytes.subarray(at, at + 1)))
    from = at + 1
  }
  parts.push(utf8.decode(bytes.subarray(from)))
  return parts.join('').replace(/^\ufeff/, '')
}

function sequenceLength(lead: number): number {
  if (lead < 0xc2) return 1
  if (lead < 0xe0) return 2
  return lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1
}
