// How an article reads: one text out of one or more posts, its address on X instead of a nitter instance.
import type { Post } from './post.ts'

const BETWEEN_BODIES = '\n\n---\n\n'

/** What is told of an article besides which posts it is made of. */
export interface ArticleText {
  readonly title: string
  readonly body: string
  readonly url: string
  readonly author: string | null
  readonly publishedAt: number | null
}

export function threadText(posts: readonly Post[]): ArticleText {
  const { title, url, author, publishedAt } = firstOf(posts)
  return { title, body: joinedBodies(posts), url: onX(url), author, publishedAt }
}

export function joinedBodies(posts: readonly Post[]): string {
  return posts.map((post) => post.body).join(BETWEEN_BODIES)
}

export function digestText(source: { readonly url: string; readonly host: string | null }, posts: readonly Post[]) {
  const { author } = firstOf(posts)
  const newest = posts.map(timeOf).reduce((a, b) => Math.max(a, b))
  const dates = posts.flatMap(({ publishedAt }) => (publishedAt === null ? [] : [publishedAt]))
  return {
    title: `Posts from ${author ?? source.host ?? source.url} — ${dayWords(newest)}`,
    body: posts.map((post) => `${new Date(timeOf(post)).toISOString()}\n${post.body}`).join(BETWEEN_BODIES),
    url: onX(source.url),
    author,
    publishedAt: dates.length > 0 ? dates.reduce((a, b) => Math.max(a, b)) : null,
  } satisfies ArticleText
}

function firstOf(posts: readonly Post[]): Post {
  const [first] = posts
  if (!first) throw new Error('an article is made of at least one post')
  return first
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function dayWords(at: number): string {
  const day = new Date(at)
  return `${MONTHS[day.getUTCMonth()]} ${day.getUTCDate()}, ${day.getUTCFullYear()}`
}

export function isNitter(host: string | null): boolean {
  return host !== null && /(^|\.)nitter\./.test(host)
}

/** A nitter instance shows what is on X: readers are sent there, not to a volunteer's host, and to a page, not a feed. */
export function onX(url: string): string {
  // Parsing thousands of addresses costs more than all the rest of an aggregation.
  const parsed = url.includes('nitter.') ? URL.parse(url) : null
  if (!parsed || !isNitter(parsed.hostname)) return url
  return `https://x.com${parsed.pathname.replace(/\/rss\/?$/, '') || '/'}${parsed.search}${parsed.hash}`
}

export function timeOf(post: Pick<Post, 'publishedAt' | 'createdAt'>): number {
  return post.publishedAt ?? post.createdAt
}

/** By time, then as they came in. */
export function inOrder(a: Post, b: Post): number {
  return timeOf(a) - timeOf(b) || Number(a.id) - Number(b.id)
}
