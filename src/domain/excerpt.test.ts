import assert from 'node:assert/strict'
import { test } from 'node:test'
import { excerptOf } from './excerpt.ts'
import { parseSearch } from './search-query.ts'

test('an excerpt shows the first hit with what is around it, on one line', () => {
  const text = `${'Some words before it. '.repeat(50)}Then the\nBig   Earthquake came. ${'And words after it. '.repeat(50)}`
  const excerpt = excerptOf(text, parseSearch('earthquake "then the"'))
  assert.match(excerpt, /^…\S.*Then the Big Earthquake came\..*…$/)
  assert.ok(excerpt.length <= 290)
})

test('without a hit, or with one at the start, the excerpt is the beginning', () => {
  assert.equal(excerptOf('Short text', parseSearch('absent')), 'Short text')
  assert.equal(excerptOf('Short text', parseSearch('short')), 'Short text')
  assert.equal(excerptOf('', parseSearch('short')), '')
  assert.match(excerptOf('今日は大きな地震がありました。'.repeat(100), parseSearch('地震')), /^今日は大きな地震/)
})

test('a character is never cut in half', () => {
  for (let length = 270; length < 290; length++) {
    assert.ok(excerptOf(`${'x'.repeat(length)}${'\u{1f680}'.repeat(100)}`, parseSearch('x')).isWellFormed())
  }
})
