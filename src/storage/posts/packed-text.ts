// Long texts that lists do not read are compressed: HTML shrinks to about a third. The first byte tells how.
// Compression runs in other threads, so it happens before a transaction and not in it.
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

const AS_IT_IS = 0
const ZSTD = 1
/** Shorter texts would hardly shrink. */
const WORTH_PACKING_BYTES = 200

export async function packText(text: string): Promise<Uint8Array> {
  const bytes = Buffer.from(text)
  if (bytes.length < WORTH_PACKING_BYTES) return Buffer.concat([Buffer.of(AS_IT_IS), bytes])
  return Buffer.concat([Buffer.of(ZSTD), await compress(bytes)])
}

export async function unpackText(packed: Uint8Array | null | undefined): Promise<string | null> {
  if (!packed) return null
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  const content = bytes.subarray(1)
  return (bytes[0] === ZSTD ? await decompress(content) : content).toString()
}
