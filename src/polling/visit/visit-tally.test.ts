import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FailureCode } from '../../domain/outcome.ts'
import type { FetchResult, Hop } from '../../ports/fetcher.ts'
import { counted, wasSent } from './visit-tally.ts'

const validators = { etag: '"1"', lastModified: null, from: 'https://a.example/feed/' }
const times = { startedAt: 1, completedAt: 2 }
const hop = (from: string, to: string): Hop => ({ from, to, status: 302 })

function tallied(url: string, trail: readonly Hop[], kind: 'not-modified' | 'elsewhere', hopsBefore = 0) {
  const answered = { status: 304, headers: {}, wireBytes: 0, trail, validators, location: 'https://b.example/' }
  const result: FetchResult = { ...answered, kind, url: trail.at(-1)?.to ?? url }
  const { requests, conditional } = counted(null, { request: { validators }, url, result, hopsBefore, ...times })
  return { requests, conditional }
}

test('a request counts as conditional where the validators went: to the address they are from, not on the way', () => {
  const [feed, home] = ['https://a.example/feed/#top', 'https://a.example/feed']
  assert.deepEqual(tallied(feed, [], 'not-modified'), { requests: 1, conditional: 1 })
  const within = [hop(home, 'https://a.example/feed/')]
  assert.deepEqual(tallied(home, within, 'not-modified'), { requests: 2, conditional: 1 })
  const away = [hop('https://c.example/', 'https://a.example/feed/')]
  assert.deepEqual(tallied('https://c.example/', away, 'elsewhere'), { requests: 1, conditional: 0 })
  assert.deepEqual(tallied('https://a.example/feed/', away, 'not-modified', 1), { requests: 1, conditional: 1 })
})

test('a request that was given up, or broke the fetcher, was made all the same', () => {
  const request = { validators: { ...validators, from: 'https://a.example/feed' } }
  const common = { request, url: 'https://a.example/feed', hopsBefore: 0, ...times }
  const lost = counted(null, { ...common, result: null })
  assert.deepEqual([lost.requests, lost.conditional, lost.failures], [1, 1, 1])
  const given = counted(lost, { ...common, result: { kind: 'aborted' } })
  assert.deepEqual([given.requests, given.conditional, given.failures], [2, 2, 1])
})

test('only what our own guard refused before any answer was not sent', () => {
  const url = 'https://a.example/feed'
  const failed = (code: FailureCode, trail: readonly Hop[] = []): FetchResult => ({
    ...{ kind: 'failed', failure: { code, httpStatus: null, reason: '' }, url, trail, wireBytes: 0 },
  })
  const sent = (result: FetchResult | null, hopsBefore = 0) => wasSent({ result, hopsBefore })
  assert.equal(sent(failed('refused-address')), false)
  const led = [hop('https://b.example/', url)]
  assert.equal(sent(failed('refused-address', led), 1), false)
  assert.equal(sent(failed('refused-address', led)), true)
  for (const code of ['connection-refused', 'connect-timeout', 'dns-failed'] as const) {
    assert.equal(sent(failed(code)), true, code)
  }
  assert.equal(sent({ kind: 'aborted' }), true)
  assert.equal(sent(null), true)
})
