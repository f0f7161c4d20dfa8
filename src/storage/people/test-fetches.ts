import { nextUseAt, recentUses } from '../../domain/uses-per-minute.ts'
import type { Database } from '../database/db.ts'

export async function takeTestFetch(
  db: Database,
  userId: string,
  perMinute: number,
  now: number,
): Promise<number | null> {
  return db.transaction(async (tx) => {
    const lock = tx.dialect.forNoKeyUpdate('users')
    const row = await tx.get(`SELECT test_fetches FROM users WHERE id = ? ${lock}`, [userId])
    // A user who was just removed has nothing that could be tested.
    if (!row) return null
    const uses = JSON.parse(row.test_fetches as string) as number[]
    const until = nextUseAt(uses, perMinute, now)
    if (until !== null) return until
    await tx.run('UPDATE users SET test_fetches = ? WHERE id = ?', [
      JSON.stringify([...recentUses(uses, now), now]),
      userId,
    ])
    return null
  })
}
