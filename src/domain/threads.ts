// Which posts of a source belong together. A reply joins the thread of the post that it answers, or of the post just
// before it when it does not say which, if the thread's last post is at most an hour old then. Threads that are in
// articles already take part: an unprocessed article may grow, a processed one is closed and its replies go alone.
// One pass over all posts in time order.
import { inOrder, timeOf } from './article-text.ts'
import type { Post } from './post.ts'
import { MINUTE_MS } from './schedule.ts'

const THREAD_GAP_MS = 60 * MINUTE_MS

/** A post that is in an article; `openArticleId` when that article is the source's own and unprocessed. */
export interface EarlierPost {
  readonly post: Post
  readonly openArticleId: string | null
}

export interface Threads {
  /** To become articles; posts in order. */
  readonly started: readonly (readonly Post[])[]
  /** Articles that grow: all posts of the thread in order, and which of them are new. */
  readonly grown: readonly {
    readonly articleId: string
    readonly posts: readonly Post[]
    readonly added: readonly Post[]
  }[]
}

interface Thread {
  readonly articleId: string | null
  readonly open: boolean
  readonly posts: Post[]
  readonly added: Post[]
  lastAt: number
}

export function threadsOf(posts: readonly Post[], earlier: readonly EarlierPost[]): Threads {
  const earlierOf = new Map(earlier.map((one) => [one.post.id, one]))
  const threads: Thread[] = []
  const byArticle = new Map<string, Thread>()
  const byGuid = new Map<string, Thread>()
  let latest: Thread | undefined

  function start(articleId: string | null, open: boolean): Thread {
    const thread: Thread = { articleId, open, posts: [], added: [], lastAt: 0 }
    threads.push(thread)
    if (articleId !== null) byArticle.set(articleId, thread)
    return thread
  }

  function answered(post: Post): Thread | undefined {
    const thread = byGuid.get(repliedTo(post) ?? '') ?? (isMarkedReply(post) ? latest : undefined)
    return thread?.open && timeOf(post) - thread.lastAt <= THREAD_GAP_MS ? thread : undefined
  }

  for (const post of [...earlier.map((one) => one.post), ...posts].sort(inOrder)) {
    const known = earlierOf.get(post.id)
    const article = known?.openArticleId ?? null
    const thread: Thread = known
      ? ((article === null ? undefined : byArticle.get(article)) ?? start(article, article !== null))
      : (answered(post) ?? start(null, true))
    thread.posts.push(post)
    if (!known) thread.added.push(post)
    thread.lastAt = timeOf(post)
    if (post.guid !== null) byGuid.set(post.guid, thread)
    latest = thread
  }
  const made = threads.filter((thread) => thread.added.length > 0)
  return {
    started: made.filter((thread) => thread.articleId === null).map((thread) => thread.posts),
    grown: made.flatMap(({ articleId, ...thread }) => (articleId === null ? [] : [{ articleId, ...thread }])),
  }
}

/** Whether earlier posts matter for where this one goes. */
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
