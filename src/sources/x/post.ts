// One post of X as a candidate. The title is the text's beginning and nothing else; what kind of post it is and
// what it refers to stand in the categories: `reply`, `replied_to:<id>`, so that threads can be found later.
// See docs/decisions/0061-x-replies-marked-in-categories.md
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Candidate } from '../../domain/post.ts'

const TITLE_CHARACTERS = 100

/** What a post must have; the rest is taken when it makes sense. */
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
  // `text` of a long post is only its beginning.
  const body = decodeEntities(post.note_tweet?.text ?? post.text)
  return {
    title: titleOf(body),
    body,
    url: `https://x.com/${name}/status/${post.id}`,
    publishedAt: publishedAt(post),
    author: `@${name}`,
    guid: post.id,
    categories: marksOf(post),
    contentHash: createHash('sha256').update(body).digest('hex'),
  }
}

export function publishedAt(post: XPost): number | null {
  const stated = post.created_at ?? ''
  // Without a zone it would be read in ours.
  const at = /(?:Z|[+-]\d\d:\d\d)$/.test(stated) ? Date.parse(stated) : Number.NaN
  return Number.isNaN(at) ? null : at
}

/** Counted in code points: half of an emoji is not a character. */
function titleOf(text: string): string {
  const characters = Array.from(text)
  return characters.length <= TITLE_CHARACTERS ? text : `${characters.slice(0, TITLE_CHARACTERS).join('')}...`
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }

/** X encodes these three and no others; in one pass, so that `&amp;lt;` is the `&lt;` that was written. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity)
}

const KINDS: Readonly<Record<string, string>> = { replied_to: 'reply', retweeted: 'retweet', quoted: 'quote' }

function marksOf(post: XPost): string[] {
  return (post.referenced_tweets ?? []).flatMap(({ type, id }) => {
    const kind = KINDS[type]
    return kind === undefined ? [] : [kind, `${type}:${id}`]
  })
}
