import assert from 'node:assert/strict'
import { it } from 'node:test'
import { guessFeedPaths } from './guess-feed-paths.ts'

const at = (origin: string, paths: readonly string[]) => paths.map((path) => `${origin}/${path}`)

it('a front page is guessed at by the seven commonest names at the root, the commonest first', () => {
  const names = ['feed', 'rss.xml', 'atom.xml', 'index.xml', 'feed.xml', 'rss', 'feed.json']
  for (const page of ['https://example.org', 'https://example.org/?x=1', 'https://example.org/page.html']) {
    assert.deepEqual(guessFeedPaths(page), at('https://example.org', names))
  }
})

it('a page in a section is guessed at in its section first, then at the root, six times in all', () => {
  const paths = ['blog/feed', 'blog/index.xml', 'feed', 'rss.xml', 'atom.xml', 'index.xml']
  for (const page of ['/blog', '/blog/', '/blog/a-post?x=1#y']) {
    assert.deepEqual(guessFeedPaths(`http://example.org:8080${page}`), at('http://example.org:8080', paths))
  }
})

it('a section with an address too long for a source leaves the root to be guessed at', () => {
  const guesses = guessFeedPaths(`https://example.org/${'x'.repeat(1990)}/`)
  assert.deepEqual(guesses, at('https://example.org', ['feed', 'rss.xml', 'atom.xml', 'index.xml']))
})

it('there are no guesses for what is not a web address', () => {
  assert.deepEqual(guessFeedPaths('mailto:x@example.org'), [])
  assert.deepEqual(guessFeedPaths('nonsense'), [])
})
