// Posts -> articles, decided when a consumer asks, never while polling. Pure: what exists comes in, what is to
// be made or linked goes out.
// - Ordinary sources: one article per post.
// - Aggregated sources (asked for, or X, or a nitter host): one article per thread; a reply within 60 minutes of
//   the post before it joins it, also in an article made earlier, as long as that one is unprocessed.
//   In digest mode one digest per source instead.
// - A text that an article of the podcast holds already is linked to that article instead of making another.
import type { Post } from './post.ts'
import { MINUTE_MS } from './schedule.ts'
import type { SourceType } from './source.ts'

const THREAD_GAP_MS = 60 * MINUTE_MS
const BETWEEN_BODIES = '\n\n---\n\n'

export interface AggregatedSource {
  readonly id: string
  readonly type: SourceType
  readonly url: string
  readonly host: string | null
  readonly aggregate: boolean | null
}

/** An article to be made of these posts, oldest first. */
export interface DraftArticle {
  readonly sourceId: string
  readonly title: string
  readonly body: string
  readonly url: string
  readonly author: string | null
  readonly publishedAt: number | null
  readonly posts: readonly Post[]
  /** Further posts with the same text, linked to it without adding to its body. */
  readonly twins: readonly Post[]
}

/** A thread's article made earlier and not processed yet, with its posts, oldest first. */
export interface OpenThread {
  readonly articleId: string
  readonly posts: readonly Post[]
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
  /** Per aggregated source, newest last. */
  readonly openThreads: ReadonlyMap<string, readonly OpenThread[]>
  readonly mode: 'thread' | 'digest'
}

export function isAggregated(source: AggregatedSource): boolean {
  return source.aggregate ?? (source.type === 'twitter' || isNitter(source.host))
}

export function isNitter(host: string | null): boolean {
  return host !== null && /(^|\.)nitter\./.test(host)
}

export function aggregate(input: AggregationInput): Aggregation {
  const links: { articleId: string; post: Post }[] = []
  const twinsOf = new Map<string, Post[]>()
  const firsts: Post[] = []
  for (const post of input.posts.toSorted(byTime)) {
    const articleId = input.articleByHash.get(post.contentHash)
    const twins = twinsOf.get(post.contentHash)
    if (articleId !== undefined) links.push({ articleId, post })
    else if (twins) twins.push(post)
    else {
      twinsOf.set(post.contentHash, [])
      firsts.push(post)
    }
  }
  const drafts: DraftArticle[] = []
  const joins: { articleId: string; posts: readonly Post[]; body: string }[] = []
  for (const [sourceId, posts] of Map.groupBy(firsts, (post) => post.sourceId)) {
    const source = input.sources.get(sourceId)
    if (!source) continue
    const made = ofSource(source, posts, input)
    drafts.push(
      ...made.threads.map((thread) => ({ ...draftOf(source, thread, input.mode), twins: twins(thread, twinsOf) })),
    )
    for (const { articleId, posts: all, added } of made.joined) {
      joins.push({ articleId, posts: added, body: joinBodies(all) })
      links.push(...twins(added, twinsOf).map((post) => ({ articleId, post })))
    }
  }
  return { drafts: drafts.toSorted((a, b) => byTime(a.posts[0], b.posts[0])), joins, links }
}

function twins(posts: readonly Post[], twinsOf: ReadonlyMap<string, readonly Post[]>): Post[] {
  return posts.flatMap((post) => twinsOf.get(post.contentHash) ?? [])
}

interface OfSource {
  readonly threads: readonly (readonly Post[])[]
  readonly joined: readonly { articleId: string; posts: readonly Post[]; added: readonly Post[] }[]
}

function ofSource(source: AggregatedSource, posts: readonly Post[], input: AggregationInput): OfSource {
  if (!isAggregated(source)) return { threads: posts.map((post) => [post]), joined: [] }
  if (input.mode === 'digest') return { threads: [posts], joined: [] }
  return threadsOf(posts, input.openThreads.get(source.id) ?? [])
}

interface Thread {
  readonly articleId: string | null
  readonly posts: Post[]
  readonly added: Post[]
}

function threadsOf(posts: readonly Post[], open: readonly OpenThread[]): OfSource {
  const threads: Thread[] = open.map(({ articleId, posts: earlier }) => ({ articleId, posts: [...earlier], added: [] }))
  for (const post of posts) {
    const thread = isReply(post) ? threadBefore(post, threads) : undefined
    if (thread) {
      thread.posts.push(post)
      thread.added.push(post)
    } else threads.push({ articleId: null, posts: [post], added: [post] })
  }
  return {
    threads: threads.filter((thread) => thread.articleId === null).map((thread) => thread.posts),
    joined: threads.flatMap(({ articleId, posts: all, added }) =>
      articleId !== null && added.length > 0 ? [{ articleId, posts: all, added }] : [],
    ),
  }
}

/** The thread whose last post came at most an hour before: the one referred to, else the latest. */
function threadBefore(reply: Post, threads: readonly Thread[]): Thread | undefined {
  const recent = threads.filter((thread) => {
    const gap = timeOf(reply) - timeOf(thread.posts.at(-1))
    return gap >= 0 && gap <= THREAD_GAP_MS
  })
  const parent = repliedTo(reply)
  const referred = recent.find((thread) => thread.posts.some((post) => parent !== null && post.guid === parent))
  return referred ?? recent.toSorted((a, b) => byTime(a.posts.at(-1), b.posts.at(-1))).at(-1)
}

function isReply(post: Post): boolean {
  return post.title.startsWith('R to @') || repliedTo(post) !== null
}

/** Readers put the reference into the categories: `replied_to:<guid>`. */
function repliedTo(post: Post): string | null {
  const reference = post.categories.find((category) => category.startsWith('replied_to:'))
  return reference?.slice('replied_to:'.length) ?? null
}

function draftOf(
  source: AggregatedSource,
  posts: readonly Post[],
  mode: 'thread' | 'digest',
): Omit<DraftArticle, 'twins'> {
  const first = posts[0]
  if (!first) throw new Error('an article is made of at least one post')
  if (isAggregated(source) && mode === 'digest') return digestOf(source, first, posts)
  return {
    sourceId: source.id,
    title: first.title,
    body: joinBodies(posts),
    url: onX(first.url),
    author: first.author,
    publishedAt: first.publishedAt,
    posts,
  }
}

function digestOf(source: AggregatedSource, first: Post, posts: readonly Post[]): Omit<DraftArticle, 'twins'> {
  const newest = posts.reduce((latest, post) => Math.max(latest, timeOf(post)), timeOf(first))
  const dated = posts.filter((post) => post.publishedAt !== null)
  return {
    sourceId: source.id,
    title: `Posts from ${first.author ?? source.host ?? source.url} — ${dayWords(newest)}`,
    body: posts.map((post) => `${new Date(timeOf(post)).toISOString()}\n${post.body}`).join(BETWEEN_BODIES),
    url: onX(source.url),
    author: first.author,
    publishedAt: dated.length > 0 ? Math.max(...dated.map((post) => timeOf(post))) : null,
    posts,
  }
}

function joinBodies(posts: readonly Post[]): string {
  return posts.map((post) => post.body).join(BETWEEN_BODIES)
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function dayWords(at: number): string {
  const day = new Date(at)
  return `${MONTHS[day.getUTCMonth()]} ${day.getUTCDate()}, ${day.getUTCFullYear()}`
}

/** A nitter instance shows what is on X: readers are sent there, not to a volunteer's host. */
export function onX(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed || !isNitter(parsed.hostname)) return url
  return `https://x.com${parsed.pathname}${parsed.search}`
}

function timeOf(post: Post | undefined): number {
  return post ? (post.publishedAt ?? post.createdAt) : 0
}

function byTime(a: Post | undefined, b: Post | undefined): number {
  return timeOf(a) - timeOf(b) || Number(BigInt(a?.id ?? 0) - BigInt(b?.id ?? 0))
}
