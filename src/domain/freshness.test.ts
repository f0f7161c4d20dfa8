import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshUntil, parseCacheControl, type StatedByFeed } from './freshness.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** A Sunday, 05:30 GMT. */
const NOW = Date.UTC(2026, 10, 15, 5, 30)
const SILENT: StatedByFeed = { ttlMinutes: null, updatePeriodMs: null, skipHours: [], skipDays: [] }

function ask(
  headers: Record<string, string>,
  feed: Partial<StatedByFeed> | null = null,
  plannedAt = NOW + 30 * MINUTE,
) {
  return freshUntil({ now: NOW, headers, feed: feed && { ...SILENT, ...feed }, plannedAt })
}

test('nothing stated is nothing', () => {
  assert.equal(ask({}), null)
  assert.equal(ask({ 'cache-control': 'public' }, {}), null)
  assert.equal(ask({ 'cache-control': 'max-age=0' }), null)
  assert.equal(ask({ 'cache-control': 's-maxage=3600' }), null)
})

test('max-age counts less the Age that a cache reports', () => {
  assert.deepEqual(ask({ 'cache-control': 'public, max-age=3600' }), { until: NOW + HOUR, from: 'cache-control' })
  assert.deepEqual(ask({ 'cache-control': 'max-age=3600', age: '600' }), {
    until: NOW + 50 * MINUTE,
    from: 'cache-control',
  })
  assert.equal(ask({ 'cache-control': 'max-age=3600', age: '3600' }), null)
  assert.deepEqual(ask({ 'cache-control': 'max-age=3600', age: 'old' }), { until: NOW + HOUR, from: 'cache-control' })
})

test('no-cache and no-store state nothing, whatever stands beside them', () => {
  const expires = new Date(NOW + HOUR).toUTCString()
  assert.equal(ask({ 'cache-control': 'no-cache, max-age=3600', expires }), null)
  assert.equal(ask({ 'cache-control': 'no-store', expires }), null)
  assert.equal(ask({ 'cache-control': 'No-Cache="Set-Cookie", max-age=9' }), null)
})

test('Expires counts only when max-age says nothing', () => {
  const expires = new Date(NOW + 2 * HOUR).toUTCString()
  assert.deepEqual(ask({ expires }), { until: NOW + 2 * HOUR, from: 'expires' })
  assert.deepEqual(ask({ expires, 'cache-control': 'private' }), { until: NOW + 2 * HOUR, from: 'expires' })
  assert.equal(ask({ expires, 'cache-control': 'max-age=60' })?.until, NOW + MINUTE)
  assert.equal(ask({ expires, 'cache-control': 'max-age=0' }), null)
  for (const past of ['0', '-1', 'Thu, 01 Jan 1970 00:00:00 GMT', 'soon']) assert.equal(ask({ expires: past }), null)
})

test('the latest of what headers and feed state counts', () => {
  const headers = { 'cache-control': 'max-age=3600' }
  assert.deepEqual(ask(headers, { ttlMinutes: 120 }), { until: NOW + 2 * HOUR, from: 'ttl' })
  assert.deepEqual(ask(headers, { ttlMinutes: 30 }), { until: NOW + HOUR, from: 'cache-control' })
  assert.deepEqual(ask(headers, { updatePeriodMs: 24 * HOUR, ttlMinutes: 60 }), {
    until: NOW + 24 * HOUR,
    from: 'update-period',
  })
  assert.equal(ask({}, { ttlMinutes: 0, updatePeriodMs: -5 }), null)
  assert.equal(ask({}, { ttlMinutes: Number.NaN }), null)
})

test('skipped hours move the planned instant to the end of their run, in GMT', () => {
  assert.deepEqual(ask({}, { skipHours: [6, 7, 9] }), { until: Date.UTC(2026, 10, 15, 8), from: 'skip-hours' })
  assert.equal(ask({}, { skipHours: [5, 7] }), null)
  assert.deepEqual(ask({ 'cache-control': 'max-age=3600' }, { skipHours: [6] }), {
    until: Date.UTC(2026, 10, 15, 7),
    from: 'skip-hours',
  })
})

test('a run of skipped hours goes on into skipped days', () => {
  const late = Date.UTC(2026, 10, 15, 23, 10)
  assert.deepEqual(ask({}, { skipHours: [22, 23, 0], skipDays: [1] }, late), {
    until: Date.UTC(2026, 10, 17, 1),
    from: 'skip-hours',
  })
  assert.deepEqual(ask({}, { skipDays: [0] }), { until: Date.UTC(2026, 10, 16), from: 'skip-days' })
})

test('skipping every hour or every day states nothing', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => hour)
  assert.equal(ask({}, { skipHours: hours }), null)
  assert.equal(ask({}, { skipHours: [...hours.slice(1), 24] }), null)
  assert.equal(ask({}, { skipDays: [0, 1, 2, 3, 4, 5, 6] }), null)
})

test('huge and broken Cache-Control values neither overflow nor throw', () => {
  assert.equal(parseCacheControl('max-age=99999999999999999999999999').maxAgeSeconds, 2 ** 31)
  assert.equal(parseCacheControl('max-age="600"').maxAgeSeconds, 600)
  assert.equal(parseCacheControl('max-age = 600').maxAgeSeconds, 600)
  assert.equal(parseCacheControl('max-age=60, max-age=30').maxAgeSeconds, 30)
  assert.equal(parseCacheControl('private="a, no-cache, b", max-age=5').noCache, false)
  for (const value of [
    undefined,
    '',
    ',,,',
    'max-age',
    'max-age=',
    'max-age=-1',
    'max-age=1e9',
    '="',
    `${'"'.repeat(5000)}`,
  ])
    assert.equal(parseCacheControl(value).maxAgeSeconds, null, value)
})
