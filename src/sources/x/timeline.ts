// Reads an account's posts since the mark, newest first, up to five pages. Nothing is returned before the last page has
// arrived: when a page fails, the mark stays where it was and the next poll reads all of them again. Posts beyond the
// fifth page are skipped, and a note says so.
// See docs/decisions/0060-x-polls-stop-after-five-pages.md
import { createHash } from 'node:crypto'
import type { VisitResult } from '../../ports/reader.ts'
import { isNewer, type Mark, newestFirst } from './mark.ts'
import { publishedAt, type XPost } from './post.ts'
import type { NotRead, Page, XApi } from './x-api.ts'

const MAX_PAGES = 5

export interface Timeline {
  readonly kind: 'timeline'
  /** Newest first, each once. */
  readonly posts: readonly XPost[]
  readonly notes: readonly string[]
  readonly mark: Mark
  readonly answer: Extract<VisitResult, { kind: 'body' }>
  readonly bytesHash: string
}

/** Without a post in the mark, only posts since `oldestWanted` are asked for, and paging stops at older ones. */
export async function readTimeline(api: XApi, mark: Mark, oldestWanted: number): Promise<Timeline | NotRead> {
  const posts = new Map<string, XPost>()
  const notes = new Set<string>()
  const hash = createHash('sha256')
  let token: string | null = null
  for (let pages = 1; ; pages++) {
    const asked = await api.page(mark, oldestWanted, token)
    if (!asked.ok) return asked.result
    const { value: page, answer } = asked
    hash.update(answer.bytes)
    for (const note of page.notes) notes.add(note)
    for (const post of page.posts) if (isNewer(post.id, mark.sinceId)) posts.set(post.id, post)
    token = page.nextToken
    const caughtUp = token === null || isCaughtUp(page, mark, oldestWanted)
    if (!caughtUp && pages < MAX_PAGES) continue
    const found = [...posts.values()].sort(newestFirst)
    if (!caughtUp) notes.add(gapNote(mark, found))
    const sinceId = found[0]?.id ?? mark.sinceId
    return {
      kind: 'timeline',
      posts: found,
      notes: [...notes],
      mark: { userId: mark.userId, sinceId },
      answer,
      bytesHash: hash.digest('hex'),
    }
  }
}

/** Whether the oldest post of the page was read before, or is older than what is wanted. */
function isCaughtUp({ posts }: Page, mark: Mark, oldestWanted: number): boolean {
  const oldest = [...posts].sort(newestFirst).at(-1)
  if (!oldest) return false
  if (!isNewer(oldest.id, mark.sinceId)) return true
  const at = publishedAt(oldest)
  return mark.sinceId === null && at !== null && at < oldestWanted
}

function gapNote({ sinceId }: Mark, found: readonly XPost[]): string {
  const oldest = found.at(-1)?.id ?? 'the newest'
  const between = sinceId === null ? `posts before ${oldest}` : `posts between ${sinceId} and ${oldest}`
  return `not caught up after ${MAX_PAGES} pages: ${between} were not read; a shorter interval leaves none out`
}
