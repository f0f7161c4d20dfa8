// Tools that read sources: which there are and how they do, and why one was or was not polled.
import { z } from 'zod'
import type { PollView, SourceView, WhyView } from '../../catalogue/shapes/answers.ts'
import { oneOf, text } from '../../catalogue/shapes/fields.ts'
import { SOURCE_HEALTHS } from '../../domain/health.ts'
import { fittingPage } from '../fit.ts'
import { tool } from '../tool.ts'
import {
  cursor,
  findSource,
  instant,
  limit,
  nameOf,
  nextCursor,
  pathOf,
  short,
  shortOrNull,
  sourceArgument,
} from './fields.ts'

export const sourceFacts = {
  id: z.string(),
  podcastId: z.string(),
  title: z.string().describe('label, else the title that the source states, else its URL'),
  url: z.string(),
  type: z.string(),
  enabled: z.boolean(),
  health: z.string(),
  pollIntervalMinutes: z.number(),
  nextPollAt: instant.nullable(),
  lastPolled: instant.nullable(),
  lastSucceededAt: instant.nullable(),
  lastFailureReason: z.string().nullable(),
  disabledReason: z.string().nullable(),
  postCount: z.int(),
}
/** A permanent redirect may change the URL. */
export const SOURCE_UNTRUSTED = ['title', 'url', 'lastFailureReason']

export function sourceFactsOf(source: SourceView): z.output<z.ZodObject<typeof sourceFacts>> {
  return {
    id: source.id,
    podcastId: source.podcastId,
    title: nameOf(source),
    url: short(source.url, 2000),
    type: source.type,
    enabled: source.enabled,
    health: source.health,
    pollIntervalMinutes: source.pollIntervalMinutes,
    nextPollAt: source.nextPollAt,
    lastPolled: source.lastPolled,
    lastSucceededAt: source.lastSucceededAt,
    lastFailureReason: shortOrNull(source.lastFailureReason, 500),
    disabledReason: shortOrNull(source.disabledReason, 500),
    postCount: source.postCount,
  }
}

export const listSources = tool({
  name: 'list_sources',
  title: 'List sources',
  description:
    'Feeds, pages and accounts that Tidings polls, with health and next poll. health=failing or disabled shows what is in trouble.',
  input: z.strictObject({
    health: oneOf(SOURCE_HEALTHS).optional().describe('only sources in this state'),
    query: text(500, 'a search text').optional().describe('part of URL, label or title'),
    limit,
    cursor,
  }),
  output: z.object({ items: z.array(z.object(sourceFacts)), nextCursor }),
  untrusted: SOURCE_UNTRUSTED,
  run: (rest, { health, query: q, limit, cursor }) =>
    fittingPage(limit, async (limit) => {
      const query = { health, q, limit, cursor }
      const page = await rest.get<{ items: SourceView[]; nextCursor: string | null }>('/api/sources', query, {
        q: 'query',
      })
      return { items: page.items.map(sourceFactsOf), nextCursor: page.nextCursor }
    }),
})

export const pollFacts = z.object({
  startedAt: instant,
  trigger: z.string(),
  outcome: z.string().describe('success, transient (tried again later) or permanent'),
  httpStatus: z.int().nullable(),
  created: z.int().describe('new posts'),
  reason: z.string().nullable(),
})

export function pollFactsOf({
  startedAt,
  trigger,
  outcome,
  httpStatus,
  created,
  reason,
}: PollView): z.output<typeof pollFacts> {
  return { startedAt, trigger, outcome, httpStatus, created, reason: shortOrNull(reason, 300) }
}

export const explainSource = tool({
  name: 'explain_source',
  title: 'Explain a source',
  description: 'Why a source was or was not polled, when it will be, and how its last polls ended.',
  input: z.strictObject({ source: sourceArgument }),
  output: z.object({
    source: z.object(sourceFacts),
    sentence: z.string().describe('why, in one sentence'),
    due: z.boolean(),
    expectedAt: instant.nullable().describe('when the next poll is expected'),
    polls: z.array(pollFacts).describe('the last polls, newest first'),
    pollsComplete: z.boolean().describe('false: there were more polls before these'),
  }),
  untrusted: [...SOURCE_UNTRUSTED, 'reason', 'sentence'],
  async run(rest, { source: given }) {
    const source = await findSource(rest, given)
    const path = pathOf(source)
    const why = await rest.get<WhyView>(`${path}/why`)
    const polls = await rest.get<{ items: PollView[]; nextCursor: string | null }>(`${path}/polls`, { limit: 10 })
    return {
      source: sourceFactsOf(source),
      sentence: short(why.sentence, 1000),
      ...{ due: why.due, expectedAt: why.expectedAt },
      polls: polls.items.map(pollFactsOf),
      pollsComplete: polls.nextCursor === null,
    }
  },
})
