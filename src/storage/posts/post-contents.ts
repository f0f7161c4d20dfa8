// The large parts of posts: HTML and the text of the page behind a post. The HTML that came with a post is in a bundle. What
// a page brought replaces it and stands by itself, as does HTML from before there were bundles.
import type { PostContent } from '../../domain/post.ts'
import { unpackText } from '../../packed-text.ts'
import type { Db } from '../database/db.ts'
import { slices } from '../database/insert-rows.ts'
import { readBundledTexts, type TextPlace } from './html-bundles.ts'

const POSTS_AT_ONCE = 50
const ALL_PARTS = `SELECT p.id, c.html, p.html_bundle, p.html_index, c.full_text
  FROM posts p LEFT JOIN post_contents c ON c.post_id = p.id WHERE (p.html_bundle IS NOT NULL OR c.post_id IS NOT NULL)`
const FULL_TEXTS = `SELECT p.id, NULL AS html, NULL AS html_bundle, c.full_text
  FROM posts p JOIN post_contents c ON c.post_id = p.id WHERE c.full_text IS NOT NULL`

/** By the id of the post. Posts without any are left out. `html: false`: only the full texts are read. */
export async function postContents(
  db: Db,
  ids: readonly string[],
  { html }: { readonly html: boolean } = { html: true },
): Promise<ReadonlyMap<string, PostContent>> {
  const found = new Map<string, PostContent>()
  const places: TextPlace[] = []
  const select = html ? ALL_PARTS : FULL_TEXTS
  for (const some of slices(ids.map(Number), POSTS_AT_ONCE)) {
    for (const row of await db.all(`${select} AND ${db.dialect.oneOf('p.id')}`, [db.dialect.list(some)])) {
      const postId = String(row.id)
      const [content, text] = await Promise.all([bytesOf(row.html), bytesOf(row.full_text)])
      if (content === null && row.html_bundle !== null)
        places.push({ postId, bundleId: Number(row.html_bundle), index: Number(row.html_index) })
      found.set(postId, { html: content, fullText: text })
    }
  }
  for (const [postId, text] of await readBundledTexts(db, places))
    found.set(postId, { html: text, fullText: found.get(postId)?.fullText ?? null })
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
