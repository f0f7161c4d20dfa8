import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { classOf, type Failure, type FailureCode, failureName, NOTHING_SKIPPED, SKIP_RULES } from './outcome.ts'

const status = (httpStatus: number): Failure => ({ code: 'http-status', httpStatus, reason: `HTTP ${httpStatus}` })
const failed = (code: FailureCode): Failure => ({ code, httpStatus: null, reason: code })

for (const code of [401, 403, 404, 410]) {
  test(`HTTP ${code} is classified as permanent`, () => {
    assert.equal(classOf(status(code)), 'permanent')
    assert.equal(failureName(status(code)), String(code))
  })
}

for (const code of [400, 402, 405, 406, 408, 418, 421, 422, 425, 429, 451, 500, 502, 503, 504, 521, 599]) {
  test(`HTTP ${code} is classified as transient`, () => {
    assert.equal(classOf(status(code)), 'transient')
  })
}

test('a host name that does not exist is classified as permanent and named DNS', () => {
  assert.equal(classOf(failed('dns-not-found')), 'permanent')
  assert.equal(failureName(failed('dns-not-found')), 'DNS')
})

test('a resolver that failed is transient: it says nothing about the name', () => {
  assert.equal(classOf(failed('dns-failed')), 'transient')
})

test('a missing key and an unknown user are permanent and named', () => {
  assert.equal(classOf(failed('missing-key')), 'permanent')
  assert.equal(failureName(failed('missing-key')), 'missing-key')
  assert.equal(classOf(failed('unknown-user')), 'permanent')
})

const TRANSIENT = [
  'connect-timeout',
  'connect-reset',
  'headers-timeout',
  'body-timeout',
  'visit-timeout',
  'connection-refused',
  'connection-reset',
  'unreachable',
  'tls',
  'not-a-feed',
  'body-empty',
  'body-too-large',
  'too-deep',
  'redirect-loop',
  'too-many-redirects',
  'refused-address',
  'no-text',
  'bad-url',
  'unexpected',
] as const satisfies readonly FailureCode[]

for (const code of TRANSIENT) {
  test(`${code} is classified as transient`, () => {
    assert.equal(classOf(failed(code)), 'transient')
  })
}

test('of all HTTP statuses only 401, 403, 404 and 410 are permanent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 999 }), (code) => {
      assert.equal(classOf(status(code)) === 'permanent', [401, 403, 404, 410].includes(code))
    }),
  )
})

test('every rule that drops a candidate has its count', () => {
  assert.deepEqual(Object.keys(NOTHING_SKIPPED), [...SKIP_RULES])
})
