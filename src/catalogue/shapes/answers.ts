// The schemas of what people get back. The types of the views and the OpenAPI description come from them.
import { z } from 'zod'
import { SOURCE_HEALTHS } from '../../domain/health.ts'
import { SKIP_RULES } from '../../domain/outcome.ts'
import { FULL_TEXT_STATES } from '../../domain/post.ts'
import { SETTING_ANSWERS } from './setting-schemas.ts'

export const instant = z.string().meta({ format: 'date-time' })
export const maybeInstant = instant.nullable()
export const count = z.int().min(0)

export const userAnswer = z.object({ id: z.string(), name: z.string(), createdAt: instant }).meta({ id: 'User' })

export const limitAnswer = z
  .object({ name: z.string(), used: z.int().nullable(), most: z.int().nullable() })
  .meta({ id: 'Limit' })

export const podcastAnswer = z
  .object({
    id: z.string(),
    userId: z.string(),
    name: z.string(),
    topic: z.string().nullable(),
    maxArticleAgeDays: z.int().nullable(),
    createdAt: instant,
  })
  .meta({ id: 'Podcast' })

export const tokenAnswer = z
  .object({
    id: z.string(),
    userId: z.string(),
    name: z.string(),
    admin: z.boolean(),
    createdAt: instant,
    expiresAt: maybeInstant,
    lastUsedAt: maybeInstant,
  })
  .meta({ id: 'Token' })
export const newTokenAnswer = tokenAnswer
  .extend({ token: z.string().describe('shown this once, never again') })
  .meta({ id: 'NewToken' })

export const keyAnswer = z
  .object({ provider: z.string(), configured: z.boolean(), updatedAt: maybeInstant })
  .meta({ id: 'Key' })

export const sourceAnswer = z
  .object({
    id: z.string(),
    podcastId: z.string(),
    type: z.string(),
    url: z.string().describe('without credentials'),
    feedUrl: z.string().nullable().describe('what is asked instead of url, when that differs'),
    hasCredentials: z.boolean(),
    host: z.string().nullable(),
    lane: z.string().nullable().describe('where its polls queue, as /api/hosts names it; null without a host'),
    ...SETTING_ANSWERS,
    effectivePollIntervalMinutes: z.number().describe('the interval with backoff'),
    learnedIntervalMinutes: z
      .int()
      .nullable()
      .describe('with adaptive: the interval learned so far; null: not adaptive, or too little evidence'),
    enabled: z.boolean(),
    health: z
      .enum(SOURCE_HEALTHS)
      .describe(
        'failing: the last poll failed; quiet: it succeeds but publishes nothing for longer than usual; new: no success yet, and no failure since it was last enabled',
      ),
    quietSince: maybeInstant.describe('since when it is silent for longer than its rhythm explains'),
    createdAt: instant,
    lastPolled: maybeInstant,
    lastSucceededAt: maybeInstant,
    lastSeenId: z.string().nullable(),
    nextPollAt: maybeInstant,
    consecutiveFailures: count,
    lastFailureType: z.enum(['transient', 'permanent']).nullable(),
    lastFailureReason: z.string().nullable(),
    disabledReason: z.string().nullable(),
    postCount: count,
    articleCount: count,
    title: z.string().nullable().describe('as the last document stated it'),
    siteUrl: z.string().nullable(),
    language: z.string().nullable(),
  })
  .meta({ id: 'Source' })

const feed = z.object({ url: z.string(), title: z.string().nullable() })
const search = {
  feeds: z.array(feed),
  notes: z.array(z.string()).describe('what was not checked, or could not be read'),
}
export const newSourceAnswer = sourceAnswer
  .extend({
    discovery: z
      .object(search)
      .optional()
      .describe('only when the type was not given and something was found: all feeds, and notes'),
  })
  .meta({ id: 'NewSource' })

const content = {
  title: z.string(),
  body: z.string(),
  url: z.string(),
  publishedAt: maybeInstant,
  author: z.string().nullable(),
}
const found = { guid: z.string().nullable(), categories: z.array(z.string()), contentHash: z.string() }

const enclosure = z.object({
  url: z.string(),
  type: z.string().nullable(),
  length: count.nullable(),
  duration: z.number().optional().describe('in seconds; only where it is stated'),
})
const extras = {
  language: z.string().nullable().describe('as stated, BCP 47'),
  image: z.string().nullable(),
  enclosures: z.array(enclosure),
  commentsUrl: z.string().nullable(),
}

const behind = {
  fullText: z.string().nullable().describe('the text of the page behind the post'),
  fullTextState: z.enum(FULL_TEXT_STATES),
  fullTextReason: z.string().nullable().describe('why there is no full text'),
  usagePreferences: z.string().nullable().describe('what is stated about how the text may be used'),
}

export const postAnswer = z
  .object({
    id: z.string(),
    sourceId: z.string(),
    sourceTitle: z.string().nullable().describe("the source's label, else its title"),
    ...content,
    ...found,
    createdAt: instant,
    ...extras,
    ...behind,
    html: z.string().nullable().optional().describe('clean HTML; only with include=html'),
    markdown: z.string().nullable().optional().describe('the same as Markdown; only with include=markdown'),
    excerpt: z.string().optional().describe('only with q: the text around the first hit'),
  })
  .meta({ id: 'Post' })

export const cursorAnswer = z
  .object({
    name: z.string(),
    position: z.string(),
    behind: count.describe('posts after the position'),
    gap: z.boolean().describe('whether clean-up removed posts after the position'),
  })
  .meta({ id: 'Cursor' })

export const articleAnswer = z
  .object({
    id: z.string(),
    sourceId: z.string(),
    ...content,
    contentHash: z.string(),
    isProcessed: z.boolean(),
    processedAt: maybeInstant,
    createdAt: instant,
    postIds: z.array(z.string()),
  })
  .meta({ id: 'Article' })

export const articleWithPostsAnswer = articleAnswer
  .extend({ posts: z.array(postAnswer).describe('oldest first') })
  .meta({ id: 'ArticleWithPosts' })

export const pollAnswer = z
  .object({
    id: z.string(),
    sourceId: z.string(),
    startedAt: instant,
    durationMs: z.number(),
    trigger: z.enum(['tick', 'manual', 'create', 'probe']),
    outcome: z.enum(['success', 'transient', 'permanent']),
    httpStatus: z.int().nullable(),
    notModified: z.boolean(),
    bytes: count,
    found: count,
    created: count,
    skipped: z.record(z.enum(SKIP_RULES), count),
    gap: z.boolean().describe('nothing in the document was known, so entries may have been missed'),
    reason: z.string().nullable(),
  })
  .meta({ id: 'PollRecord' })

export const pollWithSourceAnswer = pollAnswer
  .extend({
    url: z.string().describe('of the source'),
    host: z.string().nullable(),
    lane: z.string().nullable().describe('where it queued, as /api/hosts names it'),
  })
  .meta({ id: 'PollRecordWithSource' })

export const activityAnswer = z
  .object({
    items: z
      .array(z.object({ at: instant, polls: count, failures: count, notModified: count, created: count, bytes: count }))
      .describe('oldest first; at is the beginning of the hour or of the UTC day'),
  })
  .meta({ id: 'Activity' })

export const bulkAnswer = z
  .object({ done: count, failed: z.array(z.object({ id: z.string(), reason: z.string() })) })
  .meta({ id: 'Bulk' })

export const queuedAnswer = z
  .object({ queuedAt: instant, expectedAt: instant, reason: z.string() })
  .meta({ id: 'QueuedPoll' })

export const whyAnswer = z
  .object({
    due: z.boolean(),
    nextPollAt: maybeInstant,
    expectedAt: maybeInstant,
    code: z.string(),
    sentence: z.string(),
  })
  .meta({ id: 'Why' })

export const previewAnswer = z
  .object({
    type: z.string(),
    url: z.string(),
    feedUrl: z.string().nullable(),
    title: z.string().nullable(),
    statedAt: maybeInstant.describe('the date that a page states; its post has none'),
    posts: z.array(z.object({ ...content, ...found, ...extras, ...behind })),
    dropped: z.array(z.object({ title: z.string(), url: z.string(), rule: z.string() })),
    ...search,
  })
  .meta({ id: 'Preview' })

export const importAnswer = z
  .object({
    added: count,
    skipped: count.describe('sources that were there already'),
    failed: z.array(z.object({ url: z.string(), reason: z.string() })).describe('the first 100 rows that failed'),
    failedMore: count.optional().describe('how many more rows failed; left out if none did'),
  })
  .meta({ id: 'Import' })

export const problemAnswer = z
  .object({
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })),
  })
  .meta({ id: 'Problem' })

export type UserView = z.output<typeof userAnswer>
export type LimitView = z.output<typeof limitAnswer>
export type PodcastView = z.output<typeof podcastAnswer>
export type TokenView = z.output<typeof tokenAnswer>
export type NewTokenView = z.output<typeof newTokenAnswer>
export type KeyView = z.output<typeof keyAnswer>
export type SourceView = z.output<typeof sourceAnswer>
export type NewSourceView = z.output<typeof newSourceAnswer>
export type PostView = z.output<typeof postAnswer>
export type ArticleWithPostsView = z.output<typeof articleWithPostsAnswer>
export type ArticleView = z.output<typeof articleAnswer>
export type PollView = z.output<typeof pollAnswer>
export type PollWithSourceView = z.output<typeof pollWithSourceAnswer>
export type ActivityView = z.output<typeof activityAnswer>
export type BulkView = z.output<typeof bulkAnswer>
export type CursorView = z.output<typeof cursorAnswer>
export type QueuedView = z.output<typeof queuedAnswer>
export type WhyView = z.output<typeof whyAnswer>
export type PreviewView = z.output<typeof previewAnswer>
export type ImportView = z.output<typeof importAnswer>
