// Decides which articles posts become, when a consumer asks for articles and never while polling. Pure: it is given what
// exists and returns what to create and to link.
// - Ordinary sources: one article per post.
// - Aggregated sources (by their setting, their type, or because they are on a nitter host): one article per thread. An
//   earlier article that is unprocessed can grow. In digest mode there is one article per source instead.
// - A post whose text is in an article of the podcast already is linked to that article. A reply to such a copy joins it.
import { type ArticleText, digestText, inOrder, isNitter, threadText } from './article-text.ts'
import type { Post } from './post.ts'
import { type EarlierPost, threadsOf } from './threads.ts'

export interface AggregatedSource {
  readonly id: string
  readonly url: string
  readonly host: string | null
  /** The setting; null: the default of the type. */
  readonly aggregate: boolean | null
  readonly typeAggregates: boolean
}

/** An article to create from these posts, oldest first. `draftText` makes its text. */
export interface DraftArticle {
  readonly source: AggregatedSource
  readonly posts: readonly Post[]
  /** Further posts with the same text. They are linked to the article and do not change its body. */
  readonly copies: readonly Post[]
}

export interface Aggregation {
  readonly drafts: readonly DraftArticle[]
  /** Earlier articles that replies join. Their bodies are put together again from all their posts, in order. */
  readonly joins: readonly {
    readonly articleId: string
    readonly posts: readonly Post[]
    readonly added: readonly Post[]
  }[]
  /** Posts whose text is in an article already. */
  readonly links: readonly { readonly articleId: string; readonly post: Post }[]
}

export interface AggregationInput {
  readonly sources: ReadonlyMap<string, AggregatedSource>
  readonly posts: readonly Post[]
  /** contentHash of posts in articles of the podcast within the window -> that article. */
  readonly articleByHash: ReadonlyMap<string, string>
  /** Posts in articles that a reply among `posts` could answer. Of unprocessed articles, all posts. */
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

/** The same in short steps, so that the caller can let other work run in between. */
export function* aggregation({ sources, posts, mode, ...known }: AggregationInput): Generator<void, Aggregation> {
  const aggregated = new Set([...sources.values()].filter(isAggregated).map(({ id }) => id))
  const formOf = (sourceId: string) => (aggregated.has(sourceId) ? mode : 'single')
  const drafts: DraftArticle[] = []
  const joins: Aggregation['joins'][number][] = []
  const links: Aggregation['links'][number][] = []
  for (const { articleId, posts: texts, added, copies } of yield* threadsOf(posts, { ...known, formOf })) {
    if (articleId === null) {
      const source = sources.get(texts[0]?.sourceId ?? '')
      if (source) drafts.push({ source, posts: texts, copies })
    } else {
      if (added.length > 0) joins.push({ articleId, posts: texts, added })
      links.push(...copies.map((post) => ({ articleId, post })))
    }
  }
  return { drafts: drafts.sort((a, b) => inOrder(first(a), first(b))), joins, links }
}

/** Separate from the decision, so that the texts of thousands of posts are put together a few at a time. */
export function draftText({ source, posts }: DraftArticle, mode: AggregationInput['mode']): ArticleText {
  return mode === 'digest' && isAggregated(source) ? digestText(source, posts) : threadText(posts)
}

function first({ posts: [post] }: DraftArticle): Post {
  if (!post) throw new Error('an article is made of at least one post')
  return post
}
