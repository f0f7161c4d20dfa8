// What the API answers. The types are the API's own.
import type { PollView } from '../../src/catalogue/shapes/answers.ts'

export type {
  ArticleView,
  ArticleWithPostsView,
  ImportView,
  KeyView,
  NewSourceView,
  NewTokenView,
  PodcastView,
  PollView,
  PreviewView,
  QueuedView,
  TokenView,
  UserView,
  WhyView,
} from '../../src/catalogue/shapes/answers.ts'
export type { HostView, SummaryView } from '../../src/catalogue/shapes/polling-answers.ts'
export type { NewWebhookView, NotifierView, WebhookView } from '../../src/catalogue/shapes/webhook-answers.ts'

import type { PostView as StoredPost, SourceView as StoredSource } from '../../src/catalogue/shapes/answers.ts'
import type { StatusView as Status } from '../../src/catalogue/shapes/polling-answers.ts'

export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

/** A server of an earlier version leaves these out. */
export type SourceView = StoredSource & {
  readonly title?: string | null
  readonly siteUrl?: string | null
  readonly language?: string | null
  readonly quietSince?: string | null
  readonly learnedIntervalMinutes?: number | null
}

export interface Enclosure {
  readonly url: string
  readonly type?: string | null
  readonly length?: number | null
}

export type PostView = StoredPost & {
  readonly language?: string | null
  readonly image?: string | null
  readonly enclosures?: readonly Enclosure[]
  readonly commentsUrl?: string | null
  readonly sourceTitle?: string | null
  readonly fullText?: string | null
  readonly fullTextState?: string
  readonly fullTextReason?: string | null
  readonly html?: string | null
  readonly markdown?: string | null
}

export type StatusView = Status

/** A poll in the list of all polls. */
export type PollOfSource = PollView & {
  readonly url: string
  readonly host: string | null
  readonly lane?: string | null
}

/** One hour or day of polls. */
export interface Activity {
  readonly at: string
  readonly polls: number
  readonly failures: number
  readonly notModified: number
  readonly created: number
  readonly bytes: number
}

export interface Listed<T> {
  readonly items: readonly T[]
}

export interface ConfigItem {
  readonly key: string
  readonly value: unknown
  readonly from: string
}

export interface BulkAnswer {
  readonly done: number
  readonly failed: readonly { readonly id: string; readonly reason: string }[]
}

/** A live event: its fields depend on its type. */
export interface LiveEvent {
  readonly id: string
  readonly type: string
  readonly at: string
  readonly sourceId?: string
  readonly podcastId?: string
  readonly host?: string
  readonly lane?: string | null
  readonly url?: string
  readonly outcome?: 'success' | 'transient' | 'permanent'
  readonly created?: number
  readonly count?: number
  readonly durationMs?: number
  readonly httpStatus?: number | null
  readonly notModified?: boolean
  readonly reason?: string | null
  readonly trigger?: string
}
