// Long texts that lists do not read are kept compressed: HTML shrinks to about a third. The first byte tells how. Worker
// threads pack what they have cleaned, and the store packs the rest.
import { promisify } from 'node:util'
import { zstdCompressSync, zstdDecompress } from 'node:zlib'

const decompress = promisify(zstdDecompress)

const AS_IT_IS = 0
const ZSTD = 1
/** Shorter texts would hardly shrink. */
const WORTH_PACKING_BYTES = 200
const ROOM_FOR_HEADER = 64

export function packText(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  if (bytes.length < WORTH_PACKING_BYTES) return Buffer.concat([Buffer.of(AS_IT_IS), bytes])
  // The default buffers are many times the size of an ordinary text, and making them would take half of the time.
  const sizes = { pledgedSrcSize: bytes.length, chunkSize: bytes.length + ROOM_FOR_HEADER }
  return Buffer.concat([Buffer.of(ZSTD), zstdCompressSync(bytes, sizes)])
}

/** In the order given, as parts of one buffer: a message to another thread then copies one, not one for each. */
export function packTogether(texts: readonly (string | null)[]): (Uint8Array | null)[] {
  const packed = texts.map((text) => (text === null ? null : packText(text)))
  const all = new Uint8Array(packed.reduce((sum, one) => sum + (one?.length ?? 0), 0))
  let at = 0
  return packed.map((one) => {
    if (one === null) return null
    all.set(one, at)
    at += one.length
    return all.subarray(at - one.length, at)
  })
}

export async function unpackText(packed: Uint8Array | null | undefined): Promise<string | null> {
  if (!packed) return null
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  const content = bytes.subarray(1)
  return (bytes[0] === ZSTD ? await decompress(content) : content).toString()
}
