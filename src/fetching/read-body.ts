// Bodies: either whole, within the limit that counts after decompression, or only their beginning.
import { pipeline, Readable } from 'node:stream'
import { classify } from './classify.ts'
import { codingsOf, decoders, peek } from './decode.ts'
import type { Answer } from './exchange.ts'
import { FetchFailure } from './failure.ts'

/** The whole body in a buffer of its own, so that it can be handed to another thread. Rejects with a FetchFailure. */
export async function readWhole(answer: Answer, maxBytes: number): Promise<Uint8Array> {
  try {
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of await decoded(answer)) {
      length += chunk.length
      if (length > maxBytes) throw new FetchFailure('body-too-large', `The body is larger than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
    return together(chunks, length)
  } catch (error) {
    answer.body.destroy()
    throw error instanceof FetchFailure ? error : asFailure(error)
  }
}

/** The beginning of a body that only explains a status. What goes wrong with it does not matter. */
export async function readExcerpt(answer: Answer, maxBytes: number, limitMs: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  const timer = setTimeout(() => answer.body.destroy(), limitMs)
  try {
    for await (const chunk of await decoded(answer)) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= maxBytes) break
    }
  } catch {
    answer.body.destroy()
  } finally {
    clearTimeout(timer)
  }
  return new TextDecoder().decode(together(chunks, length).subarray(0, maxBytes))
}

async function decoded(answer: Answer): Promise<Readable> {
  const codings = codingsOf(answer.headers['content-encoding'])
  if (codings.length === 0) return answer.body
  const start = await peek(answer.body)
  // Nothing at all is an empty body, whatever it claims to be packed in.
  if (start.length === 0) return Readable.from([])
  const steps = decoders(codings, start)
  // The last step carries every error on to whoever reads it.
  pipeline([answer.body, ...steps], () => {})
  return steps.at(-1) ?? answer.body
}

function together(chunks: readonly Uint8Array[], length: number): Uint8Array {
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
