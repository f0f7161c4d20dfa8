// Refuses a row beyond what its owner may have. The owner's row is locked before the new row is written, so that parallel
// requests are counted one after another.
// See docs/decisions/0110-limits-are-counted-in-the-transaction.md
import { type LimitName, limitReached } from '../../domain/limits.ts'
import type { OwnedCounts } from '../../ports/people-store.ts'
import type { Database, Db, Transaction } from '../database/db.ts'
import { ownerNotFound } from './owner-still-exists.ts'

const OWN_PODCASTS = 'SELECT id FROM podcasts WHERE user_id = ?'

const COUNTED = {
  sources: `sources WHERE podcast_id IN (${OWN_PODCASTS})`,
  podcasts: 'podcasts WHERE user_id = ?',
  tokens: 'tokens WHERE user_id = ?',
  cursors: `cursors WHERE podcast_id IN (${OWN_PODCASTS})`,
  webhooks: 'webhooks WHERE user_id = ?',
} as const satisfies Partial<Record<LimitName, string>>

export interface Owned {
  readonly what: keyof typeof COUNTED
  readonly userId: string
  /** null: no limit. */
  readonly most: number | null
}

/** Runs `add`, which returns how many rows it added, in a transaction that is undone beyond the limit. */
export async function addWithinLimit(
  db: Database,
  { what, userId, most }: Owned,
  add: (tx: Transaction) => Promise<number>,
): Promise<number> {
  return db.transaction(async (tx) => {
    if (most === null) return add(tx)
    const lock = `SELECT id FROM users WHERE id = ? ${tx.dialect.forNoKeyUpdate('users')}`
    if (!(await tx.get(lock, [userId]))) throw ownerNotFound('user')
    const added = await add(tx)
    if (added > 0 && (await count(tx, what, userId)) > most) throw limitReached(what, most)
    return added
  })
}

/** How many a user has of each. */
export async function countOwned(db: Db, userId: string): Promise<OwnedCounts> {
  const counts = Object.values(COUNTED).map((rows) => `(SELECT count(*) FROM ${rows})`)
  const names = Object.keys(COUNTED)
  const columns = counts.map((count, at) => `${count} AS ${names[at]}`).join(', ')
  const row = await db.get(
    `SELECT ${columns}`,
    names.map(() => userId),
  )
  const of = (name: keyof OwnedCounts) => Number(row?.[name])
  return {
    ...{ sources: of('sources'), podcasts: of('podcasts'), tokens: of('tokens') },
    ...{ cursors: of('cursors'), webhooks: of('webhooks') },
  }
}

async function count(tx: Transaction, what: Owned['what'], userId: string): Promise<number> {
  return Number((await tx.get(`SELECT count(*) AS n FROM ${COUNTED[what]}`, [userId]))?.n)
}
