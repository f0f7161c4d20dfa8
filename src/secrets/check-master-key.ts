// Checks at start whether all stored secrets can be decrypted. With a wrong master key it returns one message:
// which secrets cannot be read, and what to do. Everything else keeps working.
import type { SecretRow } from '../ports/secret-store.ts'
import type { Store } from '../ports/store.ts'
import type { KeyedSecrets } from './secrets.ts'

const MAX_NAMED = 5
const MAX_COUNTED = 1000

type Lookup = Pick<Store, 'secretsNotUnder' | 'getSource' | 'getUser'>

export interface UnreadableSecrets {
  readonly found: string
  readonly remedy: string
}

const REMEDY =
  'Set app.encryption.master-key to the key that encrypted them (or restore the file master.key next to the database), run an interrupted "tidings key rotate" again, or store them again.'

/** Returns null if every secret can be read. */
export async function checkMasterKey(secrets: KeyedSecrets, store: Lookup): Promise<UnreadableSecrets | null> {
  let keyProblem: string | null = null
  const keyId = await secrets.keyId().catch((error: Error) => {
    keyProblem = error.message
    return null
  })
  const foreign = await store.secretsNotUnder(keyId ?? '', MAX_COUNTED)
  const unreadable: SecretRow[] = []
  // During a rotation, the previous key can still decrypt its rows.
  for (const row of foreign) if ((await secrets.open(row)) === null) unreadable.push(row)
  if (unreadable.length === 0) return null
  const names = await Promise.all(unreadable.slice(0, MAX_NAMED).map((row) => nameOf(row, store)))
  const more = unreadable.length - names.length
  const all = more > 0 ? [...names, `${more}${foreign.length === MAX_COUNTED ? ' or more' : ''} others`] : names
  const cause =
    keyProblem ??
    (keyId === null ? 'There is no master key' : 'The master key is not the one that encrypted the stored secrets')
  return { found: `${cause}, so these secrets cannot be read: ${all.join(', ')}`, remedy: REMEDY }
}

async function nameOf(row: SecretRow, store: Lookup): Promise<string> {
  switch (row.scope) {
    case 'key':
      return `the ${row.name} key of user ${(await store.getUser(row.ownerId))?.name ?? row.ownerId}`
    case 'source':
      return `the credentials of ${(await store.getSource(row.ownerId))?.url ?? `source ${row.ownerId}`}`
    case 'webhook':
      return `the secret of webhook ${row.ownerId}`
    default:
      row.scope satisfies never
      throw new Error(`unknown scope ${row.scope}`)
  }
}
