import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readPage } from '../read-page.ts'

const BODY = '<body><h1>The heading</h1><p>Enough words to be a page of its own.</p></body>'
const read = (head: string, body = BODY) =>
  readPage(new TextEncoder().encode(`<html lang="en"><head>${head}</head>${body}</html>`), {
    url: 'https://example.org/a/b',
  })
const ld = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`

describe('the title', () => {
  it("is the document's title with white space collapsed and entities decoded", () => {
    assert.equal(read('<title>\n  Bread &amp; butter &#8211;\n The Site </title>').title, 'Bread & butter – The Site')
  })

  it('falls back to og:title, then to the first heading', () => {
    assert.equal(read('<title> </title><meta property="og:title" content="From og">').title, 'From og')
    assert.equal(read('').title, 'The heading')
  })

  it('is not the title of an SVG drawing', () => {
    assert.equal(
      read('', '<body><svg><title>Logo</title></svg><h1>Real</h1><p>Some words here.</p></body>').title,
      'Real',
    )
  })
})

describe('the author', () => {
  const author = (head: string, body?: string) => read(head, body).author
  const meta = (content: string) => `<meta name="author" content="${content}">`

  it('is meta author, then article:author', () => {
    assert.equal(author(`<meta property="article:author" content="B">${meta(' A\n Writer ')}`), 'A Writer')
    assert.equal(author(`${meta(' ')}<meta property="article:author" content="Bea">`), 'Bea')
  })

  it('is the first value of each kind that is a name, even after blanks and addresses', () => {
    const article = (content: string) => `<meta property="article:author" content="${content}">`
    for (const no of [' ', 'https://example.org/bob', '\u00a0']) {
      assert.equal(author(meta(no) + meta('Bob') + meta('Cid') + article('Dee')), 'Bob', no)
      assert.equal(author(meta(no) + article(no) + article('Bob Doe')), 'Bob Doe', no)
      const linked = ld({ '@type': 'Article', author: [no, { name: no }, { name: 'Eve' }] })
      assert.equal(author(meta(no) + article(no) + linked), 'Eve', no)
    }
  })

  it('is never an address, with a scheme or without', () => {
    const addresses = ['https://example.org/a', '//example.org/a', 'www.example.org', '/authors/a']
    const bare = ['facebook.com/janeroe', 'm.example.org/authors/jane', 'Example.org:8080/a', 'bücher.example/a']
    for (const url of [...addresses, ...bare]) {
      assert.equal(author(`${meta(url)}<meta property="article:author" content="${url}">`), null, url)
    }
    for (const name of ['J.Doe/AFP', 'AC/DC', 'Golem.de', 'Dr. Jane Roe', 'a.b/c d'])
      assert.equal(author(meta(name)), name)
  })

  it('is taken from JSON-LD, itemprop and rel=author, in this order', () => {
    const linked = ld({
      '@graph': [
        { '@type': 'WebSite', name: 'x' },
        { '@type': ['NewsArticle'], author: [{ name: '' }, { '@type': 'Person', name: 'Cara' }] },
      ],
    })
    const body =
      '<body><a rel="author" href="/d">Dan</a><span itemprop="author"><b>Eve</b> Ng</span><p>Some words here.</p></body>'
    assert.equal(author(linked, body), 'Cara')
    assert.equal(author('', body), 'Eve Ng')
    assert.equal(author('', body.replace('itemprop', 'data-x')), 'Dan')
  })

  it('is the name marked inside itemprop=author, not the other text and not the name of an employer', () => {
    const marked = (inner: string) =>
      author('', `<body><div itemprop="author" itemscope>${inner}</div><p>Some words here.</p></body>`)
    assert.equal(marked('Written by <b><span itemprop="name">Ite <i>M</i></span></b>, staff reporter'), 'Ite M')
    assert.equal(marked('<meta itemprop="name" content="Meta Name">'), 'Meta Name')
    const employer = '<p itemprop="worksFor" itemscope>of <span itemprop="name">The Works</span></p>'
    assert.equal(marked(`${employer}<a><span itemprop="url name">Ann</span></a><span itemprop="name">B</span>`), 'Ann')
    assert.equal(marked('<span itemprop="name"> </span><span itemprop="name">Ann</span>'), 'Ann')
    assert.equal(marked('Ann <b>Lee</b>'), 'Ann Lee')
  })

  it('is found when JSON-LD refers to a node elsewhere in the same or another script', () => {
    const person = { '@type': 'Person', '@id': 'https://example.org/#/person/1', name: 'Hana' }
    const reference = { '@id': person['@id'] }
    const article = (facts: object) => ({ '@type': 'Article', '@id': 'https://example.org/a/b#article', ...facts })
    assert.equal(author(ld({ '@graph': [article({ author: reference }), { '@type': 'WebSite' }, person] })), 'Hana')
    assert.equal(author(ld(person) + ld(article({ author: reference }))), 'Hana')
    assert.equal(author(ld(article({ creator: [{ '@id': '#nobody' }, reference] })) + ld([[person]])), 'Hana')
    assert.equal(
      author(ld([article({ author: reference }), { '@type': 'Thing', founder: { member: person } }])),
      'Hana',
    )
    assert.equal(author(ld([article({ author: { ...reference, name: 'Own' } }), person])), 'Own')
  })

  it('is null when references in JSON-LD lead to nothing, to themselves or in a circle', () => {
    const article = { '@type': 'Article', '@id': '#a', author: { '@id': '#b' }, creator: { '@id': '#a' } }
    assert.equal(author(ld(article)), null)
    assert.equal(author(ld([article, { '@id': '#b', author: { '@id': '#a' }, name: { '@id': '#b' } }])), null)
  })

  it('is not guessed from a byline', () => {
    assert.equal(author('', '<body><p class="byline">By Fay Grey</p><p>Some words here.</p></body>'), null)
  })

  it('survives broken JSON-LD', () => {
    assert.equal(author(`<script type="application/ld+json">{"@type":"Article",</script>${meta('A')}`), 'A')
    assert.equal(author(ld({ '@type': 'Article', author: { name: ['Ann'] } })), 'Ann')
    assert.equal(
      author('<script type="application/ld+json">{"@type":"Article","headline":"a\nb","author":"Gil"}</script>'),
      'Gil',
    )
  })
})

describe('the stated date', () => {
  const date = (head: string, body?: string) => {
    const { publishedAt } = read(head, body)
    return publishedAt === null ? null : new Date(publishedAt).toISOString()
  }

  it('is article:published_time, then JSON-LD, then itemprop, then the first time element', () => {
    const published = '<meta property="article:published_time" content="2024-03-05T20:15:00+01:00">'
    const linked = ld({ '@type': 'BlogPosting', datePublished: '2024-03-04' })
    const body =
      '<body><time datetime="2024-03-02T08:00Z">x</time><meta itemprop="datePublished" content="2024-03-03"><p>Some words.</p></body>'
    assert.equal(date(published + linked, body), '2024-03-05T19:15:00.000Z')
    assert.equal(date(linked, body), '2024-03-04T00:00:00.000Z')
    assert.equal(date('', body), '2024-03-03T00:00:00.000Z')
    assert.equal(date('', body.replace('itemprop', 'data-x')), '2024-03-02T08:00:00.000Z')
  })

  const time = (day: string) => `<time datetime="2024-03-${day}">x</time>`
  const words = '<p>Some words here.</p>'

  it('is the date in the article, even if another date comes before it', () => {
    const article = `<article><h1>T</h1>${time('03')}${words}</article>`
    const main = `<main><h1>T</h1><header>${time('03')}</header>${words}</main>`
    const div = `<div class="post"><header class="entry-header"><h1>T</h1>${time('03')}</header>${words}</div>`
    for (const own of [article, main, div, `<article>${words}<footer>${time('03')}</footer></article>`]) {
      for (const before of [
        `<header>${time('17')}</header>`,
        `<nav>${time('17')}</nav>`,
        `<aside>${time('17')}</aside>`,
      ])
        assert.equal(date('', `<body>${before}${own}</body>`), '2024-03-03T00:00:00.000Z', before + own)
    }
    assert.equal(date('', `<body><div>${time('17')}</div>${article}</body>`), '2024-03-03T00:00:00.000Z')
    const teaser = `<article><h2>Other</h2>${time('17')}</article>`
    assert.equal(date('', `<body>${teaser}${article}</body>`), '2024-03-03T00:00:00.000Z')
  })

  it('is null when only the surroundings of the article have dates', () => {
    const article = `<article><h1>T</h1>${words}</article>`
    const old = time('01')
    const around = [`<aside>${old}</aside>`, `<nav>${old}</nav>`, `<footer>${old}</footer>`, `<header>${old}</header>`]
    const named = [
      `<div class="col sidebar">${old}</div>`,
      `<section id="comments">${old}</section>`,
      `<div role="complementary">${old}</div>`,
      `<article><h2>Other</h2>${old}</article>`,
    ]
    for (const other of [...around, ...named])
      for (const body of [article + other, other + article]) assert.equal(date('', `<body>${body}</body>`), null, body)
    const comment = `<article>${words}${old}<meta itemprop="datePublished" content="2024-03-01"></article>`
    assert.equal(date('', `<body><article><h1>T</h1>${words}${comment}</article></body>`), null)
  })

  it('is also read when the month is a word and the year is complete', () => {
    const published = (written: string) => date(ld({ '@type': 'NewsArticle', datePublished: written }))
    for (const written of ['February 3, 2026', '3 February 2026', 'Feb 3rd, 2026', '3. Februar 2026', '2026年2月3日'])
      assert.equal(published(written), '2026-02-03T00:00:00.000Z', written)
    assert.equal(published('Feb 3, 2026 4:05 PM GMT'), '2026-02-03T16:05:00.000Z')
    for (const bad of ['3 days ago', 'February 30, 2026', 'in 2026', 'February', '3 Feb 26', 'x'.repeat(200)])
      assert.equal(published(bad), null, bad)
  })

  it('never depends on the local zone, and is null if it is not a valid date', () => {
    const published = (content: string) => date(`<meta property="article:published_time" content="${content}">`)
    assert.equal(published('2024-03-05 20:15:30.25'), '2024-03-05T20:15:30.250Z')
    assert.equal(published('2024-03-05T20:15:00-0530'), '2024-03-06T01:45:00.000Z')
    assert.equal(published('Tue, 05 Mar 2024 20:15:00 GMT'), '2024-03-05T20:15:00.000Z')
    for (const bad of ['yesterday', '2024-02-31', '2024-13-01', '03/04/05', '0000-00-00', ''])
      assert.equal(published(bad), null, bad)
  })
})

it('canonical address and language are what the page states', () => {
  const page = read('<link rel="canonical" href="/c?x=1">')
  assert.equal(page.canonicalUrl, 'https://example.org/c?x=1')
  assert.equal(page.language, 'en')
  assert.equal(read('<link rel="canonical" href="javascript:x">').canonicalUrl, null)
})
