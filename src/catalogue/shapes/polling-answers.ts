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
    hours: z.array(z.object({ from: instant, requests: count })),
    hosts: z.array(z.object({ host: z.string(), requests: count, byHour: z.array(count) })),
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
  outage: z.object({ since: z.string() }).nullable(),
  clockDoubtedSince: maybeInstant.describe(
    'the clock jumped by days: nothing is deleted by age until two hosts state the same time, or for a day',
  ),
  now: z.string(),
})

export type HostView = z.output<typeof hostAnswer>
export type ForecastView = z.output<typeof forecastAnswer>
export type StatusView = z.output<typeof statusAnswer>
