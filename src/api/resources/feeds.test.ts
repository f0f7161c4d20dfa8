import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Parser } from 'htmlparser2'
import { startApi, type TestApi } from '../../../test/support/api.ts'
import { candidate, putPosts } from '../../../test/support/posts.ts'
import { readFeed } from '../../sources/feed/read-feed.ts'

const PODCAST = '/api/users/default/podcasts/default'
const FORMATS = [
  ['feed.xml', 'application/rss+xml; charset=utf-8'],
  ['feed.atom', 'application/atom+xml; charset=utf-8'],
  ['feed.json', 'application/feed+json; charset=utf-8'],
] as const

/** What comes in from outside, at its worst. */
const NASTY = [
  candidate('Plain', { body: 'Just words', author: 'Ann', categories: ['News', 'A & B'] }),
  candidate('1 < 2 & <b>bold</b> "quoted" \'so\'', {
    body: 'Use <br> & &amp; in HTML; ]]> ends CDATA',
    author: 'A&B <c>',
  }),
  candidate('No date', { body: 'Undated', publishedAt: null, url: 'https://posts.example/?a=1&b="2"' }),
  candidate('Zażółć 日本語 🎉', { body: 'Grüße 🎉', guid: null }),
  candidate('Bad \u0001 characters', { body: 'null \u0000 bell \u0007 lone \ud800 end \uffff' }),
]

/** Titles of RSS do not say what they are: what has tags of HTML, closed ones, is read as HTML. */
const TAKEN_FOR_HTML = new Map([[NASTY[1]?.title, '1 < 2 & bold "quoted" \'so\'']])

/** What a strict XML parser hands on of this text. */
function asXml(text: string): string {
  let read = ''
  const parser = new Parser({ ontext: (part) => (read += part) }, { xmlMode: true, decodeEntities: true })
  parser.end(text)
  return read
}

describe('feeds of a podcast', () => {
  let api: TestApi
  before(async () => {
    api = await startApi()
    const { id } = await api.catalogue.sources.create('default', { type: 'rss', url: 'https://example.org/feed' })
    await api.catalogue.podcasts.update('default', { name: 'Ann & <Bob>' })
    for (const post of NASTY) {
      await putPosts(api.store, id, [post], api.clock.now())
      await api.clock.advance(1000)
    }
  })
  after(() => api.close())

  for (const [name, type] of FORMATS) {
    const ask = (headers: Record<string, string> = {}) => api.ask('GET', `${PODCAST}/${name}`, { headers })

    it(`${name} can be read back without loss, newest first`, async () => {
      const told = await ask()
      assert.equal(told.status, 200)
      assert.equal(told.headers['content-type'], type)
      const url = `${api.url}${PODCAST}/${name}`
      const feed = readFeed(Buffer.from(told.text), { contentType: type, url })
      assert.equal(feed.title, 'Ann & <Bob>')
      const expected = (await api.catalogue.posts.list('default')).items
      assert.equal(feed.entries.length, NASTY.length)
      for (const [index, entry] of feed.entries.entries()) {
        const post = expected[index] ?? assert.fail()
        const printable = (text: string) => text.replace(/[\u0000-\u001f\ud800-\udfff\ufffe\uffff]/g, '\ufffd').trim()
        assert.equal(entry.url, new URL(post.url).href)
        // Atom wants an author for every entry: the feed's, which is the podcast, where the entry has none.
        assert.equal(entry.author, post.author ?? (name === 'feed.atom' ? feed.title : null))
        assert.equal(entry.guid, `urn:tidings:post:${post.sourceId}:${post.contentHash}`)
        assert.equal(entry.publishedAt, Date.parse(post.publishedAt ?? post.createdAt))
        assert.deepEqual(entry.categories, post.categories)
        // The party popper is two surrogates that belong together.
        const same = (a: string, b: string) => assert.equal(a.replaceAll('🎉', '!'), printable(b.replaceAll('🎉', '!')))
        if (name === 'feed.json' && /Bad/.test(post.title)) continue
        same(entry.title, name === 'feed.xml' ? (TAKEN_FOR_HTML.get(post.title) ?? post.title) : post.title)
        same(entry.body, post.body)
      }
    })

    it(`${name} answers 304 to its ETag, every time`, async () => {
      const first = await ask()
      const etag = String(first.headers.etag)
      for (const given of [etag, `"other", W/${etag}`, '*']) {
        const again = await ask({ 'if-none-match': given })
        assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag])
      }
      assert.equal((await ask({ 'if-none-match': '"other"' })).status, 200)
      assert.equal((await ask()).headers.etag, etag)
    })

    it(`${name} has no Last-Modified, and ignores If-Modified-Since`, async () => {
      const { headers } = await ask()
      assert.equal(headers['last-modified'], undefined)
      const now = new Date(api.clock.now()).toUTCString()
      assert.equal((await ask({ 'if-modified-since': now })).status, 200)
    })
  }

  it('every change of a feed changes its ETag: posts of the same second, names, removals, extended articles', async () => {
    await using other = await startApi()
    const { store, catalogue, clock } = other
    const url = 'https://example.org/feed'
    const { id } = await catalogue.sources.create('default', { type: 'rss', url, aggregate: true })
    const pages = FORMATS.flatMap(([name]) => [`${name}`, `${name}?of=articles`])
    const reply = candidate('R to @a: C', { publishedAt: clock.now() + 1 })
    const changes = [
      () => putPosts(store, id, [candidate('A', { publishedAt: clock.now() })], clock.now()),
      () => putPosts(store, id, [reply], clock.now()),
      () => catalogue.podcasts.update('default', { name: 'Renamed' }),
      () => catalogue.sources.remove(id),
    ]
    for (const change of changes) {
      const tags = await Promise.all(
        pages.map(async (page) => (await other.ask('GET', `${PODCAST}/${page}`)).headers.etag),
      )
      await change()
      await catalogue.articles.aggregate('default')
      for (const [index, page] of pages.entries()) {
        const headers = {
          'if-none-match': String(tags[index]),
          'if-modified-since': new Date(clock.now()).toUTCString(),
        }
        for (const asked of [headers, { 'if-modified-since': headers['if-modified-since'] }]) {
          assert.equal((await other.ask('GET', `${PODCAST}/${page}`, { headers: asked })).status, 200)
        }
      }
    }
  })

  it('titles in feed.xml are plain text, encoded once', async () => {
    const titles = [
      ['Q&A', 'Q&A'],
      ['a < b', 'a < b'],
      ['AT&T; <3', 'AT&T; <3'],
      ['List<String> wins', 'List<String> wins'],
      ['<b>x</b>', 'x'],
      ['&amp;', '&'],
    ] as const
    await using other = await startApi()
    const { id } = await other.catalogue.sources.create('default', { type: 'rss', url: 'https://example.org/feed' })
    const posts = titles.map(([title], index) => candidate(title, { body: `${index}` })).toReversed()
    await putPosts(other.store, id, posts, other.clock.now())
    const { text } = await other.ask('GET', `${PODCAST}/feed.xml`)
    assert.match(text, /<title>Q&#x26;A<\/title>/)
    const shown = [...text.matchAll(/<item><title>(.*?)<\/title>/g)].map(([, title]) => asXml(title ?? ''))
    assert.deepEqual(
      shown,
      titles.map(([title]) => title),
    )
    const read = readFeed(Buffer.from(text), { contentType: 'application/rss+xml', url: other.url })
    assert.deepEqual(
      read.entries.map(({ title }) => title),
      titles.map(([, words]) => words),
    )
  })

  it('XML is well-formed: every element is closed in order', async () => {
    for (const name of ['feed.xml', 'feed.atom']) {
      const { text } = await api.ask('GET', `${PODCAST}/${name}`)
      const open: string[] = []
      const parser = new Parser(
        {
          onopentagname: (tag) => open.push(tag),
          onclosetag: (tag, implied) => assert.deepEqual([open.pop(), implied && !text.includes('/>')], [tag, false]),
        },
        { xmlMode: true },
      )
      parser.end(text)
      assert.deepEqual(open, [])
      assert.doesNotMatch(text, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)
      assert.doesNotMatch(text, /&(?!amp;|lt;|gt;|quot;|#39;|#13;|#x26;|#x3C;|#x3E;)/)
    }
  })

  it('feeds have their own URL, with the public address if there is one', async () => {
    const { body } = await api.ask('GET', `${PODCAST}/feed.json`)
    assert.equal(body.feed_url, `${api.url}${PODCAST}/feed.json`)
    await using published = await startApi({ config: { server: { publicUrl: 'https://tidings.example/' } } })
    const { token } = await published.catalogue.tokens.create('default', { name: 't' })
    const told = await published.ask('GET', `${PODCAST}/feed.atom`, { token })
    assert.match(
      told.text,
      /<link rel="self" [^>]*href="https:\/\/tidings\.example\/api\/users\/default\/podcasts\/default\/feed\.atom"\/>/,
    )
    assert.equal((await published.ask('GET', `${PODCAST}/feed.atom`)).status, 401)
  })

  it('an empty podcast is an empty feed, and articles can be a feed too', async () => {
    await using empty = await startApi()
    for (const [name, type] of FORMATS) {
      const { text } = await empty.ask('GET', `${PODCAST}/${name}`)
      assert.deepEqual(readFeed(Buffer.from(text), { contentType: type, url: empty.url }).entries, [])
    }
    await api.catalogue.articles.aggregate('default')
    const { body } = await api.ask('GET', `${PODCAST}/feed.json?of=articles`)
    assert.equal(body.items.length, NASTY.length)
    assert.match(body.items[0].id, /^urn:tidings:article:default:\d+$/)
    assert.equal((await api.ask('GET', `${PODCAST}/feed.json?of=news`)).status, 400)
  })
})
