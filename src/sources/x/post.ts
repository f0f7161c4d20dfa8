// Turns a post of X into a candidate. The title is the beginning of the text. The categories hold the kind of post and
// the post it refers to (`reply`, `replied_to:<id>`), so that threads can be built later.
// See docs/decisions/0061-x-replies-marked-in-categories.md
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Candidate } from '../../domain/post.ts'

const TITLE_CHARACTERS = 100

/** A post must have id and text. Other fields are ignored when they are malformed. */
export const xPost = z.object({
  id: z.string().regex(/^\d{1,30}$/),
  text: z.string(),
  created_at: z.string().optional().catch(undefined),
  note_tweet: z.object({ text: z.string() }).optional().catch(undefined),
  referenced_tweets: z
    .array(z.object({ type: z.string(), id: z.string() }))
    .optional()
    .catch(undefined),
})
export type XPost = z.infer<typeof xPost>

export function candidateOf(post: XPost, name: string): Candidate {
  // For a long post, `text` is only the beginning.
  const body = decodeEntities(post.note_tweet?.text ?? post.text)
  return {
    title: titleOf(body),
    body,
    url: `https://x.com/${name}/status/${post.id}`,
    publishedAt: publishedAt(post),
    author: `@${name}`,
    guid: post.id,
    categories: categoriesOf(post),
    contentHash: createHash('sha256').update(body).digest('hex'),
  }
}

export function publishedAt(post: XPost): number | null {
  const stated = post.created_at ?? ''
  // A date without a zone would be read in the local zone.
  const at = /(?:Z|[+-]\d\d:\d\d)$/.test(stated) ? Date.parse(stated) : Number.NaN
  return Number.isNaN(at) ? null : at
}

/** Counts code points, so that an emoji is never cut in half. */
function titleOf(text: string): string {
  const characters = Array.from(text)
  return characters.length <= TITLE_CHARACTERS ? text : `${characters.slice(0, TITLE_CHARACTERS).join('')}...`
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }

/** X encodes only these three. One pass turns `&amp;lt;` into the `&lt;` that the author wrote. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity)
}

const KINDS: Readonly<Record<string, string>> = { replied_to: 'reply', retweeted: 'retweet', quoted: 'quote' }

function categoriesOf(post: XPost): string[] {
  return (post.referenced_tweets ?? []).flatMap(({ type, id }) => {
    const kind = KINDS[type]
    return kind === undefined ? [] : [kind, `${type}:${id}`]
  })
}
