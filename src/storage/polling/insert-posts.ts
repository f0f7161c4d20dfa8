import type { Source } from '../../domain/source.ts'
import type { Db } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'
import { writingLater } from '../database/later-writes.ts'
import { nextIds } from '../database/next-ids.ts'
import { addNewPosts, LAST_NEW_POST } from './insert-posts-at-once.ts'
import { newRows, PAGE_COLUMNS, type PackedCandidate, VALUE_COLUMNS } from './new-posts.ts'

/**
 * In the order given, of which none is known: the caller has looked, and has the lock on the source's row. Returns the id
 * of the last one.
 */
export async function insertPosts(
  tx: Db,
  source: Source,
  posts: readonly PackedCandidate[],
  at: number,
): Promise<string | null> {
  if (posts.length === 0) return null
  if (!tx.dialect.isShared) return insertAfterIds(tx, source, posts, at)
  const later = writingLater(tx)
  await addNewPosts(later, source, posts, at)
  return String((await later.get(`SELECT ${LAST_NEW_POST} AS id`))?.id)
}

async function insertAfterIds(tx: Db, source: Source, posts: readonly PackedCandidate[], at: number): Promise<string> {
  const ids = await nextIds(tx, 'posts', posts.length)
  const idAt = (place: number): number => ids[place - 1] ?? 0
  const { rows, bundles, pages } = newRows(source, posts, at)
  await insertRows(tx, {
    table: 'posts',
    columns: ['id', ...VALUE_COLUMNS, 'html_bundle'],
    rows: rows.map(({ values, bundleAt }, index) => [
      idAt(index + 1),
      ...values,
      bundleAt === null ? null : idAt(bundleAt),
    ]),
  })
  await insertRows(tx, {
    table: 'html_bundles',
    columns: ['id', 'last_post_id', 'html'],
    rows: bundles.map(({ firstAt, lastAt, packed }) => [idAt(firstAt), idAt(lastAt), packed]),
  })
  await insertRows(tx, {
    table: 'page_fetches',
    columns: ['post_id', ...PAGE_COLUMNS],
    rows: pages.map(({ postAt, values }) => [idAt(postAt), ...values]),
  })
  return String(ids.at(-1))
}
