// Pages behind posts that are to be asked, and what robots.txt of their hosts said.

import type { NewEvent } from '../domain/event.ts'
import type { FreeVisitors } from '../domain/owner-spacing.ts'
import type { FullTextState, Post, TextBehindPost } from '../domain/post.ts'
import type { RobotsAnswer } from '../domain/robots.ts'
import type { Source } from '../domain/source.ts'

export interface PageToFetch extends TextBehindPost {
  readonly post: Post
  readonly source: Source
  readonly lane: string
  readonly dueAt: number
  readonly tries: number
}

/** A page that nobody has moved or finished since it was read. */
export type PageAsRead = Pick<PageToFetch, 'dueAt'> & { readonly postId: string }

export interface PageResult {
  readonly state: Exclude<FullTextState, 'none' | 'pending' | 'skipped'>
  readonly reason: string | null
  /** Set when it was fetched. */
  readonly text: string | null
  readonly html: string | null
  /** Taken over where the post has none. */
  readonly image: string | null
  readonly language: string | null
  readonly usagePreferences: string | null
  readonly events: readonly NewEvent[]
}

export interface PageStore {
  /** Lanes with pages that are due. */
  lanesOfDuePages(now: number): Promise<readonly string[]>
  /** The lane's page that is due longest and may be asked for, but none of `except`, which are ids of posts. */
  nextPageOf(lane: string, now: number, except: readonly string[], free?: FreeVisitors): Promise<PageToFetch | null>
  /** False, and nothing is written, if another process has moved or finished it. */
  movePage(page: PageAsRead, to: { readonly dueAt: number; readonly tries: number }): Promise<boolean>
  finishPage(page: PageAsRead, result: PageResult): Promise<boolean>
  /** Makes the post pending and its page due. */
  requestPage(postId: string, page: TextBehindPost & { readonly lane: string; readonly dueAt: number }): Promise<void>
  robotsOf(host: string): Promise<RobotsAnswer | null>
  putRobots(answer: RobotsAnswer): Promise<void>
}
