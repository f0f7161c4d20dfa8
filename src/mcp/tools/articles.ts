// Tools that read articles, which Tidings makes of posts for its consumers; and the one that marks them as processed.
import { z } from 'zod'
import type { ArticleView, ArticleWithPostsView } from '../../catalogue/shapes/answers.ts'
import { filledText, whole, yesNo } from '../../catalogue/shapes/fields.ts'
import { expected } from '../../catalogue/shapes/validate.ts'
import { fittingPage, fittingSlice } from '../fit.ts'
import { type Rest, segment } from '../rest.ts'
import { tool } from '../tool.ts'
import { visible } from '../untrusted.ts'
import {
  cursor,
  findSource,
  instant,
  limit,
  namesOf,
  nextCursor,
  pathOf,
  short,
  shortOrNull,
  sourceName,
} from './fields.ts'

const facts = {
  id: z.string(),
  title: z.string(),
  url: z.string(),
  source: sourceName,
  sourceId: z.string(),
  author: z.string().nullable(),
  publishedAt: instant.nullable(),
  createdAt: instant,
  isProcessed: z.boolean(),
  posts: z.int().describe('how many posts it is made of'),
}
type Facts = z.output<z.ZodObject<typeof facts>>

const UNTRUSTED = ['title', 'url', 'source', 'author']

function factsOf(article: ArticleView, names: ReadonlyMap<string, string>): Facts {
  return {
    id: article.id,
    title: short(article.title, 300),
    url: short(article.url, 2000),
    source: names.get(article.sourceId) ?? article.sourceId,
    sourceId: article.sourceId,
    author: shortOrNull(article.author, 200),
    publishedAt: article.publishedAt,
    createdAt: article.createdAt,
    isProcessed: article.isProcessed,
    posts: article.postIds.length,
  }
}

export const listArticles = tool({
  name: 'list_articles',
  title: 'List articles',
  description: 'Articles of all podcasts, newest first. processed=false: those that no consumer has marked as done.',
  input: z.strictObject({ processed: yesNo.optional().describe('left out: both'), limit, cursor }),
  output: z.object({ items: z.array(z.object(facts)), nextCursor }),
  untrusted: UNTRUSTED,
  run: (rest, { processed, limit, cursor }) =>
    fittingPage(limit, async (limit) => {
      const page = await rest.get<{ items: ArticleView[]; nextCursor: string | null }>('/api/articles', {
        ...{ processed, limit, cursor },
      })
      const names = await namesOf(
        rest,
        page.items.map(({ sourceId }) => sourceId),
      )
      return { items: page.items.map((article) => factsOf(article, names)), nextCursor: page.nextCursor }
    }),
})

export const getArticle = tool({
  name: 'get_article',
  title: 'Read an article',
  description:
    'One article with its text and the ids of its posts. A long text comes in slices: ask again with offset = nextOffset.',
  input: z.strictObject({
    id: filledText(200, "an article's id").describe('id of an article, from list_articles'),
    offset: whole(0, 100_000_000).default(0).describe('nextOffset of the slice before'),
  }),
  output: z.object({
    ...facts,
    postIds: z.array(z.string()).describe('the first 100'),
    text: z.string(),
    nextOffset: z.int().nullable().describe('null: this was the last slice'),
  }),
  untrusted: [...UNTRUSTED, 'text'],
  async run(rest, { id, offset }) {
    const article = await rest.get<ArticleWithPostsView>(`/api/articles/${segment(id)}`)
    const known = factsOf(article, await namesOf(rest, [article.sourceId]))
    const whole = visible(article.body)
    return fittingSlice(whole, offset, (text) => ({
      ...known,
      postIds: article.postIds.slice(0, 100),
      text,
      nextOffset: offset + text.length < whole.length ? offset + text.length : null,
    }))
  },
})

export const markProcessed = tool({
  name: 'mark_processed',
  title: 'Mark articles as processed',
  description:
    'Marks articles as processed, so that list_articles with processed=false no longer shows them. In each podcast all of its articles are marked, or none.',
  input: z.strictObject({
    ids: z
      .array(filledText(200, "an article's id"), expected('a list of article ids'))
      .min(1, expected('at least one article id'))
      .max(100, expected('at most 100 article ids'))
      .describe('ids of articles, from list_articles'),
  }),
  output: z.object({ updated: z.int() }),
  untrusted: [],
  changes: { destructive: false, idempotent: true },
  async run(rest, { ids }) {
    const byPodcast = await groupByPodcast(rest, ids)
    let updated = 0
    for (const [podcast, articleIds] of byPodcast) {
      const answer = await rest.post<{ updated: number }>(`${podcast}/articles/processed`, { ids: articleIds })
      updated += answer.updated
    }
    return { updated }
  },
})

/** All ids are looked up before anything is changed. */
async function groupByPodcast(rest: Rest, ids: readonly string[]): Promise<Map<string, string[]>> {
  const groups = new Map<string, string[]>()
  for (const id of new Set(ids)) {
    const { sourceId } = await rest.get<ArticleWithPostsView>(`/api/articles/${segment(id)}`)
    const podcast = pathOf(await findSource(rest, sourceId)).replace(/\/sources\/[^/]+$/, '')
    groups.set(podcast, [...(groups.get(podcast) ?? []), id])
  }
  return groups
}
