import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { quotaWord } from './quota.ts'

const NOW = 1_800_000_000_000
const word = (headers: Record<string, string>) => {
  const said = quotaWord(headers, NOW)
  if (said === null) return null
  return said.kind === 'leave-alone' ? ['leave-alone', said.until - NOW] : ['slow-down', said.delayMs]
}

describe('a quota that is spent closes the lane until it is filled again', () => {
  const forms: [string, Record<string, string>][] = [
    ['as a structured field', { ratelimit: '"minute";r=0;t=30' }],
    ['of several policies', { ratelimit: '"hour";r=99;t=3000, "minute";r=0;t=30' }],
    ['in the combined form', { ratelimit: 'limit=100, remaining=0, reset=30' }],
    ['in three headers', { 'ratelimit-limit': '100', 'ratelimit-remaining': '0', 'ratelimit-reset': '30' }],
    ['in the older names, as a time to wait', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' }],
    ['as an instant', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 30) }],
    ['with fractions, as Reddit writes it', { 'x-ratelimit-remaining': '0.0', 'x-ratelimit-reset': '30' }],
    ['with the time to wait in a header of its own', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '30' }],
  ]
  for (const [form, headers] of forms) {
    test(form, () => assert.deepEqual(word(headers), ['leave-alone', 30_000]))
  }

  test('the longest wait counts of several that are spent', () => {
    assert.deepEqual(word({ ratelimit: '"a";r=0;t=30, "b";r=0;t=90' }), ['leave-alone', 90_000])
  })
})

describe('a quota that is left', () => {
  test('is spread over the time that it has to last', () => {
    assert.deepEqual(word({ ratelimit: '"minute";r=3;t=60' }), ['slow-down', 20_000])
    assert.deepEqual(word({ 'x-ratelimit-remaining': '98.0', 'x-ratelimit-reset': '490' }), ['slow-down', 5000])
  })

  test('counts by the policy that allows the least', () => {
    assert.deepEqual(word({ ratelimit: '"a";r=10;t=10, "b";r=2;t=60, "c";r=9;t=9' }), ['slow-down', 30_000])
  })

  test('closes the lane where a request is allowed once in hours', () => {
    assert.deepEqual(word({ ratelimit: '"day";r=2;t=86400' }), ['leave-alone', 43_200_000])
  })
})

test('a quota without a time, with a time that is over, or with nonsense says nothing', () => {
  for (const headers of [
    {},
    { ratelimit: '"minute";r=0' },
    { ratelimit: '"minute";q=100;w=60' },
    { 'x-ratelimit-remaining': '0' },
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0' },
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 - 5) },
    { 'x-ratelimit-remaining': 'none', 'x-ratelimit-reset': '60' },
    { 'x-ratelimit-reset': '60' },
    { ratelimit: ';;;=,,' },
    { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': '60' },
  ] as Record<string, string>[]) {
    assert.equal(quotaWord(headers, NOW), null, JSON.stringify(headers))
  }
})
