// Import this first. Texts are unpacked at once and not on another thread: a world goes on only when nothing is left to
// do, and what another thread does cannot be seen.
import { syncBuiltinESMExports } from 'node:module'
import zlib from 'node:zlib'

const unpackAtOnce = (bytes: Uint8Array, done: (error: Error | null, text: Buffer) => void): void => {
  done(null, zlib.zstdDecompressSync(bytes))
}
Object.assign(zlib, { zstdDecompress: unpackAtOnce })
syncBuiltinESMExports()
