// Sealed secrets as rows: API keys of users, credentials of sources, secrets of webhooks. Only src/secrets can open them.
import type { SecretRow } from '../../ports/secret-store.ts'
import { codecOf } from '../database/columns.ts'
import type { Database, Db } from '../database/db.ts'
import { ownerNotFound } from './owner-still-exists.ts'

const codec = codecOf<SecretRow>({
  scope: ['scope', 'text'],
  ownerId: ['owner_id', 'text'],
  name: ['name', 'text'],
  keyId: ['key_id', 'text'],
  sealed: ['sealed', 'text'],
  updatedAt: ['updated_at', 'integer'],
})

/** Secrets have no foreign key to users, so the user's row is checked and locked while the key is written. */
export async function putKey(db: Database, row: SecretRow): Promise<void> {
  await db.transaction(async (tx) => {
    const user = `SELECT id FROM users WHERE id = ? ${tx.dialect.forNoKeyUpdate('users')}`
    if (!(await tx.get(user, [row.ownerId]))) throw ownerNotFound('user')
    await putSecret(tx, row)
  })
}

export async function putSecret(db: Db, row: SecretRow): Promise<void> {
  await db.run(
    `INSERT INTO secrets (scope, owner_id, name, key_id, sealed, updated_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (scope, owner_id, name)
     DO UPDATE SET key_id = excluded.key_id, sealed = excluded.sealed, updated_at = excluded.updated_at`,
    codec.write(row).params,
  )
}

export async function resealSecret(db: Db, row: SecretRow, was: string): Promise<boolean> {
  const changed = await db.run(
    `UPDATE secrets SET key_id = ?, sealed = ?, updated_at = ?
     WHERE scope = ? AND owner_id = ? AND name = ? AND sealed = ?`,
    [row.keyId, row.sealed, row.updatedAt, row.scope, row.ownerId, row.name, was],
  )
  return changed > 0
}

export async function getSecret(
  db: Db,
  scope: SecretRow['scope'],
  ownerId: string,
  name: string,
): Promise<SecretRow | null> {
  const row = await db.get('SELECT * FROM secrets WHERE scope = ? AND owner_id = ? AND name = ?', [
    scope,
    ownerId,
    name,
  ])
  return row ? codec.read(row) : null
}

export async function removeSecret(db: Db, scope: SecretRow['scope'], ownerId: string, name: string): Promise<boolean> {
  const sql = 'DELETE FROM secrets WHERE scope = ? AND owner_id = ? AND name = ?'
  return (await db.run(sql, [scope, ownerId, name])) > 0
}

export async function secretsNotUnder(db: Db, keyId: string, limit: number): Promise<readonly SecretRow[]> {
  const rows = await db.all('SELECT * FROM secrets WHERE key_id <> ? ORDER BY scope, owner_id, name LIMIT ?', [
    keyId,
    limit,
  ])
  return rows.map(codec.read)
}
