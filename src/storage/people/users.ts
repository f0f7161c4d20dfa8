// Users as rows. Removing one is in sources/remove.ts, because its sources go with it.
import { DEFAULT_ID, type User } from '../../domain/person.ts'
import type { Page, PageQuery } from '../../ports/page.ts'
import { codecOf } from '../database/columns.ts'
import type { Database, Db } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'
import { pageOf, readCursor } from '../posts/page-cursor.ts'

const codec = codecOf<User>({ id: ['id', 'text'], name: ['name', 'text'], createdAt: ['created_at', 'integer'] })

export async function addUser(db: Database, user: User): Promise<'added' | 'name-taken'> {
  const { columns, params } = codec.write(user)
  return db.transaction(async (tx) => {
    if (await isNameTaken(tx, user.name, user.id)) return 'name-taken'
    await insertRows(tx, { table: 'users', columns, rows: [params] })
    return 'added'
  })
}

/** Locks the default user first, so that two people cannot take one name at the same moment. */
async function isNameTaken(tx: Db, name: string, id: string): Promise<boolean> {
  await tx.get(`SELECT id FROM users WHERE id = ? ${tx.dialect.forNoKeyUpdate('users')}`, [DEFAULT_ID])
  return (await tx.get('SELECT id FROM users WHERE name = ? AND id <> ?', [name, id])) !== undefined
}

export async function getUser(db: Db, id: string): Promise<User | null> {
  const row = await db.get('SELECT * FROM users WHERE id = ?', [id])
  return row ? codec.read(row) : null
}

export async function listUsers(db: Db, page: PageQuery): Promise<Page<User>> {
  const [createdAt, id] = readCursor(page.cursor, [0, '']) ?? [-1, '']
  const rows = await db.all('SELECT * FROM users WHERE (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?', [
    createdAt,
    id,
    page.limit + 1,
  ])
  return pageOf(rows.map(codec.read), page.limit, (user) => [user.createdAt, user.id])
}

export async function renameUser(db: Database, id: string, name: string): Promise<User | null | 'name-taken'> {
  return db.transaction(async (tx) => {
    if (await isNameTaken(tx, name, id)) return 'name-taken'
    const row = await tx.get('UPDATE users SET name = ? WHERE id = ? RETURNING *', [name, id])
    return row ? codec.read(row) : null
  })
}
