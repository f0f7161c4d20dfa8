// A zstd body may be several frames in a row (RFC 8878), but the decoder takes the first one's end for the end of all
// where both lie in one piece: a document would be cut without a word. So pieces are cut where frames end.
// What is no frame goes to the decoder as it is, to be refused there.
import { Transform } from 'node:stream'
import { FetchFailure } from './failure.ts'

/** Each costs a turn of the decoder, and a frame may be 8 bytes of nothing. */
const MOST_FRAMES = 1_000
const FRAME = 0xfd2fb528
const SKIPPED_FRAME = 0x184d2a50

type Step = { readonly read: number } | { readonly pass: number } | 'frame-end'

/** What a frame is made of, as the number of bytes to read or to pass over; gets what was read as a number. */
function* frames(): Generator<Step, void, number> {
  for (;;) {
    const magic = yield { read: 4 }
    if ((magic & 0xfffffff0) >>> 0 === SKIPPED_FRAME) yield { pass: yield { read: 4 } }
    else if (magic === FRAME) yield* blocks(yield { read: 1 })
    else return
    yield 'frame-end'
  }
}

function* blocks(descriptor: number): Generator<Step, void, number> {
  const isSingleSegment = (descriptor & 0x20) !== 0
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  yield { pass: (isSingleSegment ? 0 : 1) + dictionaryBytes + sizeBytes }
  for (;;) {
    const block = yield { read: 3 }
    const isRepeatedByte = ((block >> 1) & 3) === 1
    yield { pass: isRepeatedByte ? 1 : block >> 3 }
    if (block & 1) break
  }
  if (descriptor & 4) yield { pass: 4 }
}

export function cutAtFrameEnds(): Transform {
  const walk = frames()
  let step = walk.next()
  let passed = 0
  let value = 0
  let count = 0

  /** Up to where the piece that begins at `start` goes: the frame's end, or the chunk's. */
  function endOfPiece(chunk: Uint8Array, start: number): number {
    let at = start
    for (;;) {
      if (step.done) return chunk.length
      if (step.value === 'frame-end') {
        step = walk.next(0)
        count++
        return at
      }
      const wanted = 'read' in step.value ? step.value.read : step.value.pass
      if (passed < wanted && at === chunk.length) return at
      const taken = Math.min(wanted - passed, chunk.length - at)
      if ('read' in step.value)
        for (const [index, byte] of chunk.subarray(at, at + taken).entries())
          value += byte * 2 ** (8 * (passed + index))
      passed += taken
      at += taken
      if (passed < wanted) return at
      step = walk.next(value)
      passed = 0
      value = 0
    }
  }

  return new Transform({
    readableObjectMode: true,
    transform(chunk: Uint8Array, _encoding, done) {
      for (let start = 0; start < chunk.length; ) {
        const end = endOfPiece(chunk, start)
        if (end > start) this.push(chunk.subarray(start, end))
        start = end
      }
      done(
        count > MOST_FRAMES ? new FetchFailure('bad-encoding', `The body has over ${MOST_FRAMES} zstd frames`) : null,
      )
    },
  })
}
