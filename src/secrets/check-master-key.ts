// At start: can everything that is stored be read? A wrong master key is told once, with what it cannot read and what
// to do; everything else works on.
import type { SecretRow } from '../ports/secret-store.ts'
import type { Store } from '../ports/store.ts'
import type { KeyedSecrets } from './secrets.ts'

const NAMED_AT_MOST = 5
const COUNTED_AT_MOST = 1000

type Lookup = Pick<Store, 'secretsNotUnder' | 'getSource' | 'getUser'>

export interface UnreadableSecrets {
  readonly found: string
  readonly remedy: string
}

const REMEDY =
  'Set app.encryption.master-key to the key they were stored under (or restore the file master.key beside the database), run an interrupted "tidings key rotate" again, or store them again.'

/** null when all is well. */
export async function checkMasterKey(secrets: KeyedSecrets, store: Lookup): Promise<UnreadableSecrets | null> {
  let trouble: string | null = null
  const keyId = await secrets.keyId().catch((error: Error) => {
    trouble = error.message
    return null
  })
  const foreign = await store.secretsNotUnder(keyId ?? '', COUNTED_AT_MOST)
  const unreadable: SecretRow[] = []
  // In the middle of a rotation, rows under the previous key are read too.
  for (const row of foreign) if ((await secrets.open(row)) === null) unreadable.push(row)
  if (unreadable.length === 0) return null
  const names = await Promise.all(unreadable.slice(0, NAMED_AT_MOST).map((row) => nameOf(row, store)))
  const more = unreadable.length - names.length
  const all = more > 0 ? [...names, `${more}${foreign.length === COUNTED_AT_MOST ? ' or more' : ''} others`] : names
  const cause =
    trouble ?? (keyId === null ? 'There is no master key' : 'The master key is not the one they were stored under')
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
