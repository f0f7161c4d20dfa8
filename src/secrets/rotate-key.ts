// Rotates the key: decrypts every stored secret with the old key and encrypts it with the new one, batch by batch.
// The key id on each row says which rows are left, so an interrupted rotation continues where it stopped.
import type { SecretRow, SecretStore } from '../ports/secret-store.ts'
import type { KeyedSecrets } from './secrets.ts'

export interface Rotation {
  readonly store: Pick<SecretStore, 'secretsNotUnder' | 'resealSecret'>
  /** Decrypts the stored secrets. */
  readonly from: KeyedSecrets
  /** Encrypts them again. */
  readonly to: KeyedSecrets
  readonly batch?: number
}

export interface Rotated {
  readonly resealed: number
  /** Rows that neither key can decrypt. They are left unchanged. */
  readonly unreadable: readonly SecretRow[]
}

export async function rotateKey({ store, from, to, batch = 200 }: Rotation): Promise<Rotated> {
  const keyId = await to.keyId()
  if (keyId === null) throw new Error('a rotation needs a new key')
  const unreadable = new Map<string, SecretRow>()
  let resealed = 0
  for (;;) {
    // Unreadable rows are part of every batch, so the batch is larger by their number.
    const rows = await store.secretsNotUnder(keyId, batch + unreadable.size)
    const left = rows.filter((row) => !unreadable.has(placeOf(row)))
    if (left.length === 0) return { resealed, unreadable: [...unreadable.values()] }
    for (const row of left) {
      const plain = await from.open(row)
      if (plain === null) unreadable.set(placeOf(row), row)
      // If a person replaced or removed the secret meanwhile, their change stays. The next batch reads the row again.
      else if (await store.resealSecret(await to.seal(row, plain, row.updatedAt), row.sealed)) resealed += 1
    }
  }
}

function placeOf({ scope, ownerId, name }: SecretRow): string {
  return JSON.stringify([scope, ownerId, name])
}
