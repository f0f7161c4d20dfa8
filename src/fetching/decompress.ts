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

/**
 * `start`: the first bytes of the body. "deflate" means zlib in the standard, but some servers send raw deflate.
 * `statedSize`: what a gzip body says that it decodes to.
 */
export function decoders(
  codings: readonly string[],
  start: Uint8Array,
  statedSize: number | null = null,
): readonly Transform[] {
  return codings.flatMap((coding, index) => decoder(coding, index === 0 ? start : null, statedSize))
}

function decoder(coding: string, start: Uint8Array | null, statedSize: number | null): readonly Transform[] {
  switch (coding) {
    case 'gzip':
      return [zlib.createGunzip(statedSize === null ? {} : { chunkSize: chunkSizeFor(statedSize) })]
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

const DECODED_AT_ONCE_BYTES = 512 * 1024
const LARGEST_CHUNK_BYTES = 1024 * 1024

/** The body as it is if it is small and complete; null if decoding it takes a stream, as it does for odd bodies. */
export function decodeAtOnce(codings: readonly string[], bytes: Uint8Array): Uint8Array | null {
  if (codings.length === 0) return bytes
  const statedSize = statedSizeOf(codings, bytes)
  if (statedSize === null || statedSize > DECODED_AT_ONCE_BYTES) return null
  try {
    return zlib.gunzipSync(bytes, { maxOutputLength: DECODED_AT_ONCE_BYTES, chunkSize: chunkSizeFor(statedSize) })
  } catch {
    return null
  }
}

/** A gzip body ends with the size of what it holds. It may be wrong, so it only says how large a buffer should be. */
export function statedSizeOf(codings: readonly string[], bytes: Uint8Array): number | null {
  if (codings.length !== 1 || codings[0] !== 'gzip' || bytes.length < 4) return null
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(bytes.length - 4, true)
}

/** One chunk holds an ordinary body: many small ones would have to be joined, and stay in memory for a while. */
function chunkSizeFor(statedSize: number): number {
  return Math.min(LARGEST_CHUNK_BYTES, Math.max(zlib.constants.Z_MIN_CHUNK, statedSize))
}

/** Reads the first bytes and puts them back. Empty for an empty body. */
export async function peek(body: Readable): Promise<Uint8Array> {
  for (;;) {
    const chunk: Buffer | null = body.read()
    if (chunk) {
      body.unshift(chunk)
      return chunk
    }
    if (isOver(body)) return new Uint8Array()
    await somethingNew(body)
  }
}

/** The whole body if it has at most `mostBytes`; else null, and what was read is put back. */
export async function readSmall(body: Readable, mostBytes: number): Promise<Uint8Array | null> {
  const chunks: Buffer[] = []
  let length = 0
  for (;;) {
    const chunk: Buffer | null = body.read()
    if (chunk) {
      chunks.push(chunk)
      length += chunk.length
      if (length <= mostBytes) continue
      body.unshift(Buffer.concat(chunks))
      return null
    }
    if (isOver(body)) return Buffer.concat(chunks)
    await somethingNew(body)
  }
}

function isOver(body: Readable): boolean {
  if (body.errored) throw body.errored
  return body.readableEnded || body.destroyed
}

const NEWS = ['readable', 'end', 'close'] as const

function somethingNew(body: Readable): Promise<void> {
  return new Promise((resolve) => {
    const tell = (): void => {
      for (const event of NEWS) body.off(event, tell)
      resolve()
    }
    for (const event of NEWS) body.on(event, tell)
  })
}
