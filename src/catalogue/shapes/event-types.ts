// Checks the event types that a listener asks for. A listener would wait forever for an unknown one.
import { EVENT_TYPES, type EventType } from '../../domain/event.ts'
import { invalidInput, shown } from './validate.ts'

export function readEventTypes(given: unknown): EventType[] {
  const wanted = Array.isArray(given) ? EVENT_TYPES.filter((type) => given.includes(type)) : []
  const unknown = Array.isArray(given) && given.length > 0 ? given.find((name) => !wanted.includes(name)) : given
  if (unknown === undefined && wanted.length > 0) return wanted
  const got = Array.isArray(unknown) && unknown.length === 0 ? 'an empty list' : shown(unknown)
  throw invalidInput([{ path: 'types', message: `expected some of ${EVENT_TYPES.join(', ')}, got ${got}` }])
}
