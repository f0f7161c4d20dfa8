// Encrypts one secret with one key: AES-256-GCM with a new IV each time.
// The place of the secret (scope, owner, name) is authenticated too, so a sealed text does not open in another row.
// See docs/decisions/0006-secrets-encrypted-per-row.md
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { SecretRow } from '../ports/secret-store.ts'

export type Place = Pick<SecretRow, 'scope' | 'ownerId' | 'name'>

const VERSION = 'v1'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Identifies a key without revealing it. */
export function keyIdOf(key: Buffer): string {
  return createHash('sha256').update('tidings master key\0').update(key).digest('hex').slice(0, 16)
}

export function sealUnder(key: Buffer, place: Place, plain: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(placeBytes(place))
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return [VERSION, iv, cipher.getAuthTag(), sealed].map(text).join('.')
}

/** Returns null for a different key, a different place or damaged text. */
export function openUnder(key: Buffer, place: Place, sealed: string): string | null {
  const [version, ...parts] = sealed.split('.')
  const [iv, tag, body] = parts.map((part) => Buffer.from(part, 'base64url'))
  if (version !== VERSION || parts.length !== 3 || iv?.length !== IV_BYTES || tag?.length !== TAG_BYTES) return null
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    cipher.setAAD(placeBytes(place)).setAuthTag(tag)
    return Buffer.concat([cipher.update(body ?? Buffer.alloc(0)), cipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

function placeBytes({ scope, ownerId, name }: Place): Buffer {
  return Buffer.from(JSON.stringify([VERSION, scope, ownerId, name]))
}

function text(part: string | Buffer): string {
  return typeof part === 'string' ? part : part.toString('base64url')
}
