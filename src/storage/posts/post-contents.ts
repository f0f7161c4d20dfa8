// The large parts of posts: HTML and the text of the page behind a post.
import type { PostContent } from '../../domain/post.ts'
import { unpackText } from '../../packed-text.ts'
import type { Db } from '../database/db.ts'
import { slices } from '../database/insert-rows.ts'

const POSTS_AT_ONCE = 50

/** By the id of the post. Posts without any are left out. `html: false`: only the full texts are read. */
export async function postContents(
  db: Db,
  ids: readonly string[],
  { html }: { readonly html: boolean } = { html: true },
): Promise<ReadonlyMap<string, PostContent>> {
  const found = new Map<string, PostContent>()
  for (const some of slices(ids.map(Number), POSTS_AT_ONCE)) {
    const rows = await db.all(
      `SELECT post_id, ${html ? 'html' : 'NULL AS html'}, full_text FROM post_contents
       WHERE ${db.dialect.oneOf('post_id')}`,
      [db.dialect.list(some)],
    )
    for (const row of rows) {
      const [content, text] = await Promise.all([bytesOf(row.html), bytesOf(row.full_text)])
      found.set(String(row.post_id), { html: content, fullText: text })
    }
  }
  return found
}

function bytesOf(value: unknown): Promise<string | null> {
  return unpackText(value as Uint8Array | null)
}

export async function sourceTitles(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all(
    `SELECT id, COALESCE(label, title) AS title FROM sources
     WHERE ${db.dialect.oneOf('id')} AND COALESCE(label, title) IS NOT NULL`,
    [db.dialect.list(ids)],
  )
  return new Map(rows.map((row) => [row.id as string, row.title as string]))
}
