// Posts -> articles, decided when a consumer asks, never while polling. Pure: what exists comes in, what is to
// be made or linked goes out.
// - Ordinary sources: one article per post.
// - Aggregated sources (asked for, or X, or a nitter host): one article per thread, also one made earlier that is
//   unprocessed; in digest mode one digest per source instead.
// - A text that an article of the podcast holds already is linked to that article instead of making another.
import { type ArticleText, digestText, inOrder, isNitter, joinedBodies, threadText } from './article-text.ts'
import type { Post } from './post.ts'
import type { SourceType } from './source.ts'
import { type EarlierPost, threadsOf } from './threads.ts'

export interface AggregatedSource {
  readonly id: string
  readonly type: SourceType
  readonly url: string
  readonly host: string | null
  readonly aggregate: boolean | null
}

/** An article to be made of these posts, oldest first. */
export interface DraftArticle extends ArticleText {
  readonly sourceId: string
  readonly posts: readonly Post[]
  /** Further posts with the same text, linked to it without adding to its body. */
  readonly twins: readonly Post[]
}

export interface Aggregation {
  readonly drafts: readonly DraftArticle[]
  /** Replies that join an article made earlier: its body is made anew of all its posts. */
  readonly joins: readonly { readonly articleId: string; readonly posts: readonly Post[]; readonly body: string }[]
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
  const { firsts, links, twinsOf } = byText(input)
  const twins = (posts: readonly Post[]) => posts.flatMap((post) => twinsOf.get(post.contentHash) ?? [])
  const drafts: DraftArticle[] = []
  const joins: { articleId: string; posts: readonly Post[]; body: string }[] = []
  for (const [sourceId, posts] of Map.groupBy(firsts, (post) => post.sourceId)) {
    const source = input.sources.get(sourceId)
    if (!source) continue
    const made = ofSource(source, posts, input)
    for (const { posts: some, ...text } of made.articles) {
      drafts.push({ ...text, sourceId, posts: some, twins: twins(some) })
    }
    for (const { articleId, posts: all, added } of made.grown) {
      joins.push({ articleId, posts: added, body: joinedBodies(all) })
      links.push(...twins(added).map((post) => ({ articleId, post })))
    }
  }
  return { drafts: drafts.sort((a, b) => inOrder(first(a), first(b))), joins, links }
}

/** Each text once, in order; those that an article holds already apart, those that come again beside the first. */
function byText({ posts, articleByHash }: AggregationInput) {
  const links: { articleId: string; post: Post }[] = []
  const twinsOf = new Map<string, Post[]>()
  const firsts: Post[] = []
  for (const post of posts.toSorted(inOrder)) {
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

type OfSource = {
  readonly articles: readonly (ArticleText & { readonly posts: readonly Post[] })[]
  readonly grown: ReturnType<typeof threadsOf>['grown']
}

function ofSource(source: AggregatedSource, posts: readonly Post[], input: AggregationInput): OfSource {
  const asThread = (thread: readonly Post[]) => ({ ...threadText(thread), posts: thread })
  if (!isAggregated(source)) return { articles: posts.map((post) => asThread([post])), grown: [] }
  if (input.mode === 'digest') return { articles: [{ ...digestText(source, posts), posts }], grown: [] }
  const { started, grown } = threadsOf(posts, input.earlier.get(source.id) ?? [])
  return { articles: started.map(asThread), grown }
}

function first({ posts: [post] }: DraftArticle): Post {
  if (!post) throw new Error('an article is made of at least one post')
  return post
}
