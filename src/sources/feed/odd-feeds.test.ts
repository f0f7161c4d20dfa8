import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { item, read, rss } from '../../../test/support/read-text.ts'
import { FeedError } from './feed-error.ts'

test('the authors of a feed are those of its entries that name none', () => {
  const atom = (entry: string) =>
    read(
      `<feed xmlns="http://www.w3.org/2005/Atom"><author><name>Feed</name></author><entry><title>x</title>${entry}</entry></feed>`,
    ).entries[0]?.author
  assert.equal(atom(''), 'Feed')
  assert.equal(atom('<author><name> </name></author>'), 'Feed')
  assert.equal(atom('<source><author><name>Origin</name></author></source>'), 'Origin')
  assert.equal(atom('<author><email>own@site.example</email></author>'), 'Feed')
  const json = (item: object) =>
    read(
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        authors: [{ name: 'Feed' }],
        items: [{ id: '1', ...item }],
      }),
    ).entries[0]?.author
  assert.equal(json({}), 'Feed')
  assert.equal(json({ authors: [{ url: '/' }, { name: 'Own' }] }), 'Own')
})

test('a CDATA section that was escaped or put into another is no part of the text', () => {
  assert.equal(item('<title>&lt;![CDATA[Fish &amp;amp; chips]]&gt;</title>').title, 'Fish & chips')
  assert.equal(item('<title><![CDATA[<![CDATA[Fish & chips]]>]]></title>').title, 'Fish & chips')
  assert.equal(item('<description>&lt;![CDATA[&lt;p&gt;Fish&lt;/p&gt;]]&gt;</description>').body, 'Fish')
  assert.equal(item('<title>How to write &lt;![CDATA[</title>').title, 'How to write <![CDATA[')
})

test('in RSS no summary or abstract replaces the description, wherever it stands', () => {
  const body = (...inside: string[]) => item(inside.join('')).body
  const description = '<description>Long</description>'
  for (const name of ['summary', 'atom:summary', 'abstract']) {
    const other = `<${name}>Short</${name}>`
    assert.equal(body(description, other), 'Long')
    assert.equal(body(other, description), 'Long')
    assert.equal(body(other, '<description/>'), 'Short')
    assert.equal(body(`<${name}>Teaser</${name}>`, other), 'Short')
  }
  assert.equal(body('<abstract>A</abstract>', '<summary>S</summary>', '<media:description>M</media:description>'), 'S')
  assert.equal(body('<description>Teaser</description>', description), 'Long')
})

test('in RSS a link that is written as text goes before attributes that do not say what they link to', () => {
  const plain = '<atom:link href="https://site.example/feed"/>'
  const own = '<link>https://site.example/own</link>'
  for (const inside of [plain + own, own + plain, '<link href="/feed">https://site.example/own</link>']) {
    const feed = read(`<rss><channel>${inside}<item>${inside}</item></channel></rss>`)
    assert.equal(feed.siteUrl, 'https://site.example/own')
    assert.equal(feed.entries[0]?.url, 'https://site.example/own')
  }
  const alone = read(`<rss><channel>${plain}<item>${plain}</item></channel></rss>`)
  assert.equal(alone.siteUrl, 'https://site.example/feed')
  assert.equal(alone.entries[0]?.url, 'https://site.example/feed')
  const deeper = `<x:object xmlns:x="https://activity.example/"><link>https://site.example/inner</link></x:object>`
  assert.equal(item(deeper + plain).url, 'https://site.example/feed')
})

test('an angle bracket before a digit begins no element', () => {
  const entry = item('<title>I <3 you, 2<3</title><link>https://site.example/1</link>')
  assert.partialDeepStrictEqual(entry, { title: 'I <3 you, 2<3', url: 'https://site.example/1' })
})

test('what Atom 0.3 says is escaped, without saying what it is, is HTML if it looks like it', () => {
  const entry = (inside: string) =>
    read(`<feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry>${inside}</entry></feed>`).entries[0]
  assert.equal(entry('<title mode="escaped">A &lt;b&gt;bold&lt;/b&gt; one</title>')?.title, 'A bold one')
  assert.equal(entry('<title mode="escaped">2 &lt; 3</title>')?.title, '2 < 3')
  assert.equal(entry('<title>A &lt;b&gt;bold&lt;/b&gt; one</title>')?.title, 'A <b>bold</b> one')
})

test('the terms of Dublin Core count like its elements', () => {
  const entry = item(`<dcterms:title>T</dcterms:title><dcterms:abstract>A</dcterms:abstract>
    <dcterms:subject>S</dcterms:subject><dcterms:identifier>i</dcterms:identifier><dcterms:date>2026-03-01</dcterms:date>`)
  const publishedAt = Date.UTC(2026, 2, 1)
  assert.partialDeepStrictEqual(entry, { title: 'T', body: 'A', categories: ['S'], guid: 'i', publishedAt })
})

test('markup of XHTML beside the elements of RSS is the content', () => {
  const entry = item(
    '<title>T</title><x:div xmlns:x="http://www.w3.org/1999/xhtml"><x:p>One</x:p><x:p>two</x:p></x:div><description>D</description>',
  )
  assert.equal(entry.body, 'One two')
})

test('the elements of XHTML may have a prefix', () => {
  const feed = read(`<feed xmlns="http://www.w3.org/2005/Atom" xmlns:h="http://www.w3.org/1999/xhtml"><entry>
    <content type="xhtml"><h:div><h:p>One</h:p><h:p>two</h:p><h:script>no</h:script></h:div></content></entry></feed>`)
  assert.equal(feed.entries[0]?.body, 'One two')
})

test('a cut is noted wherever it falls', () => {
  const noted = ['1 titles were cut to 1000 characters']
  assert.deepEqual(rss(`<item><title>${'\u{1f600}'.repeat(501)}</title></item>`).truncated, noted)
  assert.deepEqual(rss(`<item><title>${'x'.repeat(1000)} y</title></item>`).truncated, noted)
  assert.deepEqual(rss(`<item><title>${'x'.repeat(1000)} \u{1f600}</title></item>`).truncated, noted)
  assert.deepEqual(rss(`<item><title>${'x'.repeat(1000)} </title></item>`).truncated, [])
})

test('the link from before clicks were counted is the better one', () => {
  const counted = '<link>https://count.example/1</link>'
  const link = (inside: string) => item(`${counted}${inside}`).url
  assert.equal(link('<feedburner:origLink>https://site.example/1</feedburner:origLink>'), 'https://site.example/1')
  assert.equal(link('<feedburner:origLink/>'), 'https://count.example/1')
  assert.equal(link('<atom:link rel="original" href="/no"/>'), 'https://count.example/1')
})

test('characters of windows-1252 that were taken for Latin 1 are what was meant', () => {
  assert.partialDeepStrictEqual(item('<title>don\u0092t</title><description>\u0093Hi\u0094</description>'), {
    title: 'don\u2019t',
    body: '\u201cHi\u201d',
  })
  assert.equal(item('<title>\u65e5\u672c \u2013 \u00ab\u00a0x</title>').title, '\u65e5\u672c \u2013 \u00ab x')
})

test('names that were encoded twice are mended like texts', () => {
  const entry = item(
    '<title>Caf\u00c3\u00a9</title><author>Jos\u00c3\u00a9</author><category>Caf\u00c3\u00a9s</category>',
  )
  assert.partialDeepStrictEqual(entry, { title: 'Caf\u00e9', author: 'Jos\u00e9', categories: ['Caf\u00e9s'] })
})

test('what stands deeper in an entry or a feed gives way to what is its own', () => {
  const inner = `<x:object xmlns:x="https://activity.example/"><id>i</id><title>Inner</title><link href="/inner"/>
    <link href="/inner2"/><published>2025-01-01T00:00:00Z</published><content>Inner</content>
    <author><name>Inner</name></author></x:object>`
  const outer = `<id>o</id><title>Outer</title><link href="/outer"/><published>2026-01-01T00:00:00Z</published>
    <content>Outer</content><author><name>Outer</name></author>`
  const publishedAt = Date.UTC(2026, 0, 1)
  const own = {
    guid: 'o',
    title: 'Outer',
    url: 'https://feeds.example/outer',
    publishedAt,
    body: 'Outer',
    author: 'Outer',
  }
  for (const inside of [inner + outer, outer + inner]) {
    const feed = read(`<feed xmlns="http://www.w3.org/2005/Atom"><entry>${inside}</entry></feed>`)
    assert.partialDeepStrictEqual(feed.entries, [own])
    const top = read(`<feed xmlns="http://www.w3.org/2005/Atom">${inside}<entry><title>x</title></entry></feed>`)
    assert.partialDeepStrictEqual(top, { title: 'Outer', siteUrl: 'https://feeds.example/outer' })
  }
})

test('a picture without an address does not hide the next', () => {
  const feed = rss(
    '<itunes:image/><image><url> </url></image><image><url>/logo.png</url></image><icon/><icon>/i.png</icon>',
  )
  assert.partialDeepStrictEqual(feed, { image: 'https://feeds.example/logo.png', icon: 'https://feeds.example/i.png' })
})

test('a feed is known by its root, whatever namespace that is said to have', () => {
  const inside =
    '<title>F</title><entry><title>T</title><svg xmlns="http://www.w3.org/2000/svg"><title>no</title></svg></entry>'
  const feed = read(`<feed xmlns="https://made-up.example/">${inside}</feed>`)
  assert.partialDeepStrictEqual(feed, { title: 'F', entries: [{ title: 'T' }] })
  const channel = '<channel><item><title>T</title><description>D</description></item></channel>'
  assert.partialDeepStrictEqual(read(`<rss xmlns="https://made-up.example/">${channel}</rss>`).entries, [{ body: 'D' }])
  assert.throws(() => read('<list xmlns="https://made-up.example/"><title>x</title></list>'), FeedError)
})

test('a namespace with a slip in the end of its address is the one it was meant to be', () => {
  const feed = read(`<rss xmlns:d="http://purl.org/dc/elements/1.2/" xmlns:c="http://purl.org/rss/1.0/modules/content/#"
    xmlns:i="http://www.itunes.com/dtds/podcast.dtd"><channel><item><title>T</title><d:creator>J</d:creator>
    <c:encoded>C</c:encoded><i:keywords>k</i:keywords></item></channel></rss>`)
  assert.partialDeepStrictEqual(feed.entries, [{ author: 'J', body: 'C', categories: ['k'] }])
})

test('the language is what the feed calls it, else what XML does', () => {
  const language = (inside: string) => read(`<rss xml:lang="nl"><channel>${inside}</channel></rss>`).language
  assert.equal(language('<language>de</language>'), 'de')
  assert.equal(language('<title>x</title>'), 'nl')
})

test('JSON with backslashes that escape nothing is read', () => {
  const body = (written: string) => read(`{"items":[{"id":"1","content_text":"${written}"}]}`).entries[0]?.body
  assert.equal(
    body(String.raw`it\'s \alpha \x41 C:\dir \u00e9 \u12 \"q\" \\ \/ a\nb`),
    String.raw`it's \alpha \x41 C:\dir é \u12 "q" \ / a b`,
  )
})

test('ids of JSON Feed that are long numbers stay different', () => {
  const numbers = ['1234567890123456789', '1234567890123456790', '9007199254740993', '12']
  const items = numbers.map((id) => `{ "id" : ${id}, "title": "${id}", "content_text": "\\"id\\":${id}, x" }`)
  const { entries } = read(`{"items":[${items.join()},{"title":"y","id":12345678901234567890}]}`)
  assert.deepEqual(
    entries.map(({ guid }) => guid),
    [...numbers, '12345678901234567890'],
  )
  assert.equal(entries[0]?.body, '"id":1234567890123456789, x')
})

test('half a character in JSON is what a store makes of it, so that an id stays the same', () => {
  assert.equal(read(String.raw`{"items":[{"id":"a\ud83d","title":"x"}]}`).entries[0]?.guid, 'a\ufffd')
})

test('a date that was escaped once too often is read', () => {
  const date = (written: string) => item(`<title>t</title><pubDate>${written}</pubDate>`).publishedAt
  for (const written of ['1 Mar 2026 10:00 &amp;#43;0100', '<![CDATA[1&nbsp;Mar&nbsp;2026 10:00 &#43;0100]]>']) {
    assert.equal(date(written), Date.UTC(2026, 2, 1, 9))
  }
  assert.equal(date('31 &amp;amp; Feb 2026'), null)
})

test('a date of JSON Feed may be a number', () => {
  const feed = read(JSON.stringify({ items: [{ id: 1, title: 'x', date_published: 1772359200 }] }))
  assert.equal(feed.entries[0]?.publishedAt, 1772359200_000)
})

test('of alternative contents the one that says most is taken', () => {
  const body = (content: string) =>
    read(`<feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry><title>t</title><summary>s</summary>
      ${content}<id>i</id></entry></feed>`).entries[0]?.body
  const alternatives = (...parts: string[]) => `<content type="multipart/alternative">${parts.join('')}</content>`
  const plain = '<content type="text/plain">plain</content>'
  const html = '<content type="text/html" mode="escaped">&lt;p&gt;rich&lt;/p&gt;</content>'
  const xhtml = '<content type="application/xhtml+xml"><div xmlns="http://www.w3.org/1999/xhtml">rich</div></content>'
  for (const rich of [html, xhtml]) {
    assert.equal(body(alternatives(plain, rich)), 'rich')
    assert.equal(body(alternatives(rich, plain)), 'rich')
  }
  assert.equal(body(alternatives(plain)), 'plain')
  assert.equal(body(alternatives()), 's')
  assert.equal(body('<content type="multipart/alternative"/>'), 's')
  assert.equal(body(plain + html), 'plain')
  assert.equal(body(alternatives(plain, html).replace(/<.content>$/, '')), 'rich')
})

test('a section in a <div> is HTML like one without', () => {
  const body = (type: string, inside: string) =>
    read(`<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>t</title>
      <content type="${type}"><div xmlns="http://www.w3.org/1999/xhtml">${inside}</div ></content></entry></feed>`)
      .entries[0]?.body
  for (const type of ['html', 'xhtml']) {
    assert.equal(body(type, ' <![CDATA[<p>One</p><p>two &amp; three</p>]]>\n'), 'One two & three', type)
    assert.equal(body(type, '<b>A</b> <![CDATA[<p>]]>'), 'A <p>', type)
  }
  assert.equal(body('html', '&lt;p&gt;One&lt;/p&gt;'), 'One')
  assert.equal(body('xhtml', '<![CDATA[the <blink> tag]]>'), 'the <blink> tag')
  assert.equal(body('xhtml', '<![CDATA[&amp;]]>'), '&amp;')
})

test('a drawing is no text', () => {
  const drawing =
    '<content type="image/svg+xml"><svg xmlns="http://www.w3.org/2000/svg"><title>no</title></svg></content>'
  const feed = read(
    `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>t</title><summary>s</summary>${drawing}</entry></feed>`,
  )
  assert.partialDeepStrictEqual(feed.entries[0], { title: 't', body: 's' })
})

test('a byte order mark beside a name is no part of it', () => {
  assert.equal(item('<author>\ufeffJo Doe</author>').author, 'Jo Doe')
})

test('a link may be escaped once too often, or lack its scheme', () => {
  for (const written of ['<![CDATA[https://a.example/?b=1&amp;c=2]]>', 'https://a.example/?b=1&amp;#038;c=2']) {
    assert.equal(item(`<title>t</title><link>${written}</link>`).url, 'https://a.example/?b=1&c=2')
  }
  assert.equal(item('<title>t</title><link>www.a.example/1</link>').url, 'https://www.a.example/1')
  assert.equal(item('<title>t</title><link>www/1</link>').url, 'https://site.example/www/1')
})

test('the link of the feed counts for relative links wherever it stands', () => {
  const head = '<title>t</title><link>https://far.example/blog/</link>'
  const entries = `<item><guid>/1</guid></item><item><guid isPermaLink="false">2</guid><link>2.html</link></item>
    <item><link>https://a.example/3</link></item><item xml:base="https://b.example/x/"><link>4</link></item>`
  const before = read(`<rss><channel>${head}${entries}</channel></rss>`)
  assert.partialDeepStrictEqual(before.entries, [
    { guid: 'https://far.example/1', url: 'https://far.example/1' },
    { guid: '2', url: 'https://far.example/blog/2.html' },
    { url: 'https://a.example/3' },
    { url: 'https://b.example/x/4' },
  ])
  assert.deepEqual(read(`<rss><channel>${entries}${head}</channel></rss>`), before)
})

test('a character may be written as two references, one for each half of it', () => {
  const emoji = '\ud83d\ude00'
  for (const written of ['&#55357;&#56832;', '&#xD83D;&#xDE00;', '&#xd83d;&#56832;']) {
    const entry = item(`<title>a ${written}!</title><description><![CDATA[<p>b${written}c</p>]]></description>`)
    assert.partialDeepStrictEqual(entry, { title: `a ${emoji}!`, body: `b${emoji}c` })
  }
  for (const half of ['&#55357;', '&#56832;', '&#55357;x&#56832;', '&#55357;&#55357;']) {
    assert.match(item(`<title>a ${half}</title>`).title, /^a \ufffd(?:x?\ufffd)?$/)
  }
})

test('a link may be several things at once', () => {
  const feed = read(`<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title>
    <link rel="self alternate" href="https://a.example/"/><link rel="hub  next" href="https://b.example/"/></feed>`)
  assert.partialDeepStrictEqual(feed, { selfUrl: 'https://a.example/', siteUrl: 'https://a.example/' })
  assert.partialDeepStrictEqual(feed, { hubs: ['https://b.example/'], nextUrl: 'https://b.example/' })
})

test('pictures and podcasts are described in the words of several directories', () => {
  const feed =
    read(`<rss xmlns:g="http://www.google.com/schemas/play-podcasts/1.0" xmlns:w="http://webfeeds.org/rss/1.0">
    <channel><title>t</title><w:icon>/icon.svg</w:icon><g:image href="/image.png"/>
    <item><title>i</title><g:author>Jo</g:author><g:description>About</g:description></item></channel></rss>`)
  assert.match(String(feed.icon), /\/icon\.svg$/)
  assert.match(String(feed.image), /\/image\.png$/)
  assert.partialDeepStrictEqual(feed.entries[0], { author: 'Jo', body: 'About' })
})

test('JSON with commas too many, line breaks in texts or nothing behind its middle is read', () => {
  const start = '{"version":"https://jsonfeed.org/version/1.1","title":"T",'
  const titles = (document: string) => {
    const feed = read(document)
    return [feed.title, ...feed.entries.map(({ title }) => title)]
  }
  assert.deepEqual(titles(`${start}"items":[{"id":"1","title":"a,]",},\n{"title":"b"} , ],}`), ['T', 'a,]', 'b'])
  assert.deepEqual(titles(`${start}"items":[{"title":"a\nb","tags":["x",]},{"title":"c`), ['T', 'a b'])
  assert.deepEqual(titles(`${start}"items":[{"id":"1","title":"a`), ['T'])
  assert.deepEqual(titles(`${start}"items":[{"title":"a"}],"language":"e`), ['T', 'a'])
  assert.deepEqual(titles(`${start}"home_page_url":"https://a.exam`), ['T'])
  assert.equal(read(`${start}"items":[{"authors":{"name":"Jo"}}]}`).entries[0]?.author, 'Jo')
})

test('a title that was never closed ends where the link begins', () => {
  const entry = item('<title>Open<link>https://site.example/1</link><description>About <link> tags</description>')
  assert.partialDeepStrictEqual(entry, { title: 'Open', url: 'https://site.example/1', body: 'About tags' })
})

test('an <rss> at the top is one, whatever namespace it names by mistake', () => {
  for (const namespace of ['http://www.w3.org/1999/xhtml', 'http://www.itunes.com/dtds/podcast-1.0.dtd', 'urn:x']) {
    const feed = read(`<rss version="2.0" xmlns="${namespace}"><channel><title>F</title>
      <item><title>T</title><description>D</description></item></channel></rss>`)
    assert.equal(feed.title, 'F', namespace)
    assert.partialDeepStrictEqual(feed.entries[0], { title: 'T', body: 'D' })
  }
})

test('the whole text is found where Yandex wants it, the date where journals put it', () => {
  const body = (inside: string) => item(`<title>t</title><description>short</description>${inside}`).body
  const full = '<y:full-text xmlns:y="http://news.yandex.ru">All &lt;b&gt;of&lt;/b&gt; it</y:full-text>'
  assert.equal(body(full), 'All of it')
  assert.equal(body(`${full}<content:encoded>Content</content:encoded>`), 'Content')
  assert.equal(body('<turbo:content><![CDATA[<p>Page</p>]]></turbo:content>'), 'Page')
  const date = (inside: string) => item(`<title>t</title>${inside}`).publishedAt
  const prism = `<p:publicationDate xmlns:p="http://prismstandard.org/namespaces/basic/2.0/">2026-03-01</p:publicationDate>`
  assert.equal(date(prism), Date.UTC(2026, 2, 1))
  assert.equal(date(`${prism}<dc:date>2026-02-01</dc:date>`), Date.UTC(2026, 1, 1))
})

test('a section that nobody closed ends with its element, not with the next section', () => {
  const next =
    '<item><title><![CDATA[Next]]></title><link>https://site.example/2</link><description><![CDATA[Two]]></description></item>'
  for (const end of ['', ']>', ']]', ']] >', '\n']) {
    const open = (name: string, text: string) => `<${name}><![CDATA[${text}${end}</${name}>`
    for (const inside of [
      `${open('title', 'A & B')}<link>https://site.example/1</link><dc:creator><![CDATA[Jo]]></dc:creator><description><![CDATA[<p>D</p>]]></description>`,
      `<title>A &amp; B</title>${open('link', 'https://site.example/1')}<dc:creator>Jo</dc:creator><description>D</description>`,
      `${open('description', '<p>D</p>')}<title>A &amp; B</title><link>https://site.example/1</link><dc:creator><![CDATA[Jo]]></dc:creator>`,
      `${open('dc:creator', 'Jo')}<title><![CDATA[A & B]]></title><link>https://site.example/1</link><description>D</description>`,
    ]) {
      const feed = rss(`<item>${inside}</item>${next}`)
      const whole = { title: 'A & B', url: 'https://site.example/1', body: 'D', author: 'Jo' }
      assert.partialDeepStrictEqual(feed.entries, [whole, { title: 'Next', body: 'Two' }], inside)
    }
  }
})

test('where no section is closed any more, each ends with its element', () => {
  const broken = (n: number) =>
    `<item><title><![CDATA[T${n}</title><description><![CDATA[<p>D${n}</p></description><guid>${n}</guid></item>`
  const feed = rss(broken(1) + broken(2))
  assert.partialDeepStrictEqual(feed.entries, [
    { title: 'T1', body: 'D1', guid: '1' },
    { title: 'T2', body: 'D2', guid: '2' },
  ])
})

test('an end tag in a section is text where the section is closed', () => {
  const entry = item(
    '<title><![CDATA[The </title> tag]]></title><description><![CDATA[&lt;![CDATA[ and <script>/*<![CDATA[*/</script>x]]></description>',
  )
  assert.partialDeepStrictEqual(entry, { title: 'The </title> tag', body: '<![CDATA[ and x' })
})

test('a section may be closed twice, or opened in small letters', () => {
  assert.equal(item('<title><![CDATA[A]]>]]></title>').title, 'A')
  assert.equal(item('<title><![cdata[A & B]]></title>').title, 'A & B')
})

test('a list of subjects or creators is several of them', () => {
  const entry = item(`<title>t</title><dc:subject><rdf:Bag><rdf:li>One</rdf:li><rdf:li>Two words</rdf:li>
    <rdf:li rdf:resource="https://x.example/"/></rdf:Bag></dc:subject><dc:subject>Three</dc:subject>
    <dc:creator><rdf:Seq><rdf:li>Ann</rdf:li><rdf:li>Bob</rdf:li></rdf:Seq></dc:creator>`)
  assert.partialDeepStrictEqual(entry, { categories: ['One', 'Two words', 'Three'], author: 'Ann' })
  const described = '<dc:creator><rdf:Description><rdf:value>Ann</rdf:value></rdf:Description></dc:creator>'
  assert.equal(item(described).author, 'Ann')
})

test('the content of RSS 1.0 may be packed into an item of its own', () => {
  const packed = (value: string) => `<description>D</description><content:items><rdf:Bag><rdf:li><content:item>
    <content:format rdf:resource="http://www.w3.org/1999/xhtml"/>${value}</content:item></rdf:li></rdf:Bag></content:items>`
  const literal = '<rdf:value rdf:parseType="Literal"><em>All</em> of it</rdf:value>'
  assert.equal(item(packed(literal)).body, 'All of it')
  assert.equal(item(packed('<rdf:value><![CDATA[<em>All</em> of it]]></rdf:value>')).body, 'All of it')
  assert.equal(item(packed('')).body, 'D')
})

test('tags may be one text with commas', () => {
  const feed = read(JSON.stringify({ items: [{ id: 1, title: 'x', tags: 'a, b' }] }))
  assert.deepEqual(feed.entries[0]?.categories, ['a', 'b'])
  assert.deepEqual(item('<title>t</title><tag>a,b</tag>').categories, ['a', 'b'])
})

test('an end tag closes its element whatever the case of either', () => {
  const feed = rss(`<Item><Title>T</title><Link>https://site.example/1</LINK><DESCRIPTION>D</description></item>
    <pubDate>Sun, 01 Mar 2026 16:00:00 GMT</pubDate><item><title>U</title></item>`)
  assert.partialDeepStrictEqual(feed.entries, [
    { title: 'T', url: 'https://site.example/1', body: 'D', publishedAt: null },
    { title: 'U' },
  ])
})

test('the address of a link may stand behind it, as in what was taken for HTML', () => {
  const feed = read(`<rss><channel><title>F</title><link/>https://a.example/
    <item><title>T</title><link/>https://a.example/1<description>D</description></item>
    <item><title>U</title><link/><guid>https://a.example/2</guid>https://a.example/no</item></channel></rss>`)
  assert.equal(feed.siteUrl, 'https://a.example/')
  assert.partialDeepStrictEqual(feed.entries, [
    { title: 'T', url: 'https://a.example/1', body: 'D' },
    { title: 'U', url: 'https://a.example/2' },
  ])
})

test('in Atom too, a text that was never closed ends where a sibling begins', () => {
  const entry = (inside: string) =>
    read(`<feed xmlns="http://www.w3.org/2005/Atom"><entry>${inside}</entry>
    <entry><title>Next</title></entry></feed>`).entries
  const rest = `<link rel="alternate" href="https://a.example/1"/><id>i</id><updated>2026-03-01T00:00:00Z</updated>`
  const expected = { url: 'https://a.example/1', guid: 'i', publishedAt: Date.UTC(2026, 2, 1) }
  const next = { title: 'Next' }
  assert.partialDeepStrictEqual(entry(`<title>T${rest}`), [{ title: 'T', ...expected }, next])
  assert.partialDeepStrictEqual(entry(`<title>T</title><content type="html">C${rest}`), [
    { body: 'C', ...expected },
    next,
  ])
  const xml = '<content type="application/xml"><id>own</id><author>own</author></content>'
  assert.partialDeepStrictEqual(entry(`<title>T</title>${xml}${rest}`), [{ author: null, ...expected }, next])
})

test('an address, a date or a word that was never closed ends before any other text', () => {
  const facts = { url: 'https://a.example/1', guid: 'i', publishedAt: Date.UTC(2026, 2, 1), categories: ['C'] }
  const rss = [
    '<link>https://a.example/1</link>',
    '<guid isPermaLink="false">i</guid>',
    '<pubDate>1 Mar 2026</pubDate>',
    '<category>C</category>',
  ]
  const atom = [
    '<link href="https://a.example/1"></link>',
    '<id>i</id>',
    '<updated>2026-03-01</updated>',
    '<category term="C"></category>',
  ]
  const texts = ['<title>T</title>', '<media:title>T</media:title>', '<media:description>T</media:description>']
  for (const at of rss.keys()) {
    const openLast = (all: string[]) => all.toSpliced(at, 1).join('') + all[at]?.replace(/<.[a-z]+>$/i, '\n')
    for (const text of texts) {
      const expected = { title: 'T', body: 'T', ...facts }
      assert.partialDeepStrictEqual(item(openLast(rss) + text), expected)
      const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><entry>${openLast(atom)}${text}</entry></feed>`
      assert.partialDeepStrictEqual(read(feed).entries, [expected])
    }
  }
})

test('a feed that was written anew as HTML loses the end tags of its links, and nothing else', () => {
  for (const follows of ['<pubdate>1 Mar 2026</pubdate>', '<lastbuilddate>1 Mar 2026</lastbuilddate>']) {
    const feed = read(`<rss version="2.0"><channel><title>F</title><link>https://site.example/
      <atom:link href="https://site.example/feed" rel="self"></atom:link><skiphours><hour>1</hour></skiphours>
      <item><title>T</title><link>https://a.example/1${follows}<guid ispermalink="false">i</guid></item></channel></rss>`)
    assert.partialDeepStrictEqual(feed, { siteUrl: 'https://site.example/', selfUrl: 'https://site.example/feed' })
    const expected = { title: 'T', url: 'https://a.example/1', guid: 'i', publishedAt: Date.UTC(2026, 2, 1) }
    assert.partialDeepStrictEqual(feed.entries, [expected])
  }
})

test('the attributes of the element that ends an unclosed one count', () => {
  const entry = item('<title>T</title><description>D<guid isPermaLink="true">one</guid>')
  assert.partialDeepStrictEqual(entry, { body: 'D', url: 'https://site.example/one' })
})

test('a title of nothing that can be seen is none', () => {
  for (const title of ['\u200b\u200e', '&amp;#8203;', '\u3164', '\u2800 ']) {
    assert.equal(item(`<title>${title}</title><description>Body</description>`).title, 'Body')
  }
  assert.equal(item('<title>\u200fשלום</title>').title, '\u200fשלום')
})

test('what says it is XHTML and holds no element is HTML if it looks like it', () => {
  const body = (inside: string) =>
    read(
      `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>t</title><content type="xhtml">${inside}</content></entry></feed>`,
    ).entries[0]?.body
  assert.equal(body('&lt;p&gt;One&lt;/p&gt;&lt;p&gt;two&lt;/p&gt;'), 'One two')
  assert.equal(body('the &lt;blink> tag'), 'the <blink> tag')
  assert.equal(item('<title>t</title><body>&lt;p&gt;One&lt;/p&gt;</body>').body, 'One')
  assert.equal(item('<title>t</title><body><p>One</p></body>').body, 'One')
})

test('what is packed, or of a program, is a body only if it is text', () => {
  const body = (attributes: string, content: string | Uint8Array) =>
    read(
      `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>t</title><summary>s</summary><content ${attributes}>${
        typeof content === 'string' ? content : Buffer.from(content).toString('base64')
      }</content></entry></feed>`,
    ).entries[0]?.body
  const bytes = Uint8Array.from({ length: 90 }, (_, at) => 255 - at)
  const text = Buffer.from('Caf\u00e9\fat 5')
  for (const type of ['pdf', 'zip', 'vnd.oasis.opendocument.text', 'vnd.openxmlformats', 'x-unheard-of', 'PDF ; a=b']) {
    for (const content of [bytes, text, 'Hello there', '%PDF-1.4 obj', '<p>Hello</p>']) {
      assert.equal(body(`type="application/${type}"`, content), 's', type)
      assert.equal(body(`type="application/${type}" mode="base64"`, content), 's', type)
    }
  }
  for (const type of ['font/woff', 'model/vrml', 'image/svg+xml', 'video/mp4']) {
    assert.equal(body(`type="${type}"`, 'Hello there'), 's', type)
    assert.equal(body(`type="${type}" mode="base64"`, text), 's', type)
  }
  for (const attributes of [
    'type="application/octet-stream"',
    'mode="base64"',
    'type="application/json" mode="base64"',
  ]) {
    assert.equal(body(attributes, text), 'Caf\u00e9 at 5', attributes)
    for (const control of '\0\x1b\x07\x7f')
      assert.equal(body(attributes, Buffer.from(`a ${control} b`)), 's', attributes)
    assert.equal(body(attributes, bytes), 's', attributes)
  }
  for (const content of ['Hello there', '<p>Hello</p>'])
    assert.equal(body('type="application/octet-stream"', content), 's')
  assert.equal(body('type="application/json"', '{"a": 1}'), '{"a": 1}')
  for (const type of ['xml', 'atom+xml', 'xhtml+xml']) {
    assert.equal(body(`type="application/${type}"`, '<p>Hello</p>'), 'Hello', type)
    assert.equal(body(`type="application/${type}" mode="base64"`, Buffer.from('<p>Hello</p>')), 'Hello', type)
  }
})

test('the address that RDF gives an entry counts under any prefix', () => {
  const feed = read(`<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
    <channel r:about="https://a.example/"><title>F</title></channel>
    <item r:about="https://a.example/1"><title>T</title><date>2026-03-01</date></item></r:RDF>`)
  const publishedAt = Date.UTC(2026, 2, 1)
  assert.partialDeepStrictEqual(feed.entries, [
    { guid: 'https://a.example/1', url: 'https://a.example/1', publishedAt },
  ])
})

test('a section that nobody opened, or whose marks were escaped around markup, is unwrapped', () => {
  assert.equal(item('<title>T]]></title>').title, 'T')
  assert.equal(item('<title>t</title><description>&lt;![CDATA[<p>D</p>]]&gt;</description>').body, 'D')
  assert.equal(item('<title>From &lt;![CDATA[ to ]]&gt;</title>').title, 'From <![CDATA[ to ]]>')
})

test('a picture may be named without an element for its address', () => {
  assert.equal(rss('<image> https://a.example/?b&amp;c </image>').image, 'https://a.example/?b&c')
  assert.equal(rss('<image><title>T</title><url>/i.png</url></image>').image, 'https://feeds.example/i.png')
})

test('keywords are separated by commas or elements', () => {
  assert.deepEqual(item('<title>t</title><keywords>a, b</keywords>').categories, ['a', 'b'])
  assert.deepEqual(item('<title>t</title><tags><tag>a, b</tag> <tag>c</tag></tags>').categories, ['a, b', 'c'])
})

test('a podcast without a title has the one that the directories show', () => {
  assert.equal(rss('<itunes:title>Show</itunes:title>').title, 'Show')
})

test('a person who was never closed ends where something begins that is no part of one', () => {
  const rest = '<pubDate>Sun, 01 Mar 2026 00:00:00 GMT</pubDate><guid>g</guid><description>D</description>'
  const expected = { author: 'Jo', publishedAt: Date.UTC(2026, 2, 1), guid: 'g', body: 'D' }
  for (const author of ['<dc:creator>Jo', '<author>Jo', '<author>Jo<author>', '<author><name>Jo</name>']) {
    assert.partialDeepStrictEqual(item(`<title>T</title>${author}${rest}`), expected, author)
  }
  const feed = read(`<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>T</title><author><name>Jo</name>
    <id>no</id><link href="/no"/><updated>2026-03-01</updated><summary>D</summary><id>g</id></entry></feed>`)
  assert.partialDeepStrictEqual(feed.entries, [expected])
})

test('facts of a feed that were never closed leave the ones behind them alone', () => {
  const facts = '<managingEditor>Ed</managingEditor><ttl>60</ttl><sy:updatePeriod>daily</sy:updatePeriod>'
  for (const open of ['<description>About', '<language>en', '<title>F']) {
    assert.partialDeepStrictEqual(rss(`${open}${facts}`), { ttlMinutes: 60, update: { frequency: 1 } }, open)
  }
  assert.equal(rss(`<language>en${facts}`).language, 'en')
})

test('a feed of RSS may do without a channel', () => {
  const feed = read('<rss><title>F</title><link>https://a.example/</link><item><link>/1</link></item></rss>')
  assert.partialDeepStrictEqual(feed, { title: 'F', siteUrl: 'https://a.example/' })
  assert.equal(feed.entries[0]?.url, 'https://a.example/1')
})

test('an instruction that was never finished hides nothing behind it, and what quotes one hides nothing before it', () => {
  const channel = '<channel><title>F</title><item><title><![CDATA[What <?php means]]></title></item></channel>'
  const expected = { title: 'F', entries: [{ title: 'What <?php means' }] }
  for (const prolog of [
    '',
    '<?xml version="1.0">',
    '<br /><b>Warning</b>: x <?xml version="1.0" encoding="utf-8" ><?xml-stylesheet href="a">',
    '<!-- <rss> --><?xml version="1.0">',
    '<!-- <?xml version="1.0"> -->',
  ]) {
    for (const name of ['rss', 'RSS', 'x:rss', 'rdf:RDF', 'list']) {
      assert.partialDeepStrictEqual(read(`${prolog}<${name}>${channel}</${name}>`), expected, `${prolog}<${name}>`)
    }
  }
  const atom = read(`<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>A</title>
    <content type="html"><![CDATA[<?b c]]></content></entry><entry><title>B</title></entry></feed>`)
  assert.partialDeepStrictEqual(atom.entries, [{ title: 'A' }, { title: 'B' }])
  const entries = '<entry><title>A</title></entry><entry><title>B <!-- <?c d> --></title></entry>'
  assert.partialDeepStrictEqual(read(`<?xml version="1.0">${entries}`).entries, [{ title: 'A' }, { title: 'B' }])
})

test('guids that are too long stay different, and the same from one reading to the next', () => {
  const long = (end: string, chars = 1000) => `${'a'.repeat(chars - end.length)}${end}`
  const guids = (...ids: string[]) =>
    rss(ids.map((id) => `<item><title>t</title><guid>${id}</guid></item>`).join('')).entries.map(({ guid }) => guid)
  assert.deepEqual(guids(long('b')), [long('b')])
  const written = [long('b', 1001), long('c', 1001), long('b', 5000), `/${long('b', 5000)}`, '\u{1f600}'.repeat(501)]
  const kept = guids(...written)
  assert.equal(new Set(kept).size, written.length)
  assert.deepEqual(guids(...written.map((id) => ` ${id}\n`)), kept)
  const digest = createHash('sha256').update(long('b', 1001)).digest('hex')
  assert.equal(kept[0], `${'a'.repeat(935)}#${digest}`)
  for (const guid of kept) assert.ok(guid !== null && guid.length <= 1000 && guid.isWellFormed())
  const json = written.map((id) => ({ id, title: 't' })).slice(0, 3)
  assert.deepEqual(
    read(JSON.stringify({ items: json })).entries.map(({ guid }) => guid),
    kept.slice(0, 3),
  )
})

test('a guid that is too long leads where all of it does', () => {
  const path = `/${'a'.repeat(1500)}`
  assert.equal(item(`<title>t</title><guid>https://a.example${path}</guid>`).url, `https://a.example${path}`)
  const entry = `<item><title>t</title><guid>${path}</guid></item>`
  const link = '<link>https://a.example/</link>'
  const feed = read(`<rss><channel>${link}${entry}</channel></rss>`)
  assert.equal(feed.entries[0]?.url, `https://a.example${path}`)
  assert.deepEqual(read(`<rss><channel>${entry}${link}</channel></rss>`), feed)
})

test('what merely has channels or entries of its own is no feed', () => {
  for (const document of [
    '<tv><channel id="1"><display-name>One</display-name></channel></tv>',
    '<error><channel>none</channel></error>',
    '<map><entry><title>a</title></entry></map>',
    '<log><entry><message>a</message></entry></log>',
  ]) {
    assert.throws(() => read(document), { code: 'not-a-feed' })
  }
})

test('a feed whose root is torn, or one that nobody knows, is read by its entries', () => {
  for (const document of [
    '<xml><channel><item><title>One</title></item></channel></xml>',
    '<fe<d><entry><id>1</id><title>One</title></entry></feed>',
    '<rdf<RDF><channel/><item><title>One</title><link>/1</link></item></rdf:RDF>',
    '<b>Warning</b>: out of memory<channel><item><title>One</title></item></channel>',
  ]) {
    const { entries } = read(document)
    assert.deepEqual(
      entries.map(({ title }) => title),
      ['One'],
    )
  }
})

test('the title of a picture in an entry is not that of the entry, unless there is nothing else', () => {
  const portrait = '<media:content medium="image"><media:title type="html">janedoe</media:title></media:content>'
  assert.equal(item(`<description>Just a note</description>${portrait}`).title, 'Just a note')
  assert.equal(item(`${portrait}<description>x</description><media:title>Film</media:title>`).title, 'Film')
  assert.partialDeepStrictEqual(item(portrait), { title: 'janedoe', body: 'janedoe' })
  const described = portrait.replace('</media:content>', '<media:description>D</media:description></media:content>')
  assert.partialDeepStrictEqual(item(described), { title: 'janedoe', body: 'D' })
  const open = portrait.replace('</media:content>', '')
  const feed = read(
    `<rss><channel><item>${open}</item><item><media:title>Film</media:title><description>x</description></item>`,
  )
  assert.partialDeepStrictEqual(feed.entries, [{ title: 'janedoe' }, { title: 'Film' }])
})

test('a prefix that everybody knows means what it says, though its address was miscopied', () => {
  const feed = (names: string) =>
    read(`<rss ${names}><channel><item><title>T</title><dc:creator>Jo</dc:creator><description>short</description>
      <content:encoded>All of it</content:encoded><x:title>no</x:title></item></channel></rss>`).entries
  const miscopied =
    'xmlns:dc="http://dublincore.example/dc/" xmlns:content="http://purl.example/content/" xmlns:x="urn:x"'
  assert.partialDeepStrictEqual(feed(miscopied), [{ title: 'T', author: 'Jo', body: 'All of it' }])
  const meant = 'xmlns:dc="http://www.w3.org/2005/Atom" xmlns:content="urn:x"'
  assert.partialDeepStrictEqual(feed(meant), [{ author: null, body: 'short' }])
})

test('a declaration that lost its last sign hides nothing', () => {
  for (const end of ['?>', '>', '?', '']) {
    const declaration = `<?xml version="1.0" encoding="utf-8"${end}`
    assert.equal(
      read(`${declaration}<rss><channel><item><title>T</title></item></channel></rss>`).entries[0]?.title,
      'T',
    )
    assert.equal(read(`${declaration}\n<!-- x --><feed><entry><title>T</title></entry></feed>`).entries[0]?.title, 'T')
  }
})

test('a link or title before the feed hides nothing, a page hides what it quotes', () => {
  const feed = '<rss><channel><item><title>T</title></item></channel></rss>'
  for (const junk of ['<link rel="stylesheet" href="a.css">', '<title>', '<title>x</title><link>', '<id><summary>']) {
    assert.equal(read(junk + feed).entries[0]?.title, 'T')
  }
  for (const page of ['<html><p>', '<!DOCTYPE html><title>x</title><body><pre>']) {
    assert.throws(() => read(page + feed), { code: 'not-a-feed' })
  }
})
