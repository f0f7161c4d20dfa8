// Long texts that lists do not read are compressed: HTML shrinks to about a third. The first byte tells how.
// An ordinary text is compressed in a twentieth of a millisecond. Handing it to another thread costs several times that,
// all of it on this one, so many texts are packed one after another, with a pause for the event loop between them.
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { zstdCompressSync, zstdDecompress } from 'node:zlib'

const decompress = promisify(zstdDecompress)

const AS_IT_IS = 0
const ZSTD = 1
/** Shorter texts would hardly shrink. */
const WORTH_PACKING_BYTES = 200
const CHARACTERS_AT_ONCE = 100_000

export function packText(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  if (bytes.length < WORTH_PACKING_BYTES) return Buffer.concat([Buffer.of(AS_IT_IS), bytes])
  return Buffer.concat([Buffer.of(ZSTD), zstdCompressSync(bytes)])
}

/** In the order given. A null stays null. */
export async function packTexts(texts: readonly (string | null)[]): Promise<(Uint8Array | null)[]> {
  const packed: (Uint8Array | null)[] = []
  let characters = 0
  for (const text of texts) {
    packed.push(text ? packText(text) : null)
    characters += text?.length ?? 0
    if (characters < CHARACTERS_AT_ONCE) continue
    await setImmediate()
    characters = 0
  }
  return packed
}

export async function unpackText(packed: Uint8Array | null | undefined): Promise<string | null> {
  if (!packed) return null
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  const content = bytes.subarray(1)
  return (bytes[0] === ZSTD ? await decompress(content) : content).toString()
}
