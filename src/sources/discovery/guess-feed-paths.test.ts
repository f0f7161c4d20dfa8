import assert from 'node:assert/strict'
import { it } from 'node:test'
import { guessFeedPaths } from './guess-feed-paths.ts'

it('the commonest names at the root come first for a front page', () => {
  const guesses = guessFeedPaths('https://example.org')
  assert.deepEqual(guesses.slice(0, 3), [
    'https://example.org/feed',
    'https://example.org/rss.xml',
    'https://example.org/feed.xml',
  ])
})

it('a page in a section is guessed in its section first, then at the root', () => {
  for (const page of [
    'https://example.org/blog',
    'https://example.org/blog/',
    'https://example.org/blog/a-post?x=1#y',
  ]) {
    const guesses = guessFeedPaths(page)
    assert.equal(guesses[0], 'https://example.org/blog/feed')
    assert.ok(guesses.includes('https://example.org/feed'))
  }
  assert.equal(guessFeedPaths('https://example.org/page.html')[0], 'https://example.org/feed')
})

it('there are never more than eight guesses, none twice, and none for what is not a web address', () => {
  for (const page of ['https://example.org/', 'http://example.org:8080/a/b/c']) {
    const guesses = guessFeedPaths(page)
    assert.ok(guesses.length <= 8)
    assert.equal(new Set(guesses).size, guesses.length)
    assert.ok(guesses.every((guess) => guess.startsWith(new URL(page).origin)))
  }
  assert.deepEqual(guessFeedPaths('mailto:x@example.org'), [])
  assert.deepEqual(guessFeedPaths('nonsense'), [])
})
