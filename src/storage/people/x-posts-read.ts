// How many posts X returned to each user's key, by day. Days before the last two months are dropped while counting.
import type { Database, Db } from '../database/db.ts'

const KEPT_DAYS = 62

export async function countXPostsRead(db: Database, userId: string, day: number, posts: number): Promise<void> {
  await db.transaction(async (tx) => {
    // A user who is removed during the poll has no count any more.
    await tx.run(
      `INSERT INTO x_posts_read (user_id, day, posts) 
       SELECT id, ${tx.dialect.bigint}, ${tx.dialect.bigint} FROM users WHERE id = ?
       ON CONFLICT (user_id, day) DO UPDATE SET posts = x_posts_read.posts + excluded.posts`,
      [day, posts, userId],
    )
    await tx.run('DELETE FROM x_posts_read WHERE user_id = ? AND day < ?', [userId, day - KEPT_DAYS])
  })
}

export async function xPostsReadSince(db: Db, userId: string, day: number): Promise<number> {
  const sql = 'SELECT SUM(posts) AS posts FROM x_posts_read WHERE user_id = ? AND day >= ?'
  return Number((await db.get(sql, [userId, day]))?.posts ?? 0)
}

export async function xPostsReadOn(db: Db, day: number): Promise<readonly { userId: string; posts: number }[]> {
  const rows = await db.all('SELECT user_id, posts FROM x_posts_read WHERE day = ? ORDER BY user_id', [day])
  return rows.map((row) => ({ userId: row.user_id as string, posts: Number(row.posts) }))
}
