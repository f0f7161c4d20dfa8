// Decompresses bodies (Content-Encoding) as a stream, so that a decompression bomb is stopped at the limit.
// Up to three encodings may be stacked. The one that was applied last is removed first.
import type { Readable, Transform } from 'node:stream'
import zlib from 'node:zlib'
import { FetchFailure } from './failure.ts'
import { splitAtFrameEnds } from './zstd-frames.ts'

const MAX_CODINGS = 3
/** Values that some servers send although they name no encoding. Browsers ignore them too. */
const NO_CODING = new Set(['', 'identity', 'none', 'binary', '8bit', 'utf-8', 'utf8', 'iso-8859-1'])
/** RFC 9659: a zstd window on the web is at most 8 MB. */
const ZSTD_WINDOW_LOG = 23

export function codingsOf(contentEncoding: string | undefined): readonly string[] {
  const codings = (contentEncoding ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase().replace(/^x-/, ''))
    .filter((coding) => !NO_CODING.has(coding))
  if (codings.length > MAX_CODINGS)
    throw new FetchFailure(
      'bad-encoding',
      `The body has ${codings.length} content encodings; at most ${MAX_CODINGS} are supported`,
    )
  return codings.reverse()
}

/** `start`: the first bytes of the body. "deflate" means zlib in the standard, but some servers send raw deflate. */
export function decoders(codings: readonly string[], start: Uint8Array): readonly Transform[] {
  return codings.flatMap((coding, index) => decoder(coding, index === 0 ? start : null))
}

function decoder(coding: string, start: Uint8Array | null): readonly Transform[] {
  switch (coding) {
    case 'gzip':
      return [zlib.createGunzip()]
    case 'deflate':
      return [start && !hasZlibHeader(start) ? zlib.createInflateRaw() : zlib.createInflate()]
    case 'br':
      return [zlib.createBrotliDecompress()]
    case 'zstd': {
      const params = { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG }
      return [splitAtFrameEnds(), zlib.createZstdDecompress({ params })]
    }
    default:
      throw new FetchFailure('bad-encoding', `The body has the unknown Content-Encoding ${JSON.stringify(coding)}`)
  }
}

/** One byte is enough to decide: only an invalid raw deflate block could start with it. */
function hasZlibHeader([first = 0, second]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (second === undefined || ((first << 8) | second) % 31 === 0)
}

/** Reads the first bytes and puts them back. Empty for an empty body. */
export async function peek(body: Readable): Promise<Uint8Array> {
  for (;;) {
    const chunk: Buffer | null = body.read()
    if (chunk) {
      body.unshift(chunk)
      return chunk
    }
    if (body.errored) throw body.errored
    if (body.readableEnded || body.destroyed) return new Uint8Array()
    await new Promise<void>((resolve) => {
      for (const event of ['readable', 'end', 'close']) body.once(event, resolve)
    })
  }
}
