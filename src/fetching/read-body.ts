// Reads and decompresses bodies: the whole body up to a limit on its decompressed size, or only its start.
import { pipeline, Readable } from 'node:stream'
import { classify } from './classify.ts'
import { codingsOf, decodeAtOnce, decoders, peek, readSmall, statedSizeOf } from './decompress.ts'
import type { WireResponse } from './exchange.ts'
import { FetchFailure } from './failure.ts'

const SMALL_BYTES = 64 * 1024

/** Returns the whole body in its own buffer, so that it can be transferred to a thread. Rejects with a FetchFailure. */
export async function readWhole(response: WireResponse, maxBytes: number): Promise<Uint8Array> {
  try {
    const codings = codingsOf(response.headers['content-encoding'])
    // Most bodies are small, and streams cost several times as much as decoding them.
    const small = await readSmall(response.body, SMALL_BYTES)
    const whole = small && decodeAtOnce(codings, small)
    if (whole && whole.length <= maxBytes) return inOwnBuffer(whole)
    const statedSize = small && statedSizeOf(codings, small)
    return await readStream(
      await decoded(small ? Readable.from([small]) : response.body, codings, statedSize),
      maxBytes,
    )
  } catch (error) {
    response.body.destroy()
    throw error instanceof FetchFailure ? error : asFailure(error)
  }
}

async function readStream(stream: Readable, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    length += chunk.length
    if (length > maxBytes) throw new FetchFailure('body-too-large', `The body is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  const [first] = chunks
  return chunks.length === 1 && first ? inOwnBuffer(first) : concat(chunks, length)
}

function inOwnBuffer(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes)
}

/** Waits for the end of a body that nobody needs, so that the connection can be used again. A long body closes it. */
export async function skipBody({ body }: WireResponse, maxBytes: number, limitMs: number): Promise<void> {
  const timer = setTimeout(() => body.destroy(), limitMs)
  try {
    if ((await readSmall(body, maxBytes)) === null) body.destroy()
  } catch {
    body.destroy()
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the start of a body that only explains a status. Errors while reading it are ignored. */
export async function readExcerpt(response: WireResponse, maxBytes: number, limitMs: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  const timer = setTimeout(() => response.body.destroy(), limitMs)
  try {
    const codings = codingsOf(response.headers['content-encoding'])
    for await (const chunk of await decoded(response.body, codings)) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= maxBytes) break
    }
  } catch {
    response.body.destroy()
  } finally {
    clearTimeout(timer)
  }
  return new TextDecoder().decode(concat(chunks, length).subarray(0, maxBytes))
}

async function decoded(
  body: Readable,
  codings: readonly string[],
  statedSize: number | null = null,
): Promise<Readable> {
  if (codings.length === 0) return body
  const start = await peek(body)
  // A body without bytes is empty, whatever its Content-Encoding says.
  if (start.length === 0) return Readable.from([])
  const steps = decoders(codings, start, statedSize)
  // The last stream reports every error to its reader.
  pipeline([body, ...steps], () => {})
  return steps.at(-1) ?? body
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.length
  }
  return whole
}

function asFailure(error: unknown): FetchFailure {
  const { code, reason } = classify(error, 'body')
  return new FetchFailure(code, reason)
}
