// Answers about polling as a whole, as schemas: hosts, the forecast, the status.
import { z } from 'zod'
import { count, instant, maybeInstant } from './answers.ts'

export const hostAnswer = z
  .object({
    host: z.string(),
    sources: count,
    due: count,
    delaySeconds: z.number(),
    delayFrom: z.string().describe('which setting said so: source, host-override, type or none'),
    lastRequestAt: maybeInstant,
    notBefore: maybeInstant,
    notBeforeReason: z.string().nullable(),
    breaker: z.object({
      state: z.enum(['closed', 'open', 'half-open']),
      failures: count,
      since: maybeInstant,
      probeAt: maybeInstant,
    }),
    breakerWindow: z
      .array(z.object({ sourceId: z.string(), at: instant, failure: z.string() }))
      .describe("the newest failures that count against the host, of the caller's own sources"),
    lastSucceededAt: maybeInstant,
    nextSlotAt: instant.describe('when a scheduled visit may start at the earliest'),
    lastDay: z
      .object({
        ...{ requests: count, conditional: count, notModified: count, throttled: count, failures: count, bytes: count },
        smallestGapMs: z.number().nullable().describe('between the end of a visit and the start of the next'),
      })
      .describe('the requests of the last 24 hours'),
    politeness: z.object({
      ...{ conditionalShare: z.number().nullable(), throttledShare: z.number().nullable() },
      score: z.int().nullable().describe('0 to 100; null when there were no requests'),
    }),
  })
  .meta({ id: 'Host' })

export const forecastAnswer = z
  .object({
    from: instant,
    outage: z
      .object({ since: instant })
      .nullable()
      .describe('our own connection seems to be down: the forecast holds for when it is back'),
    estimated: z
      .boolean()
      .describe(
        'with more than 10,000 sources: `hours` is from a sample of them, and `hosts` are in the order of names',
      ),
    hours: z.array(z.object({ from: instant, requests: count })).describe('of all hosts'),
    hosts: z
      .array(z.object({ host: z.string(), requests: count, byHour: z.array(count) }))
      .describe('those with most requests first'),
    nextCursor: z.string().nullable().describe('for the next hosts; null: these are the last'),
  })
  .meta({ id: 'Forecast' })

const TOTALS = [
  'users',
  'podcasts',
  'sources',
  'enabled',
  'failing',
  'disabled',
  'quiet',
  'due',
  'posts',
  'articles',
  'hosts',
] as const

export const statusAnswer = z.object({
  totals: z.record(z.enum(TOTALS), z.int()),
  versions: z.object({ tidings: z.string(), node: z.string(), schema: z.int() }),
  store: z.object({ engine: z.enum(['sqlite', 'postgres']) }),
  search: z.object({ unindexedPosts: count.describe('posts at most that a search cannot find yet') }),
  scheduler: z.object({
    ...{
      running: z.boolean(),
      lastTickAt: maybeInstant,
      nextTickAt: maybeInstant,
      requestsInFlight: z.int(),
      lanesAtWork: z.int(),
    },
  }),
  processes: z
    .array(
      z.object({
        ...{ id: z.string(), kind: z.enum(['serve', 'worker']), version: z.string() },
        ...{ startedAt: maybeInstant, lastSeenAt: maybeInstant, hostsInHand: count, pollsPerMinute: count },
      }),
    )
    .describe('the processes that poll on this store and were heard of within 30 seconds, oldest first'),
  outage: z.object({ since: z.string() }).nullable(),
  caller: z.object({ userId: z.string(), admin: z.boolean() }).describe('who asks, and whether with admin rights'),
  clockDoubtedSince: maybeInstant.describe(
    'the clock jumped by days: nothing is deleted by age until two hosts state the same time, or for a day',
  ),
  now: z.string(),
})

const sourceIncident = { sourceId: z.string().nullable(), url: z.string(), reason: z.string().nullable() }

export const summaryAnswer = z
  .object({
    ...{ id: z.string(), at: instant, from: instant, until: instant },
    totals: z.object({
      ...{ sources: count, enabled: count, failing: count, disabled: count, quiet: count },
      ...{ polls: count, failures: count, posts: count },
    }),
    disabled: z.array(z.object(sourceIncident)),
    opened: z.array(z.object({ host: z.string(), reason: z.string().nullable() })),
    quiet: z.array(z.object(sourceIncident)),
    gapped: z.array(z.object({ ...sourceIncident, intervalMinutes: z.number().nullable(), times: count })),
    recovered: z.array(
      z.object({
        was: z.enum(['disabled', 'opened', 'quiet', 'outage']),
        sourceId: z.string().nullable(),
        what: z.string().nullable().describe('URL of a source, name of a host, or null for our own connection'),
      }),
    ),
    more: count.describe('incidents that were left out because there were too many'),
  })
  .meta({ id: 'DailySummary' })

export type SummaryView = z.output<typeof summaryAnswer>
export type HostView = z.output<typeof hostAnswer>
export type ForecastView = z.output<typeof forecastAnswer>
export type StatusView = z.output<typeof statusAnswer>
