// Posts -> articles, decided when a consumer asks, never while polling. Pure: what exists comes in, what is to
// be made or linked goes out.
// - Ordinary sources: one article per post.
// - Aggregated sources (asked for, or X, or a nitter host): one article per thread, also one made earlier that is
//   unprocessed; in digest mode one digest per source instead.
// - A text that an article of the podcast holds already is linked to that article instead of making another.
import { type ArticleText, digestText, inOrder, isNitter, threadText } from './article-text.ts'
import type { Post } from './post.ts'
import type { SourceType } from './source.ts'
import { type EarlierPost, type Threads, threadsOf } from './threads.ts'

export interface AggregatedSource {
  readonly id: string
  readonly type: SourceType
  readonly url: string
  readonly host: string | null
  readonly aggregate: boolean | null
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
  /** Per aggregated source: posts in articles that a reply among `posts` could follow. */
  readonly earlier: ReadonlyMap<string, readonly EarlierPost[]>
  readonly mode: 'thread' | 'digest'
}

export function isAggregated(source: AggregatedSource): boolean {
  return source.aggregate ?? (source.type === 'twitter' || isNitter(source.host))
}

export function aggregate(input: AggregationInput): Aggregation {
  const steps = aggregation(input)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

const POSTS_PER_STEP = 500

/** The same in short steps, for who must let others run in between. */
export function* aggregation(input: AggregationInput): Generator<void, Aggregation> {
  const { firsts, links, twinsOf } = yield* byText(input)
  const twins = (posts: readonly Post[]) => posts.flatMap((post) => twinsOf.get(post.contentHash) ?? [])
  const drafts: DraftArticle[] = []
  const joins: Aggregation['joins'][number][] = []
  for (const [sourceId, posts] of Map.groupBy(firsts, (post) => post.sourceId)) {
    const source = input.sources.get(sourceId)
    if (!source) continue
    const { started, grown } = ofSource(source, posts, input)
    for (const some of started) drafts.push({ source, posts: some, twins: twins(some) })
    for (const thread of grown) {
      joins.push(thread)
      links.push(...twins(thread.added).map((post) => ({ articleId: thread.articleId, post })))
    }
    yield
  }
  return { drafts: drafts.sort((a, b) => inOrder(first(a), first(b))), joins, links }
}

/** Apart from the decision: texts of thousands of posts are put together a few at a time. */
export function draftText({ source, posts }: DraftArticle, mode: AggregationInput['mode']): ArticleText {
  return mode === 'digest' && isAggregated(source) ? digestText(source, posts) : threadText(posts)
}

/** Each text once, in order; those that an article holds already apart, those that come again beside the first. */
function* byText({ posts, articleByHash }: AggregationInput) {
  const links: { articleId: string; post: Post }[] = []
  const twinsOf = new Map<string, Post[]>()
  const firsts: Post[] = []
  for (const [index, post] of posts.toSorted(inOrder).entries()) {
    if (index % POSTS_PER_STEP === 0) yield
    const articleId = articleByHash.get(post.contentHash)
    const twins = twinsOf.get(post.contentHash)
    if (articleId !== undefined) links.push({ articleId, post })
    else if (twins) twins.push(post)
    else {
      twinsOf.set(post.contentHash, [])
      firsts.push(post)
    }
  }
  return { firsts, links, twinsOf }
}

function ofSource(source: AggregatedSource, posts: readonly Post[], input: AggregationInput): Threads {
  if (!isAggregated(source)) return { started: posts.map((post) => [post]), grown: [] }
  if (input.mode === 'digest') return { started: [posts], grown: [] }
  return threadsOf(posts, input.earlier.get(source.id) ?? [])
}

function first({ posts: [post] }: DraftArticle): Post {
  if (!post) throw new Error('an article is made of at least one post')
  return post
}
