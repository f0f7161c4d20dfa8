// The mark of a copy that is not finished. It is a row of the target, written in the same transaction as the rows that it
// speaks of, so a copy that is killed goes on where it was. While the mark is there, the target is no store yet.
import { hash } from 'node:crypto'
import { Problem } from '../../domain/problem.ts'
import type { Db } from '../database/db.ts'
import { readMeta } from '../meta.ts'
import type { Values } from './rows.ts'

export const UNFINISHED_KEY = 'unfinished-transfer'

export interface Unfinished {
  /** Which store is copied. */
  readonly source: string
  /** What the source was when the copy began. If it is something else now, the copied rows are out of date. */
  readonly state: string
  /** Tables that are copied. */
  readonly finished: readonly string[]
  /** The last copied row of the next table; null if none is. */
  readonly lastKey: Values | null
  readonly rows: number
}

export async function readUnfinished(db: Db): Promise<Unfinished | null> {
  const text = await readMeta(db, UNFINISHED_KEY)
  return text === null ? null : JSON.parse(text)
}

export async function writeUnfinished(tx: Db, unfinished: Unfinished): Promise<void> {
  await removeUnfinished(tx)
  await tx.run('INSERT INTO meta (key, value) VALUES (?, ?)', [UNFINISHED_KEY, JSON.stringify(unfinished)])
}

export async function removeUnfinished(tx: Db): Promise<void> {
  await tx.run('DELETE FROM meta WHERE key = ?', [UNFINISHED_KEY])
}

export async function refuseUnfinished(db: Db): Promise<void> {
  if ((await readMeta(db, UNFINISHED_KEY)) === null) return
  throw new Problem(
    'conflict',
    'This store is an unfinished copy of another one: run the same "tidings migrate-store" again, which goes on where it ended.',
  )
}

/** The moment in which a store was made, in milliseconds, is its own. It never changes, and moves with the store. */
export async function identityOf(db: Db): Promise<string> {
  const made = await db.all(`SELECT created_at FROM users WHERE id = 'default'
    UNION ALL SELECT created_at FROM podcasts WHERE id = 'default'`)
  return made.map((row) => String(row.created_at)).join('-')
}

/** Changes with nearly everything that happens in a store. What slips through is found when the copy is verified. */
export async function stateOf(db: Db): Promise<string> {
  const parts = await Promise.all([
    db.all(db.dialect.transfer.newestIds),
    db.all('SELECT name, value FROM counters ORDER BY name'),
    db.all('SELECT key, value FROM meta ORDER BY key'),
    db.all('SELECT count(*) AS n, sum(version) AS versions FROM sources'),
    db.all('SELECT count(*) AS n, max(id) AS last FROM polls'),
    db.all('SELECT scope, owner_id, name, sealed FROM secrets ORDER BY scope, owner_id, name'),
    db.all('SELECT count(*) AS n FROM articles WHERE is_processed = 1'),
    db.all('SELECT id, name FROM users ORDER BY id'),
    db.all('SELECT id, name FROM podcasts ORDER BY id'),
    db.all('SELECT count(*) AS n, max(created_at) AS last FROM tokens'),
    db.all('SELECT count(*) AS n, sum(position) AS positions FROM webhooks'),
  ])
  return hash('sha256', JSON.stringify(parts.map((rows) => rows.map((row) => Object.entries(row)))))
}
