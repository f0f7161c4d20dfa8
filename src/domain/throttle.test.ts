import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryHint } from './throttle.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const hint = (headers: Record<string, string>, status = 429) => retryHint({ now: NOW, status, headers })

test('Retry-After is read as seconds and as a date of any form', () => {
  assert.equal(hint({ 'retry-after': '120' }), NOW + 120_000)
  assert.equal(hint({ 'retry-after': 'Sun, 15 Nov 2026 12:02:00 GMT' }, 503), NOW + 120_000)
  assert.equal(hint({ 'retry-after': 'Sunday, 15-Nov-26 12:02:00 GMT' }), NOW + 120_000)
  assert.equal(hint({ 'retry-after': 'Sun Nov 15 12:02:00 2026' }), NOW + 120_000)
  assert.equal(hint({ 'retry-after': '0.5' }), NOW + 500)
})

test('a far Retry-After is neither shortened nor overflows', () => {
  assert.equal(hint({ 'retry-after': '31536000' }), NOW + 31_536_000_000)
  assert.equal(hint({ 'retry-after': '9'.repeat(400) }), 8.64e15)
  assert.equal(hint({ 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }), 253402300799000)
})

test('only 429 and 503 throttle', () => {
  for (const status of [200, 304, 301, 403, 500, 502]) assert.equal(hint({ 'retry-after': '120' }, status), null)
})

test('a hint that is not in the future is no hint', () => {
  for (const value of ['0', '-5', 'Sun, 15 Nov 2026 12:00:00 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT', 'later', ''])
    assert.equal(hint({ 'retry-after': value }), null, value)
  assert.equal(hint({}), null)
})

test('a reset is a delay, epoch seconds or epoch milliseconds by its size', () => {
  for (const name of ['ratelimit-reset', 'x-ratelimit-reset', 'x-rate-limit-reset']) {
    assert.equal(hint({ [name]: '90' }), NOW + 90_000, name)
    assert.equal(hint({ [name]: String(NOW / 1000 + 90) }), NOW + 90_000, name)
    assert.equal(hint({ [name]: String(NOW + 90_000) }), NOW + 90_000, name)
    assert.equal(hint({ [name]: String(NOW / 1000 - 90) }), null, name)
  }
  assert.equal(hint({ 'x-ratelimit-reset-after': '1.25' }), NOW + 1250)
})

test('both forms of the RateLimit header are read', () => {
  assert.equal(hint({ ratelimit: 'limit=100, remaining=0, reset=50' }), NOW + 50_000)
  assert.equal(hint({ ratelimit: '"default";r=0;t=30' }), NOW + 30_000)
  assert.equal(hint({ ratelimit: '"minute";r=0;t=30, "day";r=0;t=400, "month";r=7;t=9999' }), NOW + 400_000)
  assert.equal(hint({ ratelimit: '"default";r=5' }), null)
  assert.equal(hint({ ratelimit: 'what?' }), null)
})

test('Retry-After outweighs the rest, and nonsense in it lets the rest speak', () => {
  assert.equal(hint({ 'retry-after': '10', 'x-ratelimit-reset': '90' }), NOW + 10_000)
  assert.equal(hint({ 'retry-after': 'soon', 'x-ratelimit-reset': '90' }), NOW + 90_000)
})

test('a 503 with requests left is not throttling by quota, but its Retry-After counts', () => {
  const headers = { 'x-ratelimit-remaining': '12', 'x-ratelimit-reset': '3000' }
  assert.equal(hint(headers, 503), null)
  assert.equal(hint({ ...headers, 'retry-after': '5' }, 503), NOW + 5_000)
  assert.equal(hint({ ...headers, 'x-ratelimit-remaining': '0' }, 503), NOW + 3_000_000)
})
