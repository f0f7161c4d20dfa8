// Tools that read posts: search, what is new since a position, and one post in slices.
import { z } from 'zod'
import type { PostView } from '../../catalogue/shapes/answers.ts'
import { filledText, oneOf, text, whole } from '../../catalogue/shapes/fields.ts'
import { position } from '../../catalogue/shapes/schemas.ts'
import { fittingPage, fittingSlice } from '../fit.ts'
import { type Query, type Rest, segment } from '../rest.ts'
import { tool } from '../tool.ts'
import { visible } from '../untrusted.ts'
import {
  cursor,
  findSource,
  instant,
  limit,
  namesOf,
  nextCursor,
  short,
  shortOrNull,
  sourceArgument,
  sourceName,
} from './fields.ts'

const summary = {
  id: z.string(),
  title: z.string(),
  url: z.string(),
  source: sourceName,
  sourceId: z.string(),
  publishedAt: instant.nullable(),
  createdAt: instant.describe('when it was stored'),
  excerpt: z.string(),
}
type Summary = z.output<z.ZodObject<typeof summary>>

const EXCERPT_CHARACTERS = 300
const PAGES_AT_MOST = 10
const UNTRUSTED = ['title', 'url', 'source', 'excerpt']

type Found = PostView & { readonly excerpt?: string | null }

async function summaries(rest: Rest, posts: readonly Found[]): Promise<Summary[]> {
  const names = await namesOf(
    rest,
    posts.map(({ sourceId }) => sourceId),
  )
  return posts.map((post) => ({
    id: post.id,
    title: short(post.title, 300),
    url: short(post.url, 2000),
    source: names.get(post.sourceId) ?? post.sourceId,
    sourceId: post.sourceId,
    publishedAt: post.publishedAt,
    createdAt: post.createdAt,
    excerpt: short(post.excerpt ?? oneLine(post.body), EXCERPT_CHARACTERS),
  }))
}

function oneLine(body: string): string {
  return body
    .slice(0, 2 * EXCERPT_CHARACTERS)
    .replace(/\s+/g, ' ')
    .trim()
}

export const searchPosts = tool({
  name: 'search_posts',
  title: 'Search posts',
  description:
    'Full-text search over the stored posts of all podcasts, newest first, or by relevance. All words must occur. "a phrase" in quotes, -word excludes, title:word looks in titles only. Matches may be missing until nextCursor is null, even if there are no items.',
  input: z.strictObject({
    query: filledText(500, 'words to look for').describe('words, "a phrase", -word, title:word'),
    since: text(40, 'an instant')
      .optional()
      .describe('only posts stored at or after this instant (ISO 8601 with zone, or a date)'),
    source: sourceArgument.optional(),
    sort: oneOf(['newest', 'relevance'])
      .default('newest')
      .describe('relevance: the best of the newest 1,000 first, then of those before'),
    limit,
    cursor,
  }),
  output: z.object({ items: z.array(z.object(summary)), nextCursor }),
  untrusted: UNTRUSTED,
  async run(rest, { query: q, since, source, sort, limit, cursor }) {
    const sourceId = source === undefined ? undefined : (await findSource(rest, source)).id
    return fittingPage(limit, async (limit) => {
      const page = await searchOn(rest, { q, since, source: sourceId, sort, limit, cursor })
      return { items: await summaries(rest, page.items), nextCursor: page.nextCursor }
    })
  },
})

interface FoundPage {
  readonly items: Found[]
  readonly nextCursor: string | null
}

/** A search among very many posts may have pages without posts before the first that has some. */
async function searchOn(rest: Rest, query: Query, pagesLeft = PAGES_AT_MOST): Promise<FoundPage> {
  const page = await rest.get<FoundPage>('/api/posts', query, { q: 'query' })
  if (page.items.length > 0 || page.nextCursor === null || pagesLeft <= 1) return page
  return searchOn(rest, { ...query, cursor: page.nextCursor }, pagesLeft - 1)
}

export const newPosts = tool({
  name: 'new_posts',
  title: 'Posts since a position',
  description:
    'Posts of all podcasts that were stored after a position, oldest first, without gaps. Keep the position of the answer and pass it as `after` the next time. Without `after` it starts with the oldest stored post.',
  input: z.strictObject({
    after: position.default('0').describe('position of an earlier answer; 0 is the beginning'),
    limit,
  }),
  output: z.object({
    items: z.array(z.object(summary)),
    position: z.string().describe('pass it as after, to go on from here'),
    complete: z.boolean().describe('false: there are more posts after the position'),
  }),
  untrusted: UNTRUSTED,
  run: (rest, { after, limit }) =>
    fittingPage(limit, async (limit) => {
      const followed = await rest.get<{ items: Found[]; position: string }>('/api/posts', { after, limit })
      const items = await summaries(rest, followed.items)
      return { items, position: followed.position, complete: items.length < limit }
    }),
})

export const getPost = tool({
  name: 'get_post',
  title: 'Read a post',
  description: 'One post with its text. A long text comes in slices: ask again with offset = nextOffset.',
  input: z.strictObject({
    id: filledText(200, "a post's id").describe('id of a post, from search_posts or new_posts'),
    format: oneOf(['text', 'markdown']).default('text').describe('markdown keeps headings, lists and links'),
    offset: whole(0, 100_000_000).default(0).describe('nextOffset of the slice before'),
  }),
  output: z.object({
    ...{ id: z.string(), title: z.string(), url: z.string(), source: sourceName, sourceId: z.string() },
    ...{ author: z.string().nullable(), publishedAt: instant.nullable(), createdAt: instant },
    format: z.enum(['text', 'markdown']),
    text: z.string(),
    nextOffset: z.int().nullable().describe('null: this was the last slice'),
  }),
  untrusted: ['title', 'url', 'source', 'author', 'text'],
  async run(rest, { id, format, offset }) {
    const include = format === 'markdown' ? 'markdown' : undefined
    const post = await rest.get<PostView>(`/api/posts/${segment(id)}`, { include })
    const names = await namesOf(rest, [post.sourceId])
    const found = textOf(post)
    const whole = visible(found.text)
    const { sourceId, publishedAt, createdAt } = post
    return fittingSlice(whole, offset, (slice) => ({
      ...{ id: post.id, title: short(post.title, 500), url: short(post.url, 2000) },
      ...{ source: names.get(sourceId) ?? sourceId, sourceId },
      ...{ author: shortOrNull(post.author, 200), publishedAt, createdAt, format: found.format },
      text: slice,
      nextOffset: offset + slice.length < whole.length ? offset + slice.length : null,
    }))
  },
})

export interface PostText {
  readonly format: 'text' | 'markdown'
  readonly text: string
}

/** The page's text where it was fetched, else the feed's. Where there is no Markdown, plain text. */
function textOf(post: PostView): PostText {
  return post.markdown ? { format: 'markdown', text: post.markdown } : { format: 'text', text: plainTextOf(post) }
}

export function plainTextOf({ fullText, body }: PostView): string {
  return fullText || body
}
