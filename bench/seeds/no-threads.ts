// Import this first. Texts are unpacked at once and not on another thread: a world goes on only when nothing is left to
// do, and what another thread does cannot be seen.
import { syncBuiltinESMExports } from 'node:module'
import zlib, { type ZstdOptions } from 'node:zlib'

type Done = (error: Error | null, text: Buffer) => void

/** As the original, with options or without. */
const unpackAtOnce = (bytes: Uint8Array, ...rest: [Done] | [ZstdOptions, Done]): void => {
  const done = rest.length === 1 ? rest[0] : rest[1]
  done(null, zlib.zstdDecompressSync(bytes))
}
Object.assign(zlib, { zstdDecompress: unpackAtOnce })
syncBuiltinESMExports()
