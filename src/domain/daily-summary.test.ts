import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSummaryDue, summarise } from './daily-summary.ts'
import type { EventType, StoredEvent } from './event.ts'

const FROM = Date.parse('2026-02-16T00:00:10Z')
const UNTIL = Date.parse('2026-02-17T00:00:10Z')
const TOTALS = { sources: 9, enabled: 8, failing: 1, disabled: 1, quiet: 1, polls: 400, failures: 7, posts: 12 }

let ids = 0
function about(type: EventType, on: Partial<StoredEvent> = {}, data: object = {}): StoredEvent {
  const nobody = { userId: null, podcastId: null, sourceId: null, host: null }
  return { id: String(++ids), type, at: FROM, ...nobody, ...on, data } as StoredEvent
}
const source = (type: EventType, sourceId: string, data: object = {}) =>
  about(type, { sourceId, userId: 'ann' }, { url: `https://a.example/${sourceId}`, ...data })
const summary = (...events: StoredEvent[]) => summarise(events, { from: FROM, until: UNTIL }, TOTALS)

test('a summary is due with the first tick of a new day', () => {
  assert.equal(isSummaryDue('2026-02-16', Date.parse('2026-02-16T23:59:59Z')), false)
  assert.equal(isSummaryDue('2026-02-16', Date.parse('2026-02-17T00:00:00Z')), true)
  assert.equal(isSummaryDue('2026-02-16T00:00:07.000Z', Date.parse('2026-02-16T23:59:59Z')), false)
  assert.equal(isSummaryDue('2026-02-16T23:59:59.000Z', Date.parse('2026-02-17T00:00:00Z')), true)
  // The clock was set back.
  assert.equal(isSummaryDue('2026-02-16', Date.parse('2026-02-15T12:00:00Z')), false)
})

test('a day without news has totals and empty lists', () => {
  const empty = { disabled: [], opened: [], quiet: [], gapped: [], recovered: [], more: 0 }
  const span = { from: '2026-02-16T00:00:10.000Z', until: '2026-02-17T00:00:10.000Z' }
  assert.deepEqual(summary(), { ...span, totals: TOTALS, ...empty })
})

test('what goes on is listed by its kind, and what has ended as recovered', () => {
  const day = summary(
    source('source.disabled', 's1', { reason: 'Auto-disabled after 5 consecutive 404 errors' }),
    source('source.disabled', 's2', { reason: 'by a person' }),
    source('source.quiet', 's3'),
    source('source.quiet', 's4'),
    source('source.active', 's4'),
    about('host.opened', { host: 'b.example' }, { reason: 'answered 403' }),
    about('host.opened', { host: 'c.example' }, { reason: 'answered 403' }),
    about('host.closed', { host: 'c.example' }, { reason: 'it answers again' }),
    about('outage.started'),
    about('outage.ended'),
  )
  const reason = 'Auto-disabled after 5 consecutive 404 errors'
  assert.deepEqual(day.disabled, [{ sourceId: 's1', url: 'https://a.example/s1', reason }])
  assert.deepEqual(day.quiet, [{ sourceId: 's3', url: 'https://a.example/s3', reason: null }])
  assert.deepEqual(day.opened, [{ host: 'b.example', reason: 'answered 403' }])
  assert.deepEqual(day.recovered, [
    { was: 'quiet', sourceId: 's4', what: 'https://a.example/s4' },
    { was: 'opened', sourceId: null, what: 'c.example' },
    { was: 'outage', sourceId: null, what: null },
  ])
})

test('what a person ended is neither going on nor recovered by itself', () => {
  const disabled = (id: string) => source('source.disabled', id, { reason: 'Auto-disabled' })
  const day = summary(
    ...['s1', 's2', 's3', 's4'].map(disabled),
    source('source.enabled', 's1', { reason: 'by a person' }),
    source('source.enabled', 's2', { reason: 'a new key was stored' }),
    source('source.enabled', 's3', { reason: 'it works again' }),
    source('source.enabled', 's5', { reason: 'by a person' }),
    about('host.opened', { host: 'b.example' }, { reason: 'answered 403' }),
    about('host.closed', { host: 'b.example' }, { reason: 'reset by hand' }),
  )
  assert.deepEqual(
    [day.disabled.map(({ sourceId }) => sourceId), day.opened, day.recovered.map(({ sourceId }) => sourceId)],
    [['s4'], [], ['s3']],
  )
})

test('gaps of one source are one incident, with the interval that the last one asks for', () => {
  const gap = (intervalMinutes: number) => source('source.gap', 's1', { intervalMinutes })
  const entry = { sourceId: 's1', url: 'https://a.example/s1', reason: null, intervalMinutes: 20, times: 2 }
  assert.deepEqual(summary(gap(30), gap(20)).gapped, [entry])
})

test('a very bad day is cut, and says by how much', () => {
  const many = Array.from({ length: 60 }, (_, n) => source('source.disabled', `s${n}`, { reason: 'gone' }))
  const day = summary(...many)
  assert.deepEqual([day.disabled.length, day.more], [50, 10])
})
