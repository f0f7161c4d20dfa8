// What happens, as it happens: server-sent events from the event rows. Each reader pulls at its own pace, so a slow
// one costs a position, not memory; `Last-Event-ID` goes on where a broken connection ended.
import { Readable } from 'node:stream'
import { z } from 'zod'
import { eventView } from '../../catalogue/reading.ts'
import { position } from '../../catalogue/schemas.ts'
import { invalidInput, readInput, shown } from '../../catalogue/validate.ts'
import { EVENT_TYPES, type EventType, type StoredEvent } from '../../domain/event.ts'
import type { ApiParts, EventSource } from '../parts.ts'
import { scopeOf } from '../reach.ts'
import { type Route, route } from '../route.ts'

const HEARTBEAT_MS = 15_000

export function eventRoutes({ events }: ApiParts): Route[] {
  if (!events) return []
  return [
    route({
      ...{ method: 'GET', path: '/api/events', tag: 'Events', summary: 'Live events (server-sent)' },
      query: z.strictObject({ types: z.string().max(1000).optional().describe('comma-separated; default all') }),
      answers: { 200: 'text/event-stream' },
      handle({ who, query, headers, signal }) {
        const types = typesOf(query.types)
        const last = headers['last-event-id']
        const after =
          last === undefined
            ? undefined
            : readInput(z.strictObject({ 'Last-Event-ID': position }), { 'Last-Event-ID': last })['Last-Event-ID']
        const stream = streamOf(events, { types, userId: scopeOf(who), after, signal })
        return { status: 200, stream, contentType: 'text/event-stream; charset=utf-8' }
      },
    }),
  ]
}

function typesOf(given: string | undefined): EventType[] | undefined {
  const names = given
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (!names || names.length === 0) return undefined
  const known = EVENT_TYPES.filter((type) => names.includes(type))
  const unknown = names.find((name) => !EVENT_TYPES.some((type) => type === name))
  if (unknown === undefined) return known
  const message = `expected some of ${EVENT_TYPES.join(', ')}, got ${shown(unknown)}`
  throw invalidInput([{ path: 'types', message }])
}

function streamOf(events: EventSource, subscription: Parameters<EventSource['subscribe']>[0]): Readable {
  const rows = events.subscribe(subscription)
  // Sent at once, so that a client knows that it is listening.
  const stream = new Readable({ read: () => next(), destroy: (error, done) => end(error, done) })
  const heartbeat = setInterval(() => stream.push(': still here\n\n'), HEARTBEAT_MS)
  stream.push(': listening\n\n')
  let asked = false
  function next(): void {
    if (asked) return
    asked = true
    rows.next().then(
      ({ done, value }) => {
        asked = false
        stream.push(done ? null : frameOf(value))
      },
      (error) => stream.destroy(error),
    )
  }
  function end(error: Error | null, done: (error: Error | null) => void): void {
    clearInterval(heartbeat)
    done(error)
  }
  return stream
}

function frameOf(event: StoredEvent): string {
  const { id, ...data } = eventView(event)
  return `event: ${event.type}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`
}
