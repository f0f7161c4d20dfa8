// The schemas of what people may send. Validation and the OpenAPI description both use them.
// null means the default. Fields of an answer that nobody can set are listed as read-only.
import { z } from 'zod'
import { SOURCE_HEALTHS } from '../../domain/health.ts'
import { URL_CHARACTERS } from '../../domain/source.ts'
import { SOURCE_SORTS } from '../../ports/source-store.ts'
import { newSourceAnswer, postAnswer } from './answers.ts'
import { filledText, oneOf, text, whole, yesNo } from './fields.ts'
import { SETTING_INPUTS } from './setting-schemas.ts'
import { expected } from './validate.ts'

export const NAME_CHARACTERS = 200

// ---- people ---------------------------------------------------------------------------------------

export const userInput = z.strictObject({ name: filledText(NAME_CHARACTERS, 'a name') })
export const USER_READ_ONLY = ['id', 'createdAt'] as const

export const podcastInput = z.strictObject({
  name: filledText(NAME_CHARACTERS, 'a name'),
  topic: text(2000, 'a topic').nullish(),
  maxArticleAgeDays: whole(1, 3650).nullish().describe('null: the configured app.source.max-article-age-days'),
})
export const podcastPatch = podcastInput.partial()
export const PODCAST_READ_ONLY = ['id', 'userId', 'createdAt'] as const

const INSTANT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/

/** Date.parse turns the 30th of February into a day in March. */
function isDay(day: string): boolean {
  const at = Date.parse(day)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day)
}

/** An instant with its zone, or a date (midnight UTC); becomes epoch milliseconds. */
export const instant = z
  .string(expected('an instant such as 2026-11-15T08:00:00Z'))
  .transform((given, context) => {
    const at = INSTANT.test(given) && isDay(given.slice(0, 10)) ? Date.parse(given) : NaN
    if (!Number.isNaN(at)) return at
    const message = expected('an instant such as 2026-11-15T08:00:00Z').error({ input: given })
    context.issues.push({ code: 'custom', message, input: given })
    return z.NEVER
  })
  .meta({ format: 'date-time' })

export const tokenInput = z.strictObject({
  name: filledText(NAME_CHARACTERS, 'a name that tells what the token is for'),
  admin: yesNo.optional().describe('an admin token sees and may do everything; making one needs one'),
  expiresAt: instant.nullish().describe('null: never'),
})
export const TOKEN_READ_ONLY = ['id', 'userId', 'createdAt', 'lastUsedAt', 'token'] as const

// These messages do not repeat what was given, because a key is never shown.
export const keyInput = z.strictObject({
  apiKey: z
    .string({ error: 'expected the key as text' })
    .trim()
    .min(1, { error: 'expected a key that is not blank' })
    .max(4096, { error: 'expected a key of at most 4096 characters' })
    .regex(/^[\x21-\x7e]*$/, { error: 'expected a key of visible ASCII characters without spaces' }),
})

// ---- sources --------------------------------------------------------------------------------------

// Any name: typed-shapes.ts puts in the source types that this Tidings has.
const sourceType = z.string()
// source-url.ts checks scheme, host and credentials, because it knows the type.
const sourceUrl = z
  .string(expected('an http or https URL'))
  .trim()
  .min(1, expected('an http or https URL'))
  .max(URL_CHARACTERS, expected(`a URL of at most ${URL_CHARACTERS} characters`))

const overrides = {
  ...SETTING_INPUTS,
  enabled: yesNo.optional().describe('whether it is polled'),
  validate: yesNo.optional().describe('whether to test the address first'),
}

const podcastId = filledText(200, "a podcast's id").optional().describe('another podcast moves the source there')

export const newSource = z.strictObject({
  type: sourceType.nullish(),
  url: sourceUrl,
  ...overrides,
})
export const sourcePut = z.strictObject({ type: sourceType, url: sourceUrl, podcastId, ...overrides })
export const sourcePatch = z.strictObject({
  type: sourceType.optional(),
  url: sourceUrl.optional(),
  podcastId,
  ...overrides,
})
/** Fields of an answer that nobody can set. */
export const SOURCE_READ_ONLY: readonly string[] = Object.keys(newSourceAnswer.shape).filter(
  (field) => !(field in sourcePatch.shape),
)

export type NewSourceInput = z.input<typeof newSource>
export type SourcePatchInput = z.input<typeof sourcePatch>
export type SourceQueryInput = z.input<typeof sourceQuery>
export type SourcePutInput = z.input<typeof sourcePut>

// ---- asking for lists -----------------------------------------------------------------------------

/** Queries are text over REST and values from the library; the schemas read both. */
const fromText = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
const flagFromText = (value: unknown): unknown =>
  value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value

const term = text(500, 'a search text')
const paging = {
  limit: z.preprocess(fromText, whole(1, 500).default(50)),
  cursor: text(2000, 'the nextCursor of an earlier answer').nullish(),
}

export const pageQuery = z.strictObject(paging)
export const hostQuery = z.strictObject({
  ...paging,
  waiting: z
    .preprocess(flagFromText, yesNo.default(false))
    .describe('only hosts that wait for now: they asked for it, or with a breaker that is not closed'),
})
const filters = {
  type: sourceType.nullish(),
  host: text(260, 'a host name').nullish().describe('as written, or as /api/hosts names it'),
  health: oneOf(SOURCE_HEALTHS).nullish(),
  q: term.nullish().describe('part of the URL, label or title'),
  url: sourceUrl.nullish().describe('exactly this address'),
}
const SORTS = [...SOURCE_SORTS, ...SOURCE_SORTS.map((name) => `-${name}` as const)] as const
export const sourceFilter = z.strictObject(filters)
export const sourceQuery = z.strictObject({
  ...paging,
  ...filters,
  sort: z
    .enum(SORTS, expected(`one of ${SOURCE_SORTS.join(', ')}, with - before it for the reverse`))
    .nullish()
    .describe('default created; with - before it reversed. health: failing first; title: label, else title, else URL'),
})

export const BULK_ACTIONS = ['enable', 'disable', 'poll', 'remove', 'move', 'update'] as const
export const bulkInput = z.strictObject({
  ids: z
    .array(filledText(200, "a source's id"), expected('a list of source ids'))
    .max(10_000, expected('at most 10000 source ids'))
    .nullish(),
  filter: sourceFilter.nullish().describe('instead of ids: all sources that the list would show; {} is all'),
  action: oneOf(BULK_ACTIONS),
  podcastId: filledText(200, "a podcast's id").nullish().describe('for move'),
  set: z.strictObject(overrides).omit({ validate: true }).nullish().describe('for update'),
})

export const pollListQuery = z.strictObject({
  ...paging,
  since: instant.nullish().describe('started at or after'),
  host: text(260, 'a host name').nullish(),
  source: text(200, "a source's id").nullish(),
  outcome: oneOf(['success', 'transient', 'permanent']).nullish(),
})
export const daysQuery = z.strictObject({ days: z.preprocess(fromText, whole(1, 400).default(30)) })
export const statusQuery = z.strictObject({
  podcast: text(200, "a podcast's id").nullish().describe('totals of this podcast only'),
})
export const activityQuery = z.strictObject({
  hours: z.preprocess(fromText, whole(1, 2160).default(72)),
  podcast: text(200, "a podcast's id").nullish(),
})

/** How far a consumer has read posts or events: opaque to the consumer, a decimal number to us. */
export const position = z
  .string(expected('a position from an earlier answer, or 0'))
  .regex(/^\d{1,15}$/, expected('a position from an earlier answer, or 0'))

const listFromText = (value: unknown): unknown =>
  typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value
const POST_FIELDS = Object.keys(postAnswer.shape) as [keyof typeof postAnswer.shape]

/** Which parts of a post to answer. */
const postParts = {
  include: z
    .preprocess(listFromText, z.array(z.enum(['html', 'markdown'], expected('html, markdown or both'))).nullish())
    .describe('html, markdown or both: parts that are left out otherwise'),
  fields: z
    .preprocess(listFromText, z.array(z.enum(POST_FIELDS, expected(`some of ${POST_FIELDS.join(', ')}`))).nullish())
    .describe('only these fields of each post'),
}

const LANGUAGE = expected('a language tag such as en or pt-BR')

/** Written as the tags of posts are: `EN-us` becomes `en-US`. */
const languageTag = z.string(LANGUAGE).transform((given, context) => {
  try {
    const [tag] = Intl.getCanonicalLocales(given)
    if (tag) return tag
  } catch {
    // Not a language tag.
  }
  context.issues.push({ code: 'custom', message: LANGUAGE.error({ input: given }), input: given })
  return z.NEVER
})

export const postQuery = z.strictObject({
  ...paging,
  since: z
    .union([instant, z.int()], expected('an instant such as 2026-11-15T08:00:00Z'))
    .nullish()
    .describe('created at or after'),
  source: text(200, "a source's id").nullish(),
  label: text(200, "a source's label").nullish().describe('of sources with this label'),
  language: languageTag.nullish().describe('stated as this language; en includes en-GB'),
  unlinked: z.preprocess(flagFromText, yesNo.optional()),
  q: term.nullish().describe('words that all must occur; "a phrase", -word, title:word'),
  sort: oneOf(['newest', 'relevance'])
    .optional()
    .describe('relevance: the best of the newest 1000 matches of q first, then the best of those before'),
  after: position.nullish().describe('oldest first in commit order, after this position; not together with cursor'),
  ...postParts,
})
export const onePostQuery = z.strictObject(postParts)
export const cursorName = z.strictObject({ name: filledText(NAME_CHARACTERS, 'a name') })
export const cursorInput = z.strictObject({
  position: position.describe('of the last post that was processed; 0 is the beginning'),
})
export const articleQuery = z.strictObject({ ...paging, processed: z.preprocess(flagFromText, yesNo.nullish()) })
export const articleIds = z.strictObject({
  ids: z.array(filledText(200, "an article's id"), expected('a list of article ids')).max(10_000),
})
export const aggregateInput = z.strictObject({
  windowDays: z
    .number(expected('a number of days from 0.01 to 3650'))
    .min(0.01, expected('a number of days from 0.01 to 3650'))
    .max(3650, expected('a number of days from 0.01 to 3650'))
    .nullish()
    .describe("only posts that came in during the last so many days; null: the podcast's maxArticleAgeDays"),
  reprocessPostIds: z
    .array(filledText(200, "a post's id"), expected('a list of post ids'))
    .max(10_000, expected('at most 10000 post ids'))
    .nullish()
    .describe('these posts become new articles, even if they are in one already'),
})

export const pollQuery = z.strictObject({
  wait: z.preprocess(flagFromText, yesNo.default(false)).describe('wait for the poll to finish'),
  timeout: z
    .preprocess(
      (value) => (typeof value === 'string' && /^\d{1,6}(\.\d+)?$/.test(value) ? Number(value) : value),
      z.number(expected('a number of seconds')).min(0, expected('a number of seconds')).default(60),
    )
    .describe('seconds, at most 60'),
  trigger: z
    .enum(['manual', 'create'], expected('manual or create'))
    .default('manual')
    .describe('create: the source was just added'),
})
export const forecastQuery = z.strictObject({ ...paging, hours: z.preprocess(fromText, whole(1, 168).default(24)) })
export const previewInput = z.strictObject({
  url: sourceUrl,
  type: sourceType.nullish(),
  backfillDays: SETTING_INPUTS.backfillDays.describe('as the source would have it'),
  fullText: SETTING_INPUTS.fullText.describe('as the source would have it; then the newest post shows its full text'),
})
export const exportQuery = z.strictObject({
  secrets: z.preprocess(flagFromText, yesNo.default(false)).describe('with the credentials of URLs; needs admin'),
})
