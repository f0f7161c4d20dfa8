import assert from 'node:assert/strict'
import { test } from 'node:test'
import { didYouMean, matchOf, matchOrFail } from './match-id.ts'

const KIND = { one: 'podcast', many: 'podcasts', listedBy: 'tidings podcast list' }
const all = [
  { id: 'default', name: 'Default' },
  { id: '01a1e59c-7498', name: 'Evening' },
  { id: '01a1e59c-98e4', name: 'Morning' },
  { id: '02b2', name: 'Morning' },
]

test('an id, a name or the unique beginning of an id finds it', () => {
  for (const typed of ['01a1e59c-7498', 'Evening', '01a1e59c-74', '01A1E59C-74']) {
    assert.equal(matchOf(KIND, all, typed)?.name, 'Evening', typed)
  }
  assert.equal(matchOf(KIND, all, '02b'), undefined)
  assert.equal(matchOf(KIND, all, '02b2')?.id, '02b2')
})

test('several that fit are named, and one that is near is suggested', () => {
  assert.throws(() => matchOf(KIND, all, '01a1e59c'), /2 podcasts have an id that begins with 01a1e59c; .*7498, .*98e4/)
  assert.throws(() => matchOf(KIND, all, 'Morning'), /2 podcasts are called Morning/)
  assert.throws(() => matchOrFail(KIND, all, 'evning'), /There is no podcast evning\. Did you mean Evening\?/)
  assert.throws(() => matchOrFail(KIND, all, 'Unrelated'), /There is no podcast Unrelated\. "tidings podcast list"/)
})

test('what has the fewest typing errors is suggested, and nothing if all is far', () => {
  const known = ['https://example.org/feed.xml', 'https://example.org/news.xml']
  assert.equal(didYouMean('https://exmaple.org/feed.xml', known), ' Did you mean https://example.org/feed.xml?')
  assert.equal(didYouMean('https://example.org/newss.xml', known), ' Did you mean https://example.org/news.xml?')
  assert.equal(didYouMean('https://other.example/rss', known), '')
})
