import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withCredentials } from '../../domain/address.ts'
import { BUILT_IN_TYPES } from '../../domain/built-in-types.ts'
import { Problem } from '../../domain/problem.ts'
import type { SourceType } from '../../domain/source.ts'
import { readSourceUrl as readTyped, whereaboutsOf } from './source-url.ts'

const readSourceUrl = (type: SourceType, given: string) => readTyped(BUILT_IN_TYPES, type, given)

function refusal(type: SourceType, given: string): Problem {
  try {
    readSourceUrl(type, given)
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error
  }
  assert.fail(`${given} was taken`)
}

describe('addresses', () => {
  it('a plain URL is kept letter by letter and compared after parsing', () => {
    const read = readSourceUrl('rss', 'https://Example.org:443/Feed#top')
    assert.deepEqual(read, {
      url: 'https://Example.org:443/Feed#top',
      urlKey: 'https://example.org/Feed',
      credentials: null,
    })
  })

  it('credentials are split off, decoded, and are in neither form of the URL', () => {
    const read = readSourceUrl('rss', 'https://me%40work:p%3Ass@example.org/feed')
    assert.deepEqual(read, {
      url: 'https://example.org/feed',
      urlKey: 'https://example.org/feed',
      credentials: 'me@work:p:ss',
    })
    assert.equal(withCredentials(new URL(read.url), 'me:p:ss').href, 'https://me:p%3Ass@example.org/feed')
  })

  it('hosts are lower case, punycode and without port', () => {
    const host = (url: string) => whereaboutsOf(BUILT_IN_TYPES, { type: 'rss', url, feedUrl: null }, 'u').host
    assert.equal(host('https://BÜCHER.example:8443/x'), 'xn--bcher-kva.example')
    assert.equal(host('http://[::1]:80/'), '[::1]')
  })

  it('a lane is the host of what is asked; for X it is the owner', () => {
    const feedUrl = 'https://www.youtube.com/feeds/videos.xml?channel_id=1'
    const youtube = whereaboutsOf(BUILT_IN_TYPES, { type: 'youtube', url: 'https://youtu.be/x', feedUrl }, 'u')
    assert.deepEqual(youtube, { host: 'www.youtube.com', lane: 'www.youtube.com' })
    const x = whereaboutsOf(BUILT_IN_TYPES, { type: 'twitter', url: 'https://x.com/a', feedUrl: null }, 'u')
    assert.deepEqual(x, { host: 'x.com', lane: 'x:u' })
  })

  for (const given of [
    'ftp://example.org/feed',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://',
    'nonsense',
    'http://exa mple.org',
  ]) {
    it(`${JSON.stringify(given)} is refused, naming the field`, () => {
      const problem = refusal('rss', given)
      assert.equal(problem.code, 'invalid-input')
      assert.equal(problem.errors[0]?.path, 'url')
      assert.match(problem.message, /expected an http or https URL with a host/)
    })
  }

  it('an address without its scheme is refused with what was probably meant', () => {
    assert.match(refusal('rss', 'example.org/feed').message, /did you mean https:\/\/example\.org\/feed\?/)
  })

  it('the schemes of feed readers are refused with the address behind them', () => {
    const meant = [
      ['feed://example.org/feed', 'https://example.org/feed'],
      ['feed:https://example.org/feed', 'https://example.org/feed'],
      ['feed:http://example.org/feed', 'http://example.org/feed'],
      ['PCAST://example.org:8080/feed', 'https://example.org:8080/feed'],
    ] as const
    for (const [given, guess] of meant) {
      assert.ok(refusal('rss', given).message.endsWith(`; did you mean ${guess}?`), refusal('rss', given).message)
    }
    for (const given of ['feed:', 'feed://', 'feeder://example.org/']) {
      assert.doesNotMatch(refusal('rss', given).message, /did you mean/)
    }
  })

  it('a refusal never shows credentials', () => {
    for (const given of [
      'feed://me:hush@example.org/',
      'feed:https://me:hush@example.org/',
      'ftp://me:hush@example.org',
      'me:hush@example.org/feed',
      'https://me:hush@',
    ]) {
      assert.doesNotMatch(refusal('rss', given).message, /hush/)
    }
  })

  it('what a parser would drop silently is not kept in the shown URL', () => {
    assert.equal(readSourceUrl('rss', 'https://exam\tple.org/\nfeed').url, 'https://example.org/feed')
    assert.equal(readSourceUrl('rss', 'https:\\\\example.org\\feed').url, 'https://example.org/feed')
    assert.equal(readSourceUrl('rss', 'https://example.org/@name').url, 'https://example.org/@name')
  })
})

describe('X accounts', () => {
  for (const given of [
    'https://x.com/SomeOne',
    'http://twitter.com/SomeOne/',
    'https://www.twitter.com/SomeOne?s=20',
    'https://mobile.twitter.com/SomeOne',
    'x.com/SomeOne',
    '@SomeOne',
    'SomeOne',
  ]) {
    it(`${given} is https://x.com/SomeOne, compared without regard to case`, () => {
      const { url, urlKey } = readSourceUrl('twitter', given)
      assert.equal(url, 'https://x.com/SomeOne')
      assert.equal(urlKey, 'https://x.com/someone')
    })
  }

  for (const given of [
    'https://x.com/home',
    'https://x.com/search?q=a',
    'https://x.com/a/status/1',
    'https://x.com/',
    'https://example.org/name',
    'sixteenletters_1',
    'with-dash',
    '@',
  ]) {
    it(`${given} is no account`, () => {
      assert.match(refusal('twitter', given).message, /expected an X account/)
    })
  }

  it('an address tells by itself that it is an X account', () => {
    const told = (given: string) => BUILT_IN_TYPES.toldByAddress(given)?.name ?? null
    assert.equal(told('@name'), 'twitter')
    assert.equal(told('https://twitter.com/name'), 'twitter')
    assert.equal(told('https://notx.com/name'), null)
    assert.equal(told('name'), null)
  })
})
