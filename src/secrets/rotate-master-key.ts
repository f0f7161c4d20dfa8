// A new master key for a whole store. A configured key is followed by the one that is handed in; a key file by a fresh
// one, which stays aside until every secret is under it.
import type { SecretStore } from '../ports/secret-store.ts'
import { keyFileIn } from './key-file.ts'
import { type Rotated, rotateKey } from './rotate-key.ts'
import { createSecrets, type SecretsOptions, secretsUnder } from './secrets.ts'

type Store = Pick<SecretStore, 'secretsNotUnder' | 'resealSecret'>

/** 'no-key': there is neither a configured key nor a folder to keep one in. */
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
