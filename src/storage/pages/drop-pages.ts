// Nobody wants the pages behind a source's posts any more. The answer of one that is being asked is not written.
import type { Db } from '../database/db.ts'

export async function dropPagesOf(tx: Db, sourceId: string): Promise<void> {
  const rows = await tx.all(
    `DELETE FROM page_fetches WHERE post_id IN (SELECT id FROM posts WHERE source_id = ?) RETURNING post_id`,
    [sourceId],
  )
  if (rows.length === 0) return
  await tx.run(
    `UPDATE posts SET full_text_state = 'none', full_text_reason = NULL
     WHERE full_text_state = 'pending' AND ${tx.dialect.oneOf('id')}`,
    [tx.dialect.list(rows.map(({ post_id }) => Number(post_id)))],
  )
}
