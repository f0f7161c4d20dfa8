// Which events a listener wants, by name. A name that does not exist would be waited for in silence, for ever.
import { EVENT_TYPES, type EventType } from '../../domain/event.ts'
import { invalidInput, shown } from './validate.ts'

export function readEventTypes(given: unknown): EventType[] {
  const wanted = Array.isArray(given) ? EVENT_TYPES.filter((type) => given.includes(type)) : []
  const odd = Array.isArray(given) && given.length > 0 ? given.find((name) => !wanted.includes(name)) : given
  if (odd === undefined && wanted.length > 0) return wanted
  const got = Array.isArray(odd) && odd.length === 0 ? 'an empty list' : shown(odd)
  throw invalidInput([{ path: 'types', message: `expected some of ${EVENT_TYPES.join(', ')}, got ${got}` }])
}
