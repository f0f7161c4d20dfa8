import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { findFeeds } from './find-feeds.ts'

const page = (head: string, body = '<p>Hello</p>') =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`
const link = (href: string, title = '', type = 'application/rss+xml') =>
  `<link rel="alternate" type="${type}" title="${title}" href="${href}">`
const urls = (html: string | Uint8Array, url = 'https://example.org/', linkHeader?: string) =>
  findFeeds(html, { url, linkHeader }).feeds.map((feed) => feed.url)

describe('feeds of a page', () => {
  it('are found in the head with absolute address, title and type', () => {
    const html = page(
      link('/feed.xml', ' All\n news &amp; more ') + link('atom', 'Atom', 'application/atom+xml; charset=utf-8'),
    )
    assert.deepEqual(findFeeds(html, { url: 'https://example.org/' }).feeds, [
      { url: 'https://example.org/feed.xml', title: 'All news & more', type: 'rss', from: 'head' },
      { url: 'https://example.org/atom', title: 'Atom', type: 'atom', from: 'head' },
    ])
  })

  it('include JSON Feed but neither the WordPress API nor oEmbed nor translations', () => {
    const html = page(
      link('/feed.json', 'J', 'application/feed+json') +
        link('/wp-json/wp/v2/pages/7', 'JSON', 'application/json') +
        link('/oembed?url=x', '', 'application/json+oembed') +
        '<link rel="alternate" hreflang="de" href="/de/">' +
        link('/feeds/all.json', '', 'application/json'),
    )
    assert.deepEqual(urls(html), ['https://example.org/feed.json', 'https://example.org/feeds/all.json'])
  })

  it('include JSON whose name does not tell, after all others and hiding none, but not what is surely something else', () => {
    const json = (href: string) => link(href, '', 'application/json')
    const others = json('/wp-json/wp/v2/posts/1.json') + json('/index.php?rest_route=/x.json') + json('/manifest.json')
    const html = page(json('/posts.json') + others + link('/rss.xml') + json('/index.json') + json('/data'))
    assert.deepEqual(
      urls(html),
      ['rss.xml', 'posts.json', 'index.json'].map((name) => `https://example.org/${name}`),
    )
    const anchor = '<a href="/blog/feed.xml">Feed</a>'
    assert.deepEqual(
      urls(page(json('/index.json'), anchor)),
      ['index.json', 'blog/feed.xml'].map((name) => `https://example.org/${name}`),
    )
  })

  it('are resolved against <base href>', () => {
    assert.deepEqual(urls(page(`<base href="https://cdn.example.org/site/">${link('feed.xml')}`)), [
      'https://cdn.example.org/site/feed.xml',
    ])
  })

  it('are resolved against the first <base href>, wherever it stands', () => {
    const bases = '<base href="https://cdn.example.org/site/"><base href="https://other.example.org/">'
    assert.deepEqual(urls(page(`${link('feed.xml')}${bases}`)), ['https://cdn.example.org/site/feed.xml'])
  })

  it('may be XML of no kind, if the title or the address speaks of feeds', () => {
    const xml = (href: string, title: string) => link(href, title, 'text/xml')
    const html = page(
      xml('/rssfeed.aspx', '') + xml('/export/7', 'News (RSS)') + xml('/sitemap.xml', '') + xml('/x', ''),
    )
    assert.deepEqual(urls(html), ['https://example.org/rssfeed.aspx', 'https://example.org/export/7'])
  })

  it('are not the page itself, which a link without an address leads to', () => {
    assert.deepEqual(urls(page(link(''))), [])
  })

  it('are known among the links of the text by their type, their host, and the schemes of podcast programs', () => {
    const links = [
      '<a type="application/rss+xml" href="/subscribe">Feed</a>',
      '<a href="https://rss.example.net/show">RSS</a>',
      '<a href="podcast://example.org/a.rss">A</a><a href="itpc://example.org/b.rss">B</a><a href="pcast:https://example.org/c.rss">C</a>',
    ]
    const found = [
      'http://example.org/a.rss',
      'http://example.org/b.rss',
      'https://example.org/c.rss',
      'https://example.org/subscribe',
    ]
    assert.deepEqual(urls(page('', links.join(''))).toSorted(), [...found, 'https://rss.example.net/show'].toSorted())
  })

  it('of a section come before those of the site, also as Reddit names them', () => {
    const html = page(link('https://www.example.org/.rss') + link('https://example.org/r/food/.rss'))
    assert.equal(urls(html, 'https://example.org/r/food/')[0], 'https://example.org/r/food/.rss')
  })

  it('come from the Link header too, once each', () => {
    const header = '</feed.xml>; rel="alternate"; type="application/rss+xml"; title="News", </style.css>; rel=preload'
    const { feeds } = findFeeds(page(link('/feed.xml')), { url: 'https://example.org/', linkHeader: header })
    assert.deepEqual(feeds, [{ url: 'https://example.org/feed.xml', title: 'News', type: 'rss', from: 'link-header' }])
  })

  it('are found in the body of a sloppy page', () => {
    const { feeds } = findFeeds(page('', `<div>${link('/rss')}</div>`), { url: 'https://example.org/' })
    assert.deepEqual(
      feeds.map((feed) => [feed.url, feed.from]),
      [['https://example.org/rss', 'body']],
    )
  })

  it('are taken from ordinary links only when nothing is announced', () => {
    const anchor = '<a href="/blog/rss.xml">Our <b>RSS</b></a><a href="/about">About feeds</a>'
    assert.deepEqual(findFeeds(page('', anchor), { url: 'https://example.org/' }).feeds, [
      { url: 'https://example.org/blog/rss.xml', title: 'Our RSS', type: 'rss', from: 'anchor' },
    ])
    assert.deepEqual(urls(page(link('/feed'), anchor)), ['https://example.org/feed'])
  })

  it('are none on a page without any, and no http address means no feed', () => {
    assert.deepEqual(urls(page('<title>x</title>', '<a href="/about">About</a>')), [])
    assert.deepEqual(urls(page(link('javascript:alert(1)') + link('data:text/xml,x'))), [])
    assert.deepEqual(urls(page(link('feed://example.org/x.rss'))), ['http://example.org/x.rss'])
  })

  it('lose the credentials that the page wrote into its links, wherever it wrote them', () => {
    const header = '<http://x:sekret@example.org/a>; rel="alternate"; type="application/rss+xml"'
    const html = page(link('http://x:sekret@example.org/a') + link('feed://sekret@example.org/b'))
    assert.deepEqual(urls(html, 'http://example.org/', header), ['http://example.org/a', 'http://example.org/b'])
    assert.deepEqual(urls(page('', '<a href="//:sekret@example.org/rss.xml">RSS</a>')), ['https://example.org/rss.xml'])
    assert.deepEqual(urls(page(`<base href="http://x:sekret@example.org/">${link('feed')}`)), [
      'http://example.org/feed',
    ])
    assert.deepEqual(urls(page(link('feed')), 'http://x:sekret@example.org/'), ['http://example.org/feed'])
  })

  it('are left out when their address is longer than a source’s may be', () => {
    const longest = `https://example.org/${'x'.repeat(1976)}/rss`
    assert.equal(longest.length, 2000)
    const header = `<${longest}y>; rel="alternate"; type="application/rss+xml"`
    assert.deepEqual(urls(page(link(`${longest}x`) + link(longest)), undefined, header), [longest])
    assert.deepEqual(urls(page('', `<a href="${longest}/">1</a><a href="${longest}">2</a>`)), [longest])
  })

  it('are found in bytes of a declared charset', () => {
    const html = page(`<meta charset="windows-1252">${link('/feed', 'Caf\xe9')}`)
    const bytes = Uint8Array.from(html, (char) => char.charCodeAt(0))
    assert.equal(findFeeds(bytes, { url: 'https://example.org/' }).feeds[0]?.title, 'Café')
  })
})

describe('the first feed is the one that covers the page', () => {
  it('entries come before comments, in any of several languages', () => {
    const html = page(
      link('/comments/feed/', 'Example » Kommentar-Feed') +
        link('/a/feed/', 'x » Comments Feed') +
        link('/feed/', 'Example » Feed'),
    )
    assert.equal(urls(html, 'https://example.org/a/')[0], 'https://example.org/feed/')
  })

  it('the section of the page comes before the site, the site before other sections', () => {
    const html = page(link('/sport/rss.xml') + link('/rss.xml') + link('/feed/culture.xml'))
    assert.deepEqual(urls(html, 'https://example.org/culture/2024/opera'), [
      'https://example.org/feed/culture.xml',
      'https://example.org/rss.xml',
      'https://example.org/sport/rss.xml',
    ])
    assert.equal(urls(html, 'https://example.org/')[0], 'https://example.org/rss.xml')
  })
})

describe('looking for feeds', () => {
  it('stops at the body when the head has spoken', () => {
    const html = page(link('/feed'), link('/late') + '<p>x</p>'.repeat(10_000))
    assert.deepEqual(urls(html), ['https://example.org/feed'])
  })

  it('never throws, whatever the page, and only ever finds http addresses', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '<link rel=alternate type=application/rss+xml href=',
        '<a href="',
        '">',
        '<base href=',
        '<',
        '\u0000',
        '<body>',
        '//[',
        '%',
        'feed',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.string(), (pieces, header) => {
        for (const feed of findFeeds(pieces.join(''), { url: 'https://example.org/a', linkHeader: header }).feeds) {
          assert.match(feed.url, /^https?:/)
        }
      }),
      { numRuns: 300 },
    )
  })
})
