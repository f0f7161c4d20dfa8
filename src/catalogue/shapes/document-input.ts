// Checks the input of `readFeed` and `readPage`, which library users call directly.
import { z } from 'zod'
import { expected, readInput } from './validate.ts'

export interface DocumentInput {
  readonly bytes: Uint8Array
  readonly context: { readonly contentType?: string | undefined; readonly url: string }
}

const documentInput = z.object({
  bytes: z.custom<ArrayBufferView | ArrayBuffer>(isBinary, expected('a Uint8Array')),
  context: z.object(
    {
      contentType: z.string(expected('a media type as text')).nullish(),
      url: z.string(expected('an absolute URL')).refine(URL.canParse, expected('an absolute URL')),
    },
    expected('an object with the url of the document'),
  ),
})

export function readDocumentInput(bytes: unknown, context: unknown): DocumentInput {
  const input = readInput(documentInput, { bytes, context })
  const { contentType, url } = input.context
  return { bytes: asBytes(input.bytes), context: { contentType: contentType ?? undefined, url } }
}

/** Checked by name, because a buffer from another realm is not an instance of this one's class. */
function isBinary(value: unknown): boolean {
  return ArrayBuffer.isView(value) || Object.prototype.toString.call(value) === '[object ArrayBuffer]'
}

function asBytes(binary: ArrayBufferView | ArrayBuffer): Uint8Array {
  if (!ArrayBuffer.isView(binary)) return new Uint8Array(binary)
  return new Uint8Array(binary.buffer, binary.byteOffset, binary.byteLength)
}
