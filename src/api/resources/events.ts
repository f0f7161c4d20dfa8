// What happens, as it happens: server-sent events from the event rows. Each reader pulls at its own pace, so a slow
// one costs a position, not memory; `Last-Event-ID` goes on where a broken connection ended.
import { z } from 'zod'
import { readEventTypes } from '../../catalogue/shapes/event-types.ts'
import { position } from '../../catalogue/shapes/schemas.ts'
import { expected, readInput } from '../../catalogue/shapes/validate.ts'
import type { EventType } from '../../domain/event.ts'
import { scopeOf } from '../auth/find-for-caller.ts'
import { eventStream } from '../events/event-stream.ts'
import type { ApiParts } from '../parts.ts'
import { type Route, route } from '../route.ts'

const names = expected('event types, comma-separated')

export function eventRoutes({ events }: ApiParts): Route[] {
  if (!events) return []
  return [
    route({
      ...{ method: 'GET', path: '/api/events', tag: 'Events', summary: 'Live events (server-sent)' },
      query: z.strictObject({
        types: z.string(names).max(1000, names).optional().describe('comma-separated; default all'),
      }),
      answers: { 200: 'text/event-stream' },
      handle({ who, query, headers, signal }) {
        const types = typesOf(query.types)
        const after = lastHeard(headers['last-event-id'])
        const stream = eventStream(events, { types, userId: scopeOf(who), after, signal })
        // Proxies that collect answers would hold events back.
        const unbuffered = { 'x-accel-buffering': 'no' }
        return { status: 200, stream, contentType: 'text/event-stream; charset=utf-8', headers: unbuffered }
      },
    }),
  ]
}

/** Empty means none: that is what a client's last id is before it has heard of any. */
function lastHeard(given: string | readonly string[] | undefined): string | undefined {
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
