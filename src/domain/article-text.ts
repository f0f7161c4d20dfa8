// The text of an article, made from one or more posts. Addresses on nitter instances become addresses on X.
import type { Post } from './post.ts'

const BETWEEN_BODIES = '\n\n---\n\n'

/** An article without its posts and its place in the store. */
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

/** Nitter instances are run by volunteers and show what is on X, so links lead to the page on X. */
export function onX(url: string): string {
  // Parsing thousands of addresses would cost more than the rest of an aggregation.
  const parsed = url.includes('nitter.') ? URL.parse(url) : null
  if (!parsed || !isNitter(parsed.hostname)) return url
  return `https://x.com${parsed.pathname.replace(/\/rss\/?$/, '') || '/'}${parsed.search}${parsed.hash}`
}

export function timeOf(post: Pick<Post, 'publishedAt' | 'createdAt'>): number {
  return post.publishedAt ?? post.createdAt
}

/** By time, then in the order in which they were stored. */
export function inOrder(a: Post, b: Post): number {
  return timeOf(a) - timeOf(b) || Number(a.id) - Number(b.id)
}
