// API tokens as rows. Only the hash of a token is stored.
import type { Token } from '../../domain/person.ts'
import type { Page, PageQuery } from '../../ports/page.ts'
import { codecOf } from '../database/columns.ts'
import type { Database, Db } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'
import { pageOf, readCursor } from '../posts/page-cursor.ts'
import { ifOwnerExists } from './owner-still-exists.ts'
import { addWithinLimit } from './within-limit.ts'

const MINUTE_MS = 60_000

const codec = codecOf<Token>({
  id: ['id', 'text'],
  userId: ['user_id', 'text'],
  name: ['name', 'text'],
  admin: ['admin', 'boolean'],
  createdAt: ['created_at', 'integer'],
  expiresAt: ['expires_at', 'integer'],
  lastUsedAt: ['last_used_at', 'integer'],
})

export async function addToken(
  db: Database,
  token: Token,
  tokenHash: string,
  most: number | null = null,
): Promise<void> {
  const { columns, params } = codec.write(token)
  const row = { columns: [...columns, 'token_hash'], rows: [[...params, tokenHash]] }
  await addWithinLimit(db, { what: 'tokens', userId: token.userId, most }, (tx) =>
    ifOwnerExists(tx, 'user', () => insertRows(tx, { table: 'tokens', ...row })),
  )
}

export async function listTokens(db: Db, userId: string, page: PageQuery): Promise<Page<Token>> {
  const [createdAt, id] = readCursor(page.cursor, [0, '']) ?? [-1, '']
  const rows = await db.all(
    `SELECT * FROM tokens WHERE user_id = ? AND (created_at, id) > (?, ?)
     ORDER BY created_at, id LIMIT ?`,
    [userId, createdAt, id, page.limit + 1],
  )
  return pageOf(rows.map(codec.read), page.limit, (token) => [token.createdAt, token.id])
}

export async function findToken(db: Db, tokenHash: string): Promise<Token | null> {
  const row = await db.get('SELECT * FROM tokens WHERE token_hash = ?', [tokenHash])
  return row ? codec.read(row) : null
}

export async function touchToken(db: Db, id: string, at: number): Promise<void> {
  // Read first: a token that is used often is written once a minute only.
  const row = await db.get('SELECT last_used_at FROM tokens WHERE id = ?', [id])
  if (!row || (row.last_used_at !== null && Number(row.last_used_at) > at - MINUTE_MS)) return
  await db.run('UPDATE tokens SET last_used_at = ? WHERE id = ?', [at, id])
}

export async function removeToken(db: Db, userId: string, id: string): Promise<boolean> {
  return (await db.run('DELETE FROM tokens WHERE user_id = ? AND id = ?', [userId, id])) > 0
}
