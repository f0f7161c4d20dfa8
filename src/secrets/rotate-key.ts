// Rotation: every stored secret is opened under the old key and sealed under the new one, batch by batch. The key id on
// each row says what is left to do, so a rotation that was interrupted goes on where it stopped.
import type { SecretRow, SecretStore } from '../ports/secret-store.ts'
import type { KeyedSecrets } from './secrets.ts'

export interface Rotation {
  readonly store: Pick<SecretStore, 'secretsNotUnder' | 'resealSecret'>
  /** Opens what is there. */
  readonly from: KeyedSecrets
  /** Seals from now on. */
  readonly to: KeyedSecrets
  readonly batch?: number
}

export interface Rotated {
  readonly resealed: number
  /** Left as they are: neither key opens them. */
  readonly unreadable: readonly SecretRow[]
}

export async function rotateKey({ store, from, to, batch = 200 }: Rotation): Promise<Rotated> {
  const keyId = await to.keyId()
  if (keyId === null) throw new Error('a rotation needs a new key')
  const unreadable = new Map<string, SecretRow>()
  let resealed = 0
  for (;;) {
    // What cannot be read comes back with every batch: ask for so many more.
    const rows = await store.secretsNotUnder(keyId, batch + unreadable.size)
    const left = rows.filter((row) => !unreadable.has(placeOf(row)))
    if (left.length === 0) return { resealed, unreadable: [...unreadable.values()] }
    for (const row of left) {
      const plain = await from.open(row)
      if (plain === null) unreadable.set(placeOf(row), row)
      // Replaced or removed by a person meanwhile: theirs stays, and is looked at again if it is under the old key.
      else if (await store.resealSecret(await to.seal(row, plain, row.updatedAt), row.sealed)) resealed += 1
    }
  }
}

function placeOf({ scope, ownerId, name }: SecretRow): string {
  return JSON.stringify([scope, ownerId, name])
}
