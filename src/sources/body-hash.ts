// The hash that tells whether a body is the last one again. A large body is hashed in another thread: some dozens of
// them arriving together would otherwise hold up everybody who asks the API.
import { createHash } from 'node:crypto'

const SMALL_BYTES = 64 * 1024

export async function bodyHashOf(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= SMALL_BYTES) return createHash('sha256').update(bytes).digest('hex')
  // Bodies lie in ordinary memory of their own, never in a shared one.
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return Buffer.from(digest).toString('hex')
}
