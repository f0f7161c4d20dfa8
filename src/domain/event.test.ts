import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type NewEvent, type StoredEvent, seenBy } from './event.ts'

const NOBODY = { userId: null, podcastId: null, sourceId: null, host: null }

const outage: StoredEvent = {
  ...{ id: '1', type: 'outage.started', at: 0, ...NOBODY },
  data: { since: 'then', hosts: ['his.example'], sources: 3 },
}
const closed: StoredEvent = {
  ...{ id: '2', type: 'host.closed', at: 0, ...NOBODY, host: 'a.example' },
  data: { reason: 'it answers again', sources: 36, since: 'then' },
}

test('an event that belongs to a user is seen whole by that user and by nobody else', () => {
  const ofAnn: StoredEvent = { ...closed, userId: 'ann' }
  assert.equal(seenBy(ofAnn, 'ann', false), ofAnn)
  assert.equal(seenBy(ofAnn, 'bob', true), null)
})

test('an event about a host is seen by users with a source there, without what it says of other users', () => {
  assert.equal(seenBy(closed, 'ann', false), null)
  assert.deepEqual(seenBy(closed, 'ann', true), { ...closed, data: { reason: 'it answers again', since: 'then' } })
})

test('an event about the system is seen by everybody, with the fields that its type shows', () => {
  assert.deepEqual(seenBy(outage, 'ann', false), { ...outage, data: { since: 'then' } })
})

test('of a type that only a newer version knows, users see no data', () => {
  const newer = { ...outage, type: 'outage.explained' } as unknown as StoredEvent
  assert.deepEqual(seenBy(newer, 'ann', false)?.data, {})
})

// For the compiler: `npm run types` fails if an event may have the data or the subject of another type.
const ofSource = { at: 0, userId: 'ann', podcastId: 'p', sourceId: 's', host: null }
void [
  // @ts-expect-error: `from` belongs to source.moved, and `count` is missing.
  { ...ofSource, type: 'posts.created', data: { url: 'https://a.example/', from: 'b' } } satisfies NewEvent,
  // @ts-expect-error: an outage belongs to nobody.
  { ...ofSource, type: 'outage.ended', data: { since: 'then' } } satisfies NewEvent,
]
