// The types of what goes into the library and what comes out, under the names that its users know.

export type { ActingOptions } from '../catalogue/acting.ts'
export type { Catalogue } from '../catalogue/catalogue.ts'
export type {
  ActivityView as Activity,
  ArticleView as Article,
  ArticleWithPostsView as ArticleWithPosts,
  BulkView as BulkResult,
  CursorView as Cursor,
  ImportView as ImportResult,
  KeyView as Key,
  LimitView as Limit,
  NewSourceView as NewSource,
  NewTokenView as NewToken,
  PodcastView as Podcast,
  PollView as PollRecord,
  PostView as Post,
  PreviewView as Preview,
  SourceView as Source,
  TokenView as Token,
  UserView as User,
  WhyView as Why,
} from '../catalogue/shapes/answers.ts'
export type { List } from '../catalogue/shapes/paging.ts'
export type { HostView as Host } from '../catalogue/shapes/polling-answers.ts'
export type {
  NewSourceInput,
  SourcePatchInput,
  SourcePutInput,
  SourceQueryInput,
} from '../catalogue/shapes/schemas.ts'
export type {
  DeadLetterView as DeadLetter,
  NewWebhookView as NewWebhook,
  NotifierView as Notifier,
  WebhookView as Webhook,
} from '../catalogue/shapes/webhook-answers.ts'
export type { BulkInput } from '../catalogue/sources/bulk.ts'
export type { EventType } from '../domain/event.ts'
export type { SourceHealth } from '../domain/health.ts'
export type { FieldError, ProblemCode } from '../domain/problem.ts'
export type { Clock, Random } from '../ports/clock.ts'
export type { Config, PartialConfig, PartialConfig as TidingsConfig } from '../ports/config.ts'
export type { EngineStatus, TickSummary } from '../ports/engine.ts'
export type { Log } from '../ports/log.ts'
