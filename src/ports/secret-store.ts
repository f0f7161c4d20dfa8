// Sealed secrets, as the store keeps them.

/** A sealed secret as stored: `sealed` is opaque to the store. */
export interface SecretRow {
  readonly scope: 'key' | 'source' | 'webhook'
  /** User id for keys, source or webhook id otherwise. */
  readonly ownerId: string
  readonly name: string
  readonly keyId: string
  readonly sealed: string
  readonly updatedAt: number
}

export interface SecretStore {
  /** Of a user. Other secrets are written with what they belong to. */
  putKey(row: SecretRow): Promise<void>
  /** Puts `row` in place of the one sealed as `was`; false when that is no longer there. */
  resealSecret(row: SecretRow, was: string): Promise<boolean>
  getSecret(scope: SecretRow['scope'], ownerId: string, name: string): Promise<SecretRow | null>
  removeSecret(scope: SecretRow['scope'], ownerId: string, name: string): Promise<boolean>
  /** For rotation and the check at start: rows under another key than `keyId`, a batch at a time. */
  secretsNotUnder(keyId: string, limit: number): Promise<readonly SecretRow[]>
}
