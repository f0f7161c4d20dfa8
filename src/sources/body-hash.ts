// The hash that tells whether a body is the same as last time. Large bodies are hashed in another thread, because several
// dozen at once would otherwise block the API.
import { createHash } from 'node:crypto'

const SMALL_BYTES = 64 * 1024

export async function bodyHashOf(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= SMALL_BYTES) return createHash('sha256').update(bytes).digest('hex')
  // The type is safe: bodies are never in shared memory.
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return Buffer.from(digest).toString('hex')
}
