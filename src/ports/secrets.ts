// Secrets at rest. Nothing outside the adapter sees a key or a cipher.
import type { SecretRow } from './secret-store.ts'

export interface Secrets {
  /** Throws Problem 'secrets-unavailable', with the remedy, when there is no usable master key. */
  seal(place: Pick<SecretRow, 'scope' | 'ownerId' | 'name'>, plain: string, now: number): Promise<SecretRow>
  /** null: sealed under another master key, or damaged. */
  open(row: SecretRow): Promise<string | null>
}
