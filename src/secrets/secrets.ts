// Encrypts stored secrets with one master key. The key comes from:
// - the configuration; or
// - on SQLite, a file in the data folder, created with the first secret; or
// - a random key, for a store in memory.
// On PostgreSQL it must be configured, because the processes share no folder.
import { randomBytes } from 'node:crypto'
import { Problem } from '../domain/problem.ts'
import type { Secrets } from '../ports/secrets.ts'
import { type KeyFile, keyFileIn } from './key-file.ts'
import { keyIdOf, openUnder, sealUnder } from './seal.ts'

export interface SecretsOptions {
  /** app.encryption.master-key. */
  readonly masterKey: string | null
  readonly engine: 'sqlite' | 'postgres'
  /** Folder of the database file; null for a store in memory and for PostgreSQL. */
  readonly dataDir: string | null
}

export interface KeyedSecrets extends Secrets {
  /** The id of the key that seals, or null if there is no key yet. */
  keyId(): Promise<string | null>
}

/** The available keys. During a rotation both keys open secrets, and the new one seals. */
interface KeyRing {
  /** The sealing key comes first. */
  keys(): Promise<readonly Buffer[]>
  sealing(): Promise<Buffer>
}

export const HOW_TO_MAKE_A_KEY =
  'Set app.encryption.master-key (APP_ENCRYPTION_MASTER_KEY) to base64 of 32 random bytes, such as "tidings key generate" or "openssl rand -base64 32" prints'

export function createSecrets(options: SecretsOptions): KeyedSecrets {
  return secretsOf(keyRingOf(options))
}

/** Uses only this key. */
export function secretsUnder(key: Buffer): KeyedSecrets {
  return secretsOf(fixedKey(key))
}

function secretsOf(ring: KeyRing): KeyedSecrets {
  return {
    async seal(place, plain, now) {
      const key = await ring.sealing()
      const { scope, ownerId, name } = place
      return { scope, ownerId, name, keyId: keyIdOf(key), sealed: sealUnder(key, place, plain), updatedAt: now }
    },
    async open(row) {
      const keys = await ring.keys().catch(() => [])
      const key = keys.find((candidate) => keyIdOf(candidate) === row.keyId)
      return key ? openUnder(key, row, row.sealed) : null
    },
    async keyId() {
      const [key] = await ring.keys()
      return key ? keyIdOf(key) : null
    },
  }
}

function keyRingOf({ masterKey, engine, dataDir }: SecretsOptions): KeyRing {
  if (masterKey !== null) return fixedKey(Buffer.from(masterKey, 'base64'))
  if (engine === 'postgres') return NO_KEY
  return dataDir === null ? fixedKey(randomBytes(32)) : fileKeys(keyFileIn(dataDir))
}

function fixedKey(key: Buffer): KeyRing {
  return { keys: async () => [key], sealing: async () => key }
}

const NO_KEY: KeyRing = {
  keys: async () => [],
  sealing: async () => {
    throw new Problem('secrets-unavailable', `There is no master key to encrypt secrets with. ${HOW_TO_MAKE_A_KEY}.`)
  },
}

function fileKeys(file: KeyFile): KeyRing {
  return {
    async keys() {
      return [await file.readNext(), await file.read()].filter((key) => key !== null)
    },
    sealing: async () => (await file.readNext()) ?? file.readOrMake(),
  }
}
