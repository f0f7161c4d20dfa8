// Posts -> articles, decided when a consumer asks, never while polling. Pure: what exists comes in, what is to
// be made or linked goes out.
// - Ordinary sources: one article per post.
// - Aggregated sources (asked for, or usual for the type, or on a nitter host): one article per thread, also one made earlier that is
//   unprocessed; in digest mode one digest per source instead.
// - A text that an article of the podcast holds already is linked to that article instead of making another; a reply to
//   such a copy joins that article.
import { type ArticleText, digestText, inOrder, isNitter, threadText } from './article-text.ts'
import type { Post } from './post.ts'
import { type EarlierPost, threadsOf } from './threads.ts'

export interface AggregatedSource {
  readonly id: string
  readonly url: string
  readonly host: string | null
  /** What a person said; null: as is usual for its type. */
  readonly aggregate: boolean | null
  readonly typeAggregates: boolean
}

/** An article to be made of these posts, oldest first; `draftText` says how it reads. */
export interface DraftArticle {
  readonly source: AggregatedSource
  readonly posts: readonly Post[]
  /** Further posts with the same text, linked to it without adding to its body. */
  readonly twins: readonly Post[]
}

export interface Aggregation {
  readonly drafts: readonly DraftArticle[]
  /** Articles made earlier that replies join: their bodies are made anew of all their posts, in order. */
  readonly joins: readonly {
    readonly articleId: string
    readonly posts: readonly Post[]
    readonly added: readonly Post[]
  }[]
  /** Posts whose text an article has already. */
  readonly links: readonly { readonly articleId: string; readonly post: Post }[]
}

export interface AggregationInput {
  readonly sources: ReadonlyMap<string, AggregatedSource>
  readonly posts: readonly Post[]
  /** contentHash of posts in articles of the podcast within the window -> that article. */
  readonly articleByHash: ReadonlyMap<string, string>
  /** Posts in articles that a reply among `posts` could follow; of unprocessed articles all posts. */
  readonly earlier: readonly EarlierPost[]
  readonly mode: 'thread' | 'digest'
}

export function isAggregated(source: AggregatedSource): boolean {
  return source.aggregate ?? (source.typeAggregates || isNitter(source.host))
}

export function aggregate(input: AggregationInput): Aggregation {
  const steps = aggregation(input)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** The same in short steps, for who must let others run in between. */
export function* aggregation({ sources, posts, mode, ...known }: AggregationInput): Generator<void, Aggregation> {
  const aggregated = new Set([...sources.values()].filter(isAggregated).map(({ id }) => id))
  const formOf = (sourceId: string) => (aggregated.has(sourceId) ? mode : 'single')
  const drafts: DraftArticle[] = []
  const joins: Aggregation['joins'][number][] = []
  const links: Aggregation['links'][number][] = []
  for (const { articleId, posts: texts, added, copies } of yield* threadsOf(posts, { ...known, formOf })) {
    if (articleId === null) {
      const source = sources.get(texts[0]?.sourceId ?? '')
      if (source) drafts.push({ source, posts: texts, twins: copies })
    } else {
      if (added.length > 0) joins.push({ articleId, posts: texts, added })
      links.push(...copies.map((post) => ({ articleId, post })))
    }
  }
  return { drafts: drafts.sort((a, b) => inOrder(first(a), first(b))), joins, links }
}

/** Apart from the decision: texts of thousands of posts are put together a few at a time. */
export function draftText({ source, posts }: DraftArticle, mode: AggregationInput['mode']): ArticleText {
  return mode === 'digest' && isAggregated(source) ? digestText(source, posts) : threadText(posts)
}

function first({ posts: [post] }: DraftArticle): Post {
  if (!post) throw new Error('an article is made of at least one post')
  return post
}
