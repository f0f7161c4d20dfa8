import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relevanceOf } from './relevance.ts'
import { parseSearch } from './search-query.ts'

function order(q: string, posts: Record<string, { title: string; body: string }>): string[] {
  const query = parseSearch(q)
  return Object.entries(posts)
    .toSorted(([, a], [, b]) => relevanceOf(b, query) - relevanceOf(a, query))
    .map(([name]) => name)
}

test('a hit in the title counts most, then many hits, then hits in a short text', () => {
  const filler = 'other words '.repeat(100)
  assert.deepEqual(
    order('storm', {
      mentioned: { title: 'News', body: `${filler} storm` },
      often: { title: 'News', body: `storm storm storm ${filler}` },
      short: { title: 'News', body: 'A storm is near' },
      titled: { title: 'Storm warning', body: filler },
    }),
    ['titled', 'short', 'often', 'mentioned'],
  )
})

test('phrases and scripts without spaces count where they occur as they stand', () => {
  const posts = { apart: { title: '', body: 'big and bad news' }, together: { title: '', body: 'very big news' } }
  assert.deepEqual(order('"big news"', posts), ['together', 'apart'])
  const japanese = { no: { title: '地下の震え', body: '' }, yes: { title: '大地震', body: '' } }
  assert.deepEqual(order('地震', japanese), ['yes', 'no'])
  assert.equal(relevanceOf({ title: '', body: '' }, parseSearch('x')), 0)
})
