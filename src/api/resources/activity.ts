// How much was polled, for charts; and the polls of all sources that the caller may see.
import { activityByDay, activityByHour } from '../../catalogue/consumers/activity.ts'
import { activityAnswer, pollWithSourceAnswer } from '../../catalogue/shapes/answers.ts'
import { listOf } from '../../catalogue/shapes/paging.ts'
import { activityQuery, daysQuery, pollListQuery } from '../../catalogue/shapes/schemas.ts'
import { pollWithSourceView } from '../../catalogue/shapes/views.ts'
import { laneNamed } from '../../domain/lane.ts'
import { userScope } from '../auth/find-for-caller.ts'
import type { ApiParts } from '../parts.ts'
import { ok, pageAnswer, type Route, route } from '../route.ts'
import { SOURCE } from './sources.ts'

export function activityRoutes({ store, clock, find, catalogue }: ApiParts): Route[] {
  const tag = 'Polls'
  return [
    route({
      ...{ method: 'GET', path: `${SOURCE}/days`, tag, summary: 'The polls of a source by UTC day, oldest first' },
      query: daysQuery,
      answers: { 200: activityAnswer },
      async handle(call) {
        const { id } = await find.source(call)
        return ok(await activityByDay(store, id, { days: call.query.days, now: clock.now() }))
      },
    }),
    route({
      ...{ method: 'GET', path: '/api/activity', tag, summary: 'All polls by hour, oldest first' },
      query: activityQuery,
      answers: { 200: activityAnswer },
      async handle({ caller, query: { hours, podcast: podcastId = null } }) {
        const userId = userScope(caller)
        if (podcastId !== null) await find.ownPodcast(caller, podcastId)
        return ok(await activityByHour(store, { podcastId, userId }, { hours, now: clock.now() }))
      },
    }),
    route({
      ...{ method: 'GET', path: '/api/polls', tag },
      summary: 'Polls of all sources, newest first; a page may be short, so go on until nextCursor is null',
      query: pollListQuery,
      answers: { 200: pageAnswer(pollWithSourceAnswer) },
      async handle({ caller, query: { limit, cursor = null, since = null, host, source, outcome = null } }) {
        const lane = host ? laneNamed(host, catalogue.types.services) : null
        const scope = { userId: userScope(caller), sourceId: source || null, host: lane }
        return ok(listOf(await store.listAllPolls({ limit, cursor, since, outcome, ...scope }), pollWithSourceView))
      },
    }),
  ]
}
