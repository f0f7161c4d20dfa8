// Turns the domain's objects into answers: instants become ISO strings, internal state is left out.
// Every field is named, so that a new column is never shown by accident.

import type { Article } from '../../domain/article.ts'
import { healthOf } from '../../domain/health.ts'
import { laneOrNull } from '../../domain/lane.ts'
import type { PollRecord } from '../../domain/outcome.ts'
import type { Podcast, Token, User } from '../../domain/person.ts'
import type { Post, PostExtras } from '../../domain/post.ts'
import { effectiveIntervalMinutes } from '../../domain/schedule.ts'
import type { Source } from '../../domain/source.ts'
import { settingsOf } from '../../domain/source-settings.ts'
import type { Preview, PreviewPost, QueuedPoll, Why } from '../../ports/engine.ts'
import type { PolledSource } from '../../ports/polling-store.ts'
import type { SourceCounts } from '../../ports/source-store.ts'
import type {
  ArticleView,
  PodcastView,
  PollView,
  PollWithSourceView,
  PostView,
  PreviewView,
  QueuedView,
  SourceView,
  TokenView,
  UserView,
  WhyView,
} from './answers.ts'

export function iso(at: number): string {
  return new Date(at).toISOString()
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at)
}

export function userView(user: User): UserView {
  return { id: user.id, name: user.name, createdAt: iso(user.createdAt) }
}

export function podcastView(podcast: Podcast): PodcastView {
  const { id, userId, name, topic, maxArticleAgeDays } = podcast
  return { id, userId, name, topic, maxArticleAgeDays, createdAt: iso(podcast.createdAt) }
}

export function tokenView(token: Token): TokenView {
  return {
    id: token.id,
    userId: token.userId,
    name: token.name,
    admin: token.admin,
    createdAt: iso(token.createdAt),
    expiresAt: isoOrNull(token.expiresAt),
    lastUsedAt: isoOrNull(token.lastUsedAt),
  }
}

const NO_COUNTS: SourceCounts = { postCount: 0, articleCount: 0 }

export function sourceView(
  source: Source,
  counts: SourceCounts | undefined,
  limits: { readonly maxBackoffHours: number },
): SourceView {
  const { postCount, articleCount } = counts ?? NO_COUNTS
  return {
    id: source.id,
    podcastId: source.podcastId,
    type: source.type,
    url: source.url,
    feedUrl: source.feedUrl,
    hasCredentials: source.hasCredentials,
    host: source.host,
    lane: laneOrNull(source.lane),
    ...settingsOf(source),
    effectivePollIntervalMinutes: effectiveIntervalMinutes(source, limits),
    enabled: source.enabled,
    learnedIntervalMinutes: source.adaptive ? source.learnedIntervalMinutes : null,
    health: healthOf(source),
    quietSince: isoOrNull(source.quietSince),
    createdAt: iso(source.createdAt),
    lastPolled: isoOrNull(source.lastPolled),
    lastSucceededAt: isoOrNull(source.lastSucceededAt),
    lastSeenId: source.lastSeenId,
    nextPollAt: isoOrNull(source.nextPollAt),
    consecutiveFailures: source.consecutiveFailures,
    lastFailureType: source.lastFailureType,
    lastFailureReason: source.lastFailureReason,
    disabledReason: source.disabledReason,
    postCount,
    articleCount,
    title: source.title,
    siteUrl: source.siteUrl,
    language: source.language,
  }
}

/** What stands elsewhere than in the row of the post. */
export interface PostParts {
  readonly sourceTitle: string | null
  readonly fullText: string | null
}

export function postView(post: Post, { sourceTitle, fullText }: PostParts): PostView {
  const { id, sourceId, title, body, url, author, guid, categories, contentHash } = post
  const { fullTextState, fullTextReason, usagePreferences } = post
  const [publishedAt, createdAt] = [isoOrNull(post.publishedAt), iso(post.createdAt)]
  return {
    id,
    sourceId,
    sourceTitle,
    title,
    body,
    url,
    publishedAt,
    author,
    guid,
    categories: [...categories],
    contentHash,
    createdAt,
    ...extrasView(post),
    fullText,
    fullTextState,
    fullTextReason,
    usagePreferences,
  }
}

function fullTextView({ fullText, fullTextState, fullTextReason, usagePreferences }: Partial<PreviewPost>) {
  return {
    fullText: fullText ?? null,
    fullTextState: fullTextState ?? 'none',
    fullTextReason: fullTextReason ?? null,
    usagePreferences: usagePreferences ?? null,
  }
}

function extrasView({ language, image, enclosures, commentsUrl }: Partial<PostExtras>) {
  return {
    language: language ?? null,
    image: image ?? null,
    enclosures: (enclosures ?? []).map((one) => ({ ...one })),
    commentsUrl: commentsUrl ?? null,
  }
}

export function articleView(article: Article): ArticleView {
  const { id, sourceId, title, body, url, author, contentHash, isProcessed } = article
  return {
    ...{ id, sourceId, title, body, url, publishedAt: isoOrNull(article.publishedAt), author, contentHash },
    ...{ isProcessed, processedAt: isoOrNull(article.processedAt) },
    ...{ createdAt: iso(article.createdAt), postIds: [...article.postIds] },
  }
}

export function pollView(record: PollRecord): PollView {
  return {
    id: record.id,
    sourceId: record.sourceId,
    startedAt: iso(record.startedAt),
    durationMs: record.durationMs,
    trigger: record.trigger,
    outcome: record.outcome,
    httpStatus: record.httpStatus,
    notModified: record.notModified,
    bytes: record.bytes,
    found: record.found,
    created: record.created,
    skipped: { ...record.skipped },
    gap: record.gap,
    reason: record.reason,
  }
}

export function pollWithSourceView({ record, url, host, lane }: PolledSource): PollWithSourceView {
  return { ...pollView(record), url, host, lane: lane || null }
}

export async function queuedView({ queuedAt, expected }: QueuedPoll): Promise<QueuedView> {
  const { expectedAt, reason } = await expected()
  return { queuedAt: iso(queuedAt), expectedAt: iso(expectedAt), reason }
}

export function whyView(why: Why): WhyView {
  const { due, code, sentence } = why
  return { due, nextPollAt: isoOrNull(why.nextPollAt), expectedAt: isoOrNull(why.expectedAt), code, sentence }
}

export function discoveryView({
  feeds,
  notes,
}: Pick<Preview, 'feeds' | 'notes'>): Pick<PreviewView, 'feeds' | 'notes'> {
  return { feeds: feeds.map(({ url, title }) => ({ url, title })), notes: [...notes] }
}

export function previewView(preview: Preview): PreviewView {
  return {
    type: preview.type,
    url: preview.url,
    feedUrl: preview.feedUrl,
    title: preview.title,
    statedAt: isoOrNull(preview.statedAt ?? null),
    posts: preview.posts.map(({ title, body, url, publishedAt, author, guid, categories, contentHash, ...post }) => ({
      ...{ title, body, url, publishedAt: isoOrNull(publishedAt), author },
      ...{ guid, categories: [...categories], contentHash },
      ...extrasView(post),
      ...fullTextView(post),
    })),
    dropped: preview.dropped.map(({ title, url, rule }) => ({ title, url, rule })),
    ...discoveryView(preview),
  }
}
