// Reads and decompresses bodies: the whole body up to a limit on its decompressed size, or only its start.
import { pipeline, Readable } from 'node:stream'
import { classify } from './classify.ts'
import { codingsOf, decoders, peek } from './decompress.ts'
import type { WireResponse } from './exchange.ts'
import { FetchFailure } from './failure.ts'

/** Returns the whole body in its own buffer, so that it can be transferred to a thread. Rejects with a FetchFailure. */
export async function readWhole(response: WireResponse, maxBytes: number): Promise<Uint8Array> {
  try {
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of await decoded(response)) {
      length += chunk.length
      if (length > maxBytes) throw new FetchFailure('body-too-large', `The body is larger than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
    return concat(chunks, length)
  } catch (error) {
    response.body.destroy()
    throw error instanceof FetchFailure ? error : asFailure(error)
  }
}

/** Returns the start of a body that only explains a status. Errors while reading it are ignored. */
export async function readExcerpt(response: WireResponse, maxBytes: number, limitMs: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  const timer = setTimeout(() => response.body.destroy(), limitMs)
  try {
    for await (const chunk of await decoded(response)) {
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

async function decoded(response: WireResponse): Promise<Readable> {
  const codings = codingsOf(response.headers['content-encoding'])
  if (codings.length === 0) return response.body
  const start = await peek(response.body)
  // A body without bytes is empty, whatever its Content-Encoding says.
  if (start.length === 0) return Readable.from([])
  const steps = decoders(codings, start)
  // The last stream reports every error to its reader.
  pipeline([response.body, ...steps], () => {})
  return steps.at(-1) ?? response.body
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
