// Articles are made of the full text of a post where there is one.
import type { Post } from '../../domain/post.ts'
import type { Db } from '../database/db.ts'
import { postContents } from './post-contents.ts'

/** The posts with their full text as body. */
export async function withFullTexts(db: Db, posts: readonly Post[]): Promise<Post[]> {
  const ids = posts.filter((post) => post.fullTextState === 'fetched').map((post) => post.id)
  if (ids.length === 0) return [...posts]
  const contents = await postContents(db, ids, { html: false })
  return posts.map((post) => ({ ...post, body: contents.get(post.id)?.fullText ?? post.body }))
}
