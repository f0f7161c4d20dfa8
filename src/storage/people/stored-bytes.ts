// How many bytes the posts and articles of a user take. Triggers keep the figure with the counts of each podcast, so this
// reads a few rows, however many posts there are.
import type { Db } from '../database/db.ts'

export async function storedBytes(db: Db, userId: string): Promise<number> {
  const sql = `SELECT sum(bytes) AS bytes FROM podcast_counts
    WHERE podcast_id IN (SELECT id FROM podcasts WHERE user_id = ?)`
  return Math.max(0, Number((await db.get(sql, [userId]))?.bytes ?? 0))
}
