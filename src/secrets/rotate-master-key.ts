// Rotates the master key of a store. A configured key is replaced by the key that the caller provides.
// A key file is replaced by a new random key, which stays in its own file until every secret is encrypted with it.
import type { SecretStore } from '../ports/secret-store.ts'
import { keyFileIn } from './key-file.ts'
import { type Rotated, rotateKey } from './rotate-key.ts'
import { createSecrets, type SecretsOptions, secretsUnder } from './secrets.ts'

type Store = Pick<SecretStore, 'secretsNotUnder' | 'resealSecret'>

/** 'no-key': there is neither a configured key nor a folder for a key file. */
export async function rotateMasterKey(
  store: Store,
  options: SecretsOptions,
  readNewKey: () => Promise<Buffer>,
): Promise<Rotated | 'no-key'> {
  const from = createSecrets(options)
  if (options.masterKey !== null) return rotateKey({ store, from, to: secretsUnder(await readNewKey()) })
  if (options.engine !== 'sqlite' || options.dataDir === null) return 'no-key'
  const file = keyFileIn(options.dataDir)
  const to = secretsUnder(await file.readOrMakeNext())
  const rotated = await rotateKey({ store, from, to })
  await file.adoptNext()
  return rotated
}
