// The daily summaries of a user, by an index of their own.
import type { StoredEvent } from '../../domain/event.ts'
import type { Page, PageQuery } from '../../ports/page.ts'
import type { Db } from '../database/db.ts'
import { pageOf, readCursor } from '../posts/page-cursor.ts'
import { readEvent } from './events.ts'

/** Newest first. */
export async function listSummaries(
  db: Db,
  userId: string,
  page: PageQuery,
): Promise<Page<StoredEvent<'summary.daily'>>> {
  const [before] = readCursor(page.cursor, [0]) ?? [Number.MAX_SAFE_INTEGER]
  const rows = await db.all(
    `SELECT * FROM events WHERE type = 'summary.daily' AND user_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
    [userId, before, page.limit + 1],
  )
  const summaries = rows.map((row) => readEvent(row) as StoredEvent<'summary.daily'>)
  return pageOf(summaries, page.limit, ({ id }) => [Number(id)])
}
