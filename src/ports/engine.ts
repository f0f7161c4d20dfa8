// The polling engine as catalogue, API and CLI see it. Everything that makes a request goes through its lanes.
import type { AskedTrigger, PollRecord } from '../domain/outcome.ts'
import type { FullTextState, PostExtras } from '../domain/post.ts'
import type { SourceType } from '../domain/source.ts'
import type { FullTextPolicy } from '../domain/source-settings.ts'

export interface TickSummary {
  readonly jittered: number
  readonly due: number
  readonly deletedArticles: number
  readonly deletedPosts: number
}

export interface Why {
  readonly due: boolean
  readonly nextPollAt: number | null
  readonly expectedAt: number | null
  /** Stable, such as 'not-due', 'backing-off', 'disabled', 'lane-closed'. */
  readonly code: string
  readonly sentence: string
}

export interface QueuedPoll {
  readonly queuedAt: number
  /** When its turn comes and what it waits for, as `why` has it at the moment this is asked. */
  expected(): Promise<{ readonly expectedAt: number; readonly reason: string }>
  /** Rejects with a Problem: not-found when it was removed, source-changed when url, type, key or backfill changed meanwhile. */
  readonly finished: Promise<PollRecord>
}

export interface TestFetch {
  readonly userId: string
  readonly type: SourceType | null
  readonly url: string
  readonly basicAuth: string | null
  readonly trusted: boolean
  /** As the source would have it; by default 0. */
  readonly backfillDays?: number
  /** Then the text behind one post is asked as well, if the policy wants it. */
  readonly fullText?: FullTextPolicy | 'configured'
  readonly signal?: AbortSignal
}

export interface FoundFeed {
  readonly url: string
  readonly title: string | null
}

export interface PreviewPost extends Partial<PostExtras> {
  readonly title: string
  readonly body: string
  readonly url: string
  readonly publishedAt: number | null
  readonly author: string | null
  readonly guid: string | null
  readonly categories: readonly string[]
  readonly contentHash: string
  readonly fullText?: string | null
  readonly fullTextState?: FullTextState
  readonly fullTextReason?: string | null
}

export interface Preview {
  readonly type: SourceType
  /** The feed found, or the address itself. */
  readonly url: string
  readonly feedUrl: string | null
  readonly title: string | null
  /** What the page says its date is; the stored post of a website has none. */
  readonly statedAt?: number | null
  readonly posts: readonly PreviewPost[]
  readonly dropped: readonly { readonly title: string; readonly url: string; readonly rule: string }[]
  readonly feeds: readonly FoundFeed[]
  /** What was not looked at, in words. */
  readonly notes: readonly string[]
}

export interface EngineStatus {
  readonly running: boolean
  readonly lastTickAt: number | null
  readonly nextTickAt: number | null
  readonly requestsInFlight: number
  readonly lanesAtWork: number
  /** Lanes that this process looks after at the moment. */
  readonly hostsInHand: number
  /** Polls that were started since the engine was. */
  readonly polls: number
  readonly outage: { readonly since: number } | null
}

export interface Engine {
  tick(): Promise<TickSummary>
  drain(): Promise<void>
  /** Through the source's lane, at its head. Throws Problem not-found or source-changed. */
  poll(sourceId: string, options?: { readonly signal?: AbortSignal }): Promise<PollRecord>
  queuePoll(sourceId: string, trigger?: AskedTrigger): Promise<QueuedPoll>
  why(sourceId: string): Promise<Why>
  /** Closes the breaker of a lane, as a person wants it; what the host itself asked for (Retry-After) stays. */
  resetBreaker(lane: string): Promise<void>
  /**
   * The test fetch of a new source, through the lane's head: discovers the type when it is null.
   * Throws Problem nothing-usable, or host-not-free after 15 s. What it fetched is kept for the first poll.
   */
  testFetch(request: TestFetch): Promise<Preview>
  /** The page behind the post is asked as soon as its lane is free. Throws Problem not-found, or conflict with why not. */
  requestFullText(podcastId: string, postId: string): Promise<void>
  start(): Promise<void>
  /** Finishes what is in flight within the deadline, gives up the rest and records it as nothing. */
  stop(deadlineMs?: number): Promise<void>
  status(): EngineStatus
}
