// Long texts that lists do not read are kept compressed: HTML shrinks to about a third. The first byte tells how.
import { promisify } from 'node:util'
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib'

const decompress = promisify(zstdDecompress)

const AS_IT_IS = 0
const ZSTD = 1
/** Shorter texts would hardly shrink. */
const WORTH_PACKING_BYTES = 200
const ROOM_FOR_HEADER = 64
/** Level 1 takes a fifth less CPU than the usual level 3, for 6 % more room. */
const FAST = { [constants.ZSTD_c_compressionLevel]: 1 }
/** The usual 16 KB would take a turn of another thread for each. */
const UNPACKED_AT_ONCE_BYTES = 128 * 1024

export function packText(text: string): Uint8Array {
  return packBytes(Buffer.from(text))
}

export function packBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length < WORTH_PACKING_BYTES) return Buffer.concat([Buffer.of(AS_IT_IS), bytes])
  // The default buffers are many times the size of an ordinary text, and making them would take half of the time.
  const sizes = { pledgedSrcSize: bytes.length, chunkSize: bytes.length + ROOM_FOR_HEADER }
  return Buffer.concat([Buffer.of(ZSTD), zstdCompressSync(bytes, { ...sizes, params: FAST })])
}

export async function unpackText(packed: Uint8Array | null | undefined): Promise<string | null> {
  return packed ? (await unpackBytes(packed)).toString() : null
}

export async function unpackBytes(packed: Uint8Array): Promise<Buffer> {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  const content = bytes.subarray(1)
  return bytes[0] === ZSTD ? decompress(content, { chunkSize: UNPACKED_AT_ONCE_BYTES }) : content
}
