// Totals, versions and the state of the scheduler; and health checks for load balancers.
import { z } from 'zod'
import { statusAnswer } from '../../catalogue/shapes/polling-answers.ts'
import { statusQuery } from '../../catalogue/shapes/schemas.ts'
import { isoOrNull } from '../../catalogue/shapes/views.ts'
import type { ProcessReport } from '../../ports/store.ts'
import { userScope } from '../auth/find-for-caller.ts'
import type { ApiParts } from '../parts.ts'
import { ANY_PARAMETERS, ok, type Route, route } from '../route.ts'
import { createRequireReady } from './readiness.ts'

/** A process tells of itself every ten seconds. */
const ALIVE_MS = 30_000

function processView({ startedAt, lastSeenAt, ...rest }: ProcessReport) {
  return { ...rest, startedAt: isoOrNull(startedAt), lastSeenAt: isoOrNull(lastSeenAt) }
}

const fine = z.object({ status: z.literal('ok') })

export function statusRoutes({ engine, store, clock, version, log, find }: ApiParts): Route[] {
  const requireReady = createRequireReady({ store, clock, log })
  return [
    route({
      ...{ method: 'GET', path: '/api/status', tag: 'Status', summary: 'Totals, versions, scheduler and outage' },
      query: statusQuery,
      answers: { 200: statusAnswer },
      async handle({ caller, query: { podcast: podcastId = null } }) {
        if (podcastId !== null) await find.ownPodcast(caller, podcastId)
        const now = clock.now()
        const { running, lastTickAt, nextTickAt, requestsInFlight, lanesAtWork, outage } = engine.status()
        // The last tick of any process on this store: the one that answers may not be polling.
        const tickedAt = Math.max(lastTickAt ?? 0, Number(await store.readMeta('last-tick-at')))
        const last = { lastTickAt: isoOrNull(tickedAt || null), nextTickAt: isoOrNull(nextTickAt) }
        return ok({
          totals: await store.totals({ userId: userScope(caller), podcastId, now }),
          versions: { tidings: version, node: process.versions.node, schema: await store.schemaVersion() },
          store: { engine: store.engine },
          search: { unindexedPosts: await store.unindexedPosts() },
          scheduler: { running, ...last, requestsInFlight, lanesAtWork },
          processes: (await store.listProcesses(now - ALIVE_MS)).map(processView),
          outage: outage ? { since: isoOrNull(outage.since) } : null,
          caller: { userId: caller.userId, admin: caller.admin },
          clockDoubtedSince: isoOrNull(Number(await store.readMeta('clock-doubted-since')) || null),
          now: isoOrNull(now),
        })
      },
    }),
    route({
      ...{ method: 'GET', path: '/healthz', tag: 'Health', access: 'anyone', summary: 'Is the process alive?' },
      query: ANY_PARAMETERS,
      answers: { 200: fine },
      handle: () => ok({ status: 'ok' }),
    }),
    route({
      ...{
        method: 'GET',
        path: '/readyz',
        tag: 'Health',
        access: 'anyone',
        summary: 'Can the store be read and written?',
      },
      query: ANY_PARAMETERS,
      answers: { 200: fine },
      async handle() {
        await requireReady()
        return ok({ status: 'ok' })
      },
    }),
  ]
}
