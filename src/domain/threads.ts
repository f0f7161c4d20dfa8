// Groups posts into threads, in one pass over all posts in the order of time.
// - A post whose text exists already, in an article or among the new posts, is a copy and joins that thread.
// - A reply joins the thread of the post that it answers. If it does not name that post, it joins the thread of its
//   source's previous post. In both cases the last post of the thread must be at most an hour older. If the answered post
//   is a copy, the reply joins the thread that has its text, even of another source. Threads of earlier articles take
//   part: an unprocessed article can grow; replies to a processed one start a thread of their own.
// - In a digest, all new posts of a source are one thread.
// See docs/decisions/0080-which-thread-a-reply-joins.md
import { inOrder, timeOf } from './article-text.ts'
import type { Post } from './post.ts'
import { MINUTE_MS } from './schedule.ts'

const THREAD_GAP_MS = 60 * MINUTE_MS
const POSTS_PER_STEP = 500

/** A post that is in an article. `openArticleId` is that article if it is unprocessed, else null. */
export interface EarlierPost {
  readonly post: Post
  readonly openArticleId: string | null
}

export interface ThreadFacts {
  /** Posts in articles that a reply could answer. Of open articles, all posts. */
  readonly earlier: readonly EarlierPost[]
  /** contentHash of posts in articles -> that article. */
  readonly articleByHash: ReadonlyMap<string, string>
  formOf(sourceId: string): 'single' | 'thread' | 'digest'
}

export interface Thread {
  readonly articleId: string | null
  readonly open: boolean
  /** The posts whose texts it consists of, in order. `added` are the new ones among them. */
  readonly posts: Post[]
  readonly texts: Set<string>
  readonly added: Post[]
  /** Further new posts whose text it has already. */
  readonly copies: Post[]
  lastAt: number
}

/** Returns the threads with new posts. Works in short steps, so that the caller can let other work run in between. */
export function* threadsOf(posts: readonly Post[], facts: ThreadFacts): Generator<void, readonly Thread[]> {
  const earlierOf = new Map(facts.earlier.map((one) => [one.post.id, one]))
  const { placeKnown, place, threads } = threadsSoFar(facts)
  const all = [...facts.earlier.map((one) => one.post), ...posts].sort(inOrder)
  for (const [index, post] of all.entries()) {
    if (index % POSTS_PER_STEP === 0) yield
    const known = earlierOf.get(post.id)
    if (known) placeKnown(post, known.openArticleId)
    else place(post)
  }
  return threads.filter(({ added, copies }) => added.length + copies.length > 0)
}

function threadsSoFar({ earlier, articleByHash, formOf }: ThreadFacts) {
  const threads: Thread[] = []
  const byArticle = new Map<string, Thread>()
  const byText = new Map<string, Thread>()
  const digests = new Map<string, Thread>()
  const replies = placesOfReplies()
  // Before any post is placed, because a copy may have an earlier date than its original.
  for (const { openArticleId } of earlier) if (openArticleId !== null) ofArticle(openArticleId, true)

  function start(articleId: string | null, open: boolean): Thread {
    const thread: Thread = { articleId, open, posts: [], texts: new Set(), added: [], copies: [], lastAt: 0 }
    threads.push(thread)
    if (articleId !== null) byArticle.set(articleId, thread)
    return thread
  }

  function ofArticle(articleId: string, open: boolean): Thread {
    return byArticle.get(articleId) ?? start(articleId, open)
  }

  function withText({ contentHash }: Post): Thread | undefined {
    const articleId = articleByHash.get(contentHash)
    return articleId === undefined ? byText.get(contentHash) : ofArticle(articleId, false)
  }

  function joined(post: Post): Thread {
    const form = formOf(post.sourceId)
    const found =
      form === 'digest' ? digests.get(post.sourceId) : form === 'thread' ? replies.answered(post) : undefined
    const thread = found ?? start(null, true)
    if (form === 'digest') digests.set(post.sourceId, thread)
    return thread
  }

  function addText(thread: Thread, post: Post): void {
    thread.posts.push(post)
    thread.texts.add(post.contentHash)
    thread.lastAt = timeOf(post)
  }

  return {
    threads,
    placeKnown(post: Post, openArticleId: string | null): void {
      const thread = openArticleId === null ? start(null, false) : ofArticle(openArticleId, true)
      if (!thread.texts.has(post.contentHash)) addText(thread, post)
      replies.note(post, thread)
    },
    place(post: Post): void {
      const held = withText(post)
      const thread = held ?? joined(post)
      if (held) held.copies.push(post)
      else {
        byText.set(post.contentHash, thread)
        addText(thread, post)
        thread.added.push(post)
      }
      if (formOf(post.sourceId) === 'thread') replies.note(post, thread)
    },
  }
}

/** Finds the thread that a reply joins, by the posts of its source so far. */
function placesOfReplies() {
  type Place = { readonly thread: Thread; readonly at: number }
  const byGuid = new Map<string, Place>()
  const latest = new Map<string, Place>()
  return {
    note(post: Post, thread: Thread): void {
      const place = { thread, at: timeOf(post) }
      if (post.guid !== null) byGuid.set(`${post.sourceId} ${post.guid}`, place)
      latest.set(post.sourceId, place)
    },
    answered(post: Post): Thread | undefined {
      const place =
        byGuid.get(`${post.sourceId} ${repliedTo(post)}`) ??
        (isMarkedReply(post) ? latest.get(post.sourceId) : undefined)
      if (!place?.thread.open) return undefined
      return timeOf(post) - Math.max(place.at, place.thread.lastAt) <= THREAD_GAP_MS ? place.thread : undefined
    },
  }
}

/** Whether earlier posts can decide which thread this one joins. */
export function mayBeReply(post: Pick<Post, 'title' | 'categories'>): boolean {
  return isMarkedReply(post) || repliedTo(post) !== null
}

function isMarkedReply(post: Pick<Post, 'title'>): boolean {
  return post.title.startsWith('R to @')
}

/** Readers put the reference into the categories: `replied_to:<guid>`. */
function repliedTo(post: Pick<Post, 'categories'>): string | null {
  const reference = post.categories.find((category) => category.startsWith('replied_to:'))
  return reference?.slice('replied_to:'.length) ?? null
}
