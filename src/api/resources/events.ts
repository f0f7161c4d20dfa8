// Live events as server-sent events. Each reader reads event rows at its own pace, so a slow reader costs a position, not
// memory. `Last-Event-ID` continues where a broken connection ended.
import { z } from 'zod'
import { readEventTypes } from '../../catalogue/shapes/event-types.ts'
import { position } from '../../catalogue/shapes/schemas.ts'
import { expected, readInput } from '../../catalogue/shapes/validate.ts'
import type { EventType } from '../../domain/event.ts'
import { userScope } from '../auth/find-for-caller.ts'
import { eventStream } from '../events/event-stream.ts'
import { OpenStreams } from '../events/open-streams.ts'
import type { ApiParts } from '../parts.ts'
import { type Route, route } from '../route.ts'

const names = expected('event types, comma-separated')

export function eventRoutes({ events, config }: ApiParts): Route[] {
  if (!events) return []
  const streams = new OpenStreams(config.limits.eventStreams)
  return [
    route({
      ...{ method: 'GET', path: '/api/events', tag: 'Events', summary: 'Live events (server-sent)' },
      query: z.strictObject({
        types: z.string(names).max(1000, names).optional().describe('comma-separated; default all'),
      }),
      answers: { 200: 'text/event-stream' },
      handle({ caller, query, headers, signal }) {
        const types = typesOf(query.types)
        const after = readLastEventId(headers['last-event-id'])
        const wanted = { types, userId: userScope(caller), after, signal }
        const stream = streams.open(caller, () => eventStream(events, wanted))
        // Tells proxies not to buffer, which would delay events.
        const unbuffered = { 'x-accel-buffering': 'no' }
        return { status: 200, stream, contentType: 'text/event-stream; charset=utf-8', headers: unbuffered }
      },
    }),
  ]
}

/** An empty header means none: browsers send that before they have received an event. */
function readLastEventId(given: string | readonly string[] | undefined): string | undefined {
  if (given === undefined || given === '') return undefined
  return readInput(z.strictObject({ 'Last-Event-ID': position }), { 'Last-Event-ID': given })['Last-Event-ID']
}

function typesOf(given: string | undefined): EventType[] | undefined {
  const names = given
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names && names.length > 0 ? readEventTypes(names) : undefined
}
