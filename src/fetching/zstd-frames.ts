// Splits a zstd body at the ends of its frames. A body may have several frames (RFC 8878), but Node's decompressor
// stops silently at the end of the first one if the next starts in the same chunk, and the document would be cut.
// Bytes that are not a frame are passed on unchanged, and the decompressor rejects them.
import { Transform } from 'node:stream'
import { FetchFailure } from './failure.ts'

/** Every frame costs a run of the decompressor, even an empty frame of 8 bytes. */
const MAX_FRAMES = 1_000
const FRAME = 0xfd2fb528
const SKIPPABLE_FRAME = 0x184d2a50

type Step = { readonly read: number } | { readonly skip: number } | 'frame-end'

/** The structure of a frame, as numbers of bytes to read or to skip. The bytes read come back as a number. */
function* frames(): Generator<Step, void, number> {
  for (;;) {
    const magic = yield { read: 4 }
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_FRAME) yield { skip: yield { read: 4 } }
    else if (magic === FRAME) yield* blocks(yield { read: 1 })
    else return
    yield 'frame-end'
  }
}

function* blocks(descriptor: number): Generator<Step, void, number> {
  const isSingleSegment = (descriptor & 0x20) !== 0
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  yield { skip: (isSingleSegment ? 0 : 1) + dictionaryBytes + sizeBytes }
  for (;;) {
    const block = yield { read: 3 }
    const isRepeatedByte = ((block >> 1) & 3) === 1
    yield { skip: isRepeatedByte ? 1 : block >> 3 }
    if (block & 1) break
  }
  if (descriptor & 4) yield { skip: 4 }
}

export function splitAtFrameEnds(): Transform {
  const position = new FramePosition()
  return new Transform({
    readableObjectMode: true,
    transform(chunk: Uint8Array, _encoding, done) {
      for (let start = 0; start < chunk.length; ) {
        const end = position.endOfPart(chunk, start)
        if (end > start) this.push(chunk.subarray(start, end))
        start = end
      }
      const tooMany = position.frameCount > MAX_FRAMES
      done(tooMany ? new FetchFailure('bad-encoding', `The body has over ${MAX_FRAMES} zstd frames`) : null)
    },
  })
}

/** Where in a frame the bytes seen so far end. It is kept from one chunk to the next. */
class FramePosition {
  readonly #steps = frames()
  #step = this.#steps.next()
  #consumed = 0
  #value = 0
  frameCount = 0

  /** The end of the part that begins at `start`: the end of the frame, or of the chunk. */
  endOfPart(chunk: Uint8Array, start: number): number {
    for (let at = start; ; ) {
      if (this.#step.done) return chunk.length
      if (this.#step.value === 'frame-end') {
        this.#step = this.#steps.next(0)
        this.frameCount++
        return at
      }
      const wanted = 'read' in this.#step.value ? this.#step.value.read : this.#step.value.skip
      if (this.#consumed < wanted && at === chunk.length) return at
      const taken = Math.min(wanted - this.#consumed, chunk.length - at)
      if ('read' in this.#step.value) this.#readNumber(chunk.subarray(at, at + taken))
      this.#consumed += taken
      at += taken
      if (this.#consumed < wanted) return at
      this.#step = this.#steps.next(this.#value)
      this.#consumed = 0
      this.#value = 0
    }
  }

  /** Little-endian, and possibly spread over several chunks. */
  #readNumber(bytes: Uint8Array): void {
    for (const [index, byte] of bytes.entries()) this.#value += byte * 2 ** (8 * (this.#consumed + index))
  }
}
