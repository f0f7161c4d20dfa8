import assert from 'node:assert/strict'
import { test } from 'node:test'
import { item, read, rss, url } from '../../../test/support/read-text.ts'
import { FeedError } from './feed-error.ts'
import { readFeed } from './read-feed.ts'

test('nothing but what is no feed at all is an error, with a stable code', () => {
  const code = (text: string) => {
    try {
      read(text)
      return null
    } catch (error) {
      assert.ok(error instanceof FeedError)
      return error.code
    }
  }
  assert.equal(code(''), 'empty')
  assert.equal(code(' \n\t'), 'empty')
  assert.equal(code('\ufeff'), 'empty')
  assert.equal(code('just words'), 'not-a-feed')
  assert.equal(
    code('<!DOCTYPE html><html><head><title>A page</title></head><body><item>x</item></body></html>'),
    'not-a-feed',
  )
  assert.equal(code('<html><channel><item><title>x</title></item></channel></html>'), 'not-a-feed')
  assert.equal(code('{"error": "not found"}'), 'not-a-feed')
  assert.equal(code('{"items": '), 'not-a-feed')
  assert.equal(code('<opml version="2.0"><body><outline text="x"/></body></opml>'), 'not-a-feed')
  assert.equal(code('<rss>'), null)
  const nested = (around: number, items: string) =>
    `<rss><channel>${'<b>'.repeat(around)}${items}${'</b>'.repeat(around)}</channel></rss>`
  const one = '<item><title>One</title></item>'
  assert.equal(code(nested(100_000, one)), 'too-deep')
  assert.equal(code(nested(100_000, '')), 'too-deep')
  // What can be read is read.
  assert.equal(code(nested(100_000, '').replace('<b>', `${one}<b>`)), null)
  assert.equal(code(nested(20, one)), null)
})

test('RSS titles are plain, HTML, CDATA or escaped twice, and read the same', () => {
  assert.equal(item('<title>Tom &amp; Jerry</title>').title, 'Tom & Jerry')
  assert.equal(item('<title>Tom &amp;amp; Jerry</title>').title, 'Tom & Jerry')
  assert.equal(item('<title>&lt;b&gt;Tom&lt;/b&gt; &amp;amp; Jerry</title>').title, 'Tom & Jerry')
  assert.equal(item('<title><![CDATA[<b>Tom</b> & Jerry]]></title>').title, 'Tom & Jerry')
  assert.equal(item('<title>Tom <b>&amp;</b> Jerry</title>').title, 'Tom & Jerry')
  assert.equal(item('<title>Tom<!-- and --> &amp; Jerry</title>').title, 'Tom & Jerry')
})

test('a title that only mentions a tag keeps it', () => {
  assert.equal(item('<title>The &lt;canvas&gt; element</title>').title, 'The <canvas> element')
  assert.equal(item('<title>List&lt;String&gt; &amp;amp; co</title>').title, 'List<String> &amp; co')
})

test('content goes before description, and empty content is no content', () => {
  assert.equal(item('<content:encoded>C</content:encoded><description>D</description>').body, 'C')
  assert.equal(item('<content:encoded> <![CDATA[ <p></p> ]]> </content:encoded><description>D</description>').body, 'D')
  assert.equal(item('<media:description>M</media:description><description></description>').body, 'M')
})

test('a missing title is the first hundred characters of the body', () => {
  const body = 'word '.repeat(50).trim()
  assert.equal(item(`<description>${body}</description>`).title, body.slice(0, 100).trim())
})

test('authors are names, in whatever form they come', () => {
  const author = (inside: string) => item(inside).author
  assert.equal(author('<author>John Smith</author>'), 'John Smith')
  assert.equal(author('<author>john@site.example (John Smith)</author>'), 'John Smith')
  assert.equal(author('<author>John Smith &lt;john@site.example&gt;</author>'), 'John Smith')
  assert.equal(author('<author>John Smith (john@site.example)</author>'), 'John Smith')
  assert.equal(author('<author>mailto:john@site.example</author>'), 'john@site.example')
  assert.equal(author('<author>john@site.example?subject=Hi (John Smith)</author>'), 'John Smith')
  assert.equal(author('<author><name>John Smith</name><email>j@site.example</email></author>'), 'John Smith')
  assert.equal(author('<author><![CDATA[ John\n Smith ]]></author>'), 'John Smith')
  assert.equal(author('<author> </author><dc:creator>Jane</dc:creator>'), 'Jane')
  assert.equal(author('<dc:creator>Jane</dc:creator><author>John</author>'), 'John')
  assert.equal(author('<itunes:author>Host</itunes:author><dc:creator>Jane</dc:creator>'), 'Jane')
  assert.equal(
    author('<atom:author xmlns:atom="http://www.w3.org/2005/Atom"><atom:name>Ann</atom:name></atom:author>'),
    'Ann',
  )
  assert.equal(author('<author></author>'), null)
  assert.equal(author('<contributor><name>Helper</name></contributor>'), null)
  assert.equal(rss('<managingEditor>Ed</managingEditor><item><title>x</title></item>').entries[0]?.author, null)
  assert.equal(rss('<author>Ed</author><item><title>x</title></item>').entries[0]?.author, null)
  assert.equal(author('<author> (John Smith)</author>'), 'John Smith')
  assert.equal(author('<dc:creator>John &amp;amp; Jane</dc:creator>'), 'John & Jane')
  assert.equal(author('<author>&lt;a href="/john"&gt;John&lt;/a&gt;</author>'), 'John')
  assert.equal(author('<dcterms:creator>Jane</dcterms:creator>'), 'Jane')
})

test('links come as text, as attribute, or not at all', () => {
  const link = (inside: string) => item(inside).url
  assert.equal(link('<link>https://site.example/a?x=1&amp;y=2</link>'), 'https://site.example/a?x=1&y=2')
  assert.equal(link('<link>\n https://site.example/a \n</link>'), 'https://site.example/a')
  assert.equal(link('<link href="https://site.example/a"/>'), 'https://site.example/a')
  assert.equal(link('<link>/a</link>'), 'https://site.example/a')
  assert.equal(link('<link rel="self" href="https://site.example/self"/><link href="/b"/>'), 'https://site.example/b')
  assert.equal(
    link('<link rel="http://www.iana.org/assignments/relation/alternate" href="/b"/>'),
    'https://site.example/b',
  )
  assert.equal(link('<link>javascript:alert(1)</link>'), url)
  assert.equal(link('<enclosure url="https://site.example/a.mp3"/>'), url)
  assert.equal(link('<guid>https://site.example/guid</guid>'), 'https://site.example/guid')
  assert.equal(link('<guid isPermaLink="false">https://site.example/guid</guid>'), 'https://site.example/guid')
  assert.equal(link('<guid isPermaLink="true">p/17</guid>'), 'https://site.example/p/17')
  assert.equal(link('<guid>17</guid>'), url)
  assert.equal(link('<guid>https://site.example/guid</guid><link>/real</link>'), 'https://site.example/real')
})

test('guids stay as they are, but a path says whose it is', () => {
  assert.equal(item('<guid> a  b </guid>').guid, 'a b')
  assert.equal(item('<guid>/p/17</guid>').guid, 'https://site.example/p/17')
  assert.equal(item('<guid isPermaLink="false">/p/17</guid>').guid, '/p/17')
  assert.equal(item('<title>x</title>').guid, null)
  assert.equal(item('<guid/><guid>a</guid><guid>b</guid>').guid, 'a')
  assert.equal(item('<dc:identifier>a</dc:identifier><guid>b</guid>').guid, 'b')
  assert.equal(item('<guid> </guid><dc:identifier>a</dc:identifier>').guid, 'a')
  assert.equal(rss(`<item rdf:about="${'a'.repeat(2000)}"><title>x</title></item>`).entries[0]?.guid?.length, 1000)
})

test('xml:base nests, and a base that is no web address is ignored', () => {
  const feed = read(`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://a.example/x/"><entry xml:base="y/">
    <link xml:base="z/" href="p"/></entry><entry xml:base="javascript:void(0)"><link href="q"/></entry></feed>`)
  assert.deepEqual(
    feed.entries.map((entry) => entry.url),
    ['https://a.example/x/y/z/p', 'https://a.example/x/q'],
  )
})

test('namespaces count by what they are, not by their prefix', () => {
  const feed =
    read(`<x:rss xmlns:x="http://backend.userland.com/rss2" xmlns:c="http://purl.org/rss/1.0/modules/content/"
    xmlns:dc="http://unrelated.example/"><x:channel><x:item><x:title>T</x:title><c:encoded>C</c:encoded><dc:creator>No</dc:creator>
    </x:item></x:channel></x:rss>`)
  assert.partialDeepStrictEqual(feed.entries, [{ title: 'T', body: 'C', author: null }])
})

test('entities that a document defines are not expanded', () => {
  const feed = read(
    '<!DOCTYPE rss [<!ENTITY a "AAAA"><!ENTITY b "&a;&a;">]><rss><channel><title>&b; &eacute;</title></channel></rss>',
  )
  assert.equal(feed.title, '&b; é')
})

test('names of characters mean what XHTML says in XML, what HTML says in escaped HTML', () => {
  assert.equal(item('<title>&lang;a&rang;</title>').title, '\u2329a\u232a')
  assert.equal(item('<description>&amp;lang;a&amp;rang;</description>').body, '\u27e8a\u27e9')
})

test('control characters are spaces, raw, as references, in JSON', () => {
  assert.equal(item('<title>a\x00b\x0bc\x1fd\x7fe</title>').title, 'a b c d e')
  assert.equal(item('<title>a&#1;b&#x1f;c&#127;d</title>').title, 'a b c d')
  assert.equal(item('<title>a\x81b&#129;c&#x9d;d\x80</title>').title, 'a b c d€')
  const json = {
    version: 'https://jsonfeed.org/version/1',
    items: [{ id: 'i\0d', title: 'a\0b', content_text: 'c\x07d' }],
  }
  assert.partialDeepStrictEqual(read(JSON.stringify(json)).entries, [{ guid: 'i d', title: 'a b', body: 'c d' }])
  const wide = Buffer.from('\ufeff<rss><channel><title>a\x01b</title></channel></rss>', 'utf16le')
  assert.equal(readFeed(wide, { url }).title, 'a b')
})

test('an element that is never closed ends where its sibling begins, with or without markup in it', () => {
  const expected = { title: 'T', body: 'some bold text', publishedAt: Date.UTC(2026, 0, 3) }
  const date = '<pubDate>Sat, 03 Jan 2026 00:00:00 GMT</pubDate>'
  assert.partialDeepStrictEqual(item(`<title>T</title><description>some bold text${date}`), expected)
  assert.partialDeepStrictEqual(item(`<title>T</title><description>some <b>bold</b> text${date}`), expected)
})

test('UTF-8 that was encoded twice is mended', () => {
  assert.equal(item('<description>donâ€™t panic</description>').body, 'don’t panic')
  assert.equal(item('<description>Ça coûte 5 €, à Âge égal</description>').body, 'Ça coûte 5 €, à Âge égal')
  const long = `${'word '.repeat(60)}donâ€™t panic`
  assert.equal(item(`<description>${long}</description>`).body, long.replace('â€™', '’'))
  const json = { items: [{ content_text: long, tags: ['Cafés donâ€™t', 'donâ€™t'] }] }
  assert.partialDeepStrictEqual(read(JSON.stringify(json)).entries, [
    { body: long.replace('â€™', '’'), categories: ['Cafés donâ€™t', 'don’t'] },
  ])
})

test('bodies that at least three entries share under different titles get their titles', () => {
  const entries = (bodies: [title: string, body: string][]) =>
    rss(
      bodies.map(([title, body]) => `<item><title>${title}</title><description>${body}</description></item>`).join(''),
    ).entries.map((entry) => entry.body)
  assert.deepEqual(
    entries([
      ['A', 'Comments'],
      ['B', 'Comments'],
      ['C', 'Comments'],
      ['D', 'Other'],
    ]),
    ['A\n\nComments', 'B\n\nComments', 'C\n\nComments', 'Other'],
  )
  assert.deepEqual(
    entries([
      ['A', 'Comments'],
      ['B', 'Comments'],
    ]),
    ['Comments', 'Comments'],
  )
  assert.deepEqual(
    entries([
      ['A', 'Same'],
      ['A', 'Same'],
      ['A', 'Same'],
    ]),
    ['Same', 'Same', 'Same'],
  )
  const long = 'long '.repeat(60).trim()
  assert.deepEqual(
    entries([
      ['A', long],
      ['B', long],
      ['C', long],
    ]),
    [long, long, long],
  )
})

test('an entry with no title or no body of its own is among those that share a body, and stays as it is', () => {
  const bodies = (...titles: (string | null)[]) => sharing('Comments', titles)
  const sharing = (body: string, titles: (string | null)[]) =>
    rss(
      titles
        .map(
          (title) =>
            `<item>${title === null ? '' : `<title>${title}</title>`}<description>${body}</description></item>`,
        )
        .join(''),
    ).entries.map((entry) => entry.body)
  assert.deepEqual(bodies('A', null, 'B'), ['A\n\nComments', 'Comments', 'B\n\nComments'])
  assert.deepEqual(bodies(null, 'A', null), ['Comments', 'A\n\nComments', 'Comments'])
  assert.deepEqual(bodies(null, null, null), ['Comments', 'Comments', 'Comments'])
  assert.deepEqual(bodies(null, 'A'), ['Comments', 'Comments'])
  const longer = 'word '.repeat(30).trim()
  assert.deepEqual(sharing(longer, ['A', 'B', null]), [`A\n\n${longer}`, `B\n\n${longer}`, longer])
  const long = 'word '.repeat(60).trim()
  assert.deepEqual(sharing(long, ['A', 'B', null]), [long, long, long])
  const own = '<item><title>A</title><description>C</description></item>'
  const made = rss(`${own}${own.replace('A', 'B')}<item><title>C</title></item>`).entries
  assert.deepEqual(
    made.map((entry) => entry.body),
    ['A\n\nC', 'B\n\nC', 'C'],
  )
})

test('an entry whose title is the shared body gets it before the body like all others', () => {
  const bodies = (...items: (readonly [string, string])[]) =>
    rss(
      items.map(([title, body]) => `<item><title>${title}</title><description>${body}</description></item>`).join(''),
    ).entries.map((entry) => entry.body)
  assert.deepEqual(bodies(['Comments', 'Comments'], ['B', 'Comments'], ['C', 'Comments']), [
    'Comments\n\nComments',
    'B\n\nComments',
    'C\n\nComments',
  ])
  const same = Array.from({ length: 4 }, (_, at) => [`Title ${at >> 1}`, `Title ${at >> 1}`] as const)
  assert.deepEqual(
    bodies(...same, ['Title 0', 'Title 0']),
    [...same, ['Title 0']].map(([title]) => title),
  )
})

test('what is short is counted in whole characters', () => {
  const bodies = (body: string) =>
    rss(
      ['A', 'B', 'C'].map((title) => `<item><title>${title}</title><description>${body}</description></item>`).join(''),
    ).entries.map((entry) => entry.body)
  const short = '\u{1f600}'.repeat(200)
  assert.deepEqual(bodies(short), [`A\n\n${short}`, `B\n\n${short}`, `C\n\n${short}`])
  const longer = `${short}x`
  assert.deepEqual(bodies(longer), [longer, longer, longer])
})

test('ten thousand entries are read, the rest is counted', () => {
  const feed = rss('<item><title>x</title></item>'.repeat(10_002))
  assert.equal(feed.entries.length, 10_000)
  assert.deepEqual(feed.truncated, ['2 entries beyond the first 10000 were left out'])
})

test('long titles and bodies are cut and noted, at a whole character', () => {
  const feed = rss(`<item><title>${'t'.repeat(999)}😀x</title><description>${'é'.repeat(600_000)}</description></item>`)
  assert.equal(feed.entries[0]?.title, 't'.repeat(999))
  assert.equal(feed.entries[0]?.body, 'é'.repeat(524_288))
  assert.deepEqual(feed.truncated, ['1 titles were cut to 1000 characters', '1 bodies were cut to 1048576 bytes'])
})

test('what a server puts before a JSON feed does not hide it', () => {
  const json = JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'J',
    items: [{ id: '1', title: 'How to write <rss>', content_html: '<item><title>x</title></item>'.repeat(3000) }],
  })
  const notice = '<br />\n<b>Notice</b>:  Undefined variable: x in <b>/feed.php</b> on line <b>3</b><br />\n'
  for (const junk of [")]}'\n", 'while(1);', 'for (;;);\n', 'Warning: {x} is deprecated\n', notice, notice.repeat(5)]) {
    const feed = read(junk + json)
    assert.deepEqual([feed.title, feed.entries.map(({ title }) => title)], ['J', ['How to write <rss>']])
  }
  assert.equal(read(`callback(${json});`).entries.length, 1)
})

test('JSON that stands before, in or behind a feed of XML, or in a page, is no feed', () => {
  const json = '{"version":"https://jsonfeed.org/version/1","items":[{"id":"1","title":"J"}]}'
  const xml = `<rss><channel><item><title>X</title><description>${json}</description></item></channel></rss>`
  const debug = '{"items":[{"title":"no feed, says jsonfeed.org"}]}'
  for (const document of [xml, xml + json, `<!-- ${json} -->${xml}`, `Debug: ${debug}\n${xml}`]) {
    assert.equal(read(document).entries[0]?.title, 'X')
  }
  const page = `<html><head><script>state = ${debug}</script></head><body>jsonfeed.org</body></html>`
  assert.throws(() => read(page), { code: 'not-a-feed' })
})

test('a JSON feed that was cut off yields its whole items', () => {
  const whole = JSON.stringify({
    version: 'https://jsonfeed.org/version/1',
    title: 'J',
    items: [
      { id: '1', title: 'a"]}' },
      { id: '2', title: 'b' },
    ],
  })
  const cut = read(whole.slice(0, -6))
  assert.deepEqual([cut.title, cut.entries.map((entry) => entry.title)], ['J', ['a"]}']])
})

test('a document that was cut in an end tag, or in the end of a section, yields what stood before it', () => {
  const leaves = [
    ['title', 'Hello', 'title', 'Hello'],
    ['link', 'https://site.example/b', 'url', 'https://site.example/b'],
    ['guid', 'abc', 'guid', 'abc'],
    ['category', 'Cat', 'categories', ['Cat']],
    ['author', 'Ann', 'author', 'Ann'],
    ['description', 'Hello world', 'body', 'Hello world'],
    ['pubDate', 'Tue, 06 Jan 2026 10:00:00 GMT', 'publishedAt', Date.UTC(2026, 0, 6, 10)],
  ] as const
  for (const [name, text, field, expected] of leaves) {
    for (const [open, close] of [
      ['', `</${name}>`],
      ['<![CDATA[', `]]></${name}>`],
    ] as const) {
      for (let length = 0; length < close.length; length++) {
        const cut = `<rss><channel><item><${name}>${open}${text}${close.slice(0, length)}`
        assert.deepEqual(read(cut).entries[0]?.[field], expected, cut)
      }
    }
  }
  assert.equal(read('<rss><channel><item><title>a <![CDA').entries[0]?.title, 'a')
  assert.equal(read('<rss><channel><item><title>see a[1]').entries[0]?.title, 'see a[1]')
})

test('lists in lists thousands deep are refused, and brackets in a text are not', () => {
  const many = '['.repeat(5000)
  const document = (x: string) =>
    `{"version":"https://jsonfeed.org/version/1","items":[{"id":"1","title":"a","x":${x}}]}`
  assert.throws(() => read(document(`${many}${']'.repeat(5000)}`)), FeedError)
  assert.equal(read(document(`"\\"${many}"`)).entries[0]?.title, 'a')
})

test('once 500 more dates could not be read than could, only those in the ordinary forms are, and that is said', () => {
  const dated = (...dates: string[]) => rss(dates.map((date) => `<item><pubDate>${date}</pubDate></item>`).join(''))
  const bad = (count: number): string[] => Array(count).fill('the 5th of Foo 2020')
  const rare = '5 mars 2020'
  const last = ({ entries }: ReturnType<typeof rss>) => entries.at(-1)?.publishedAt
  const march = Date.UTC(2020, 2, 5)

  assert.equal(last(dated(...bad(499), rare)), march)
  assert.deepEqual(dated(...bad(499), rare).truncated, [])
  assert.equal(last(dated(rare, ...bad(499), rare, ...bad(1), rare)), march)

  const beyond = dated(...bad(500), rare, 'nothing', '')
  assert.deepEqual(
    beyond.entries.slice(500).map(({ publishedAt }) => publishedAt),
    [null, null, null],
  )
  assert.deepEqual(beyond.truncated, ['2 dates were passed over, after 500 that could not be read'])
  assert.equal(last(dated(...bad(600), 'Thu, 05 Mar 2020 00:00:00 GMT')), march)
  assert.equal(last(dated(...bad(600), '2020-03-05T00:00:00Z')), march)
})

test('an undated entry has no date, and a bad one gives way to the next', () => {
  assert.equal(item('<title>x</title>').publishedAt, null)
  assert.equal(item('<pubDate>soon</pubDate>').publishedAt, null)
  assert.equal(item('<pubDate>soon</pubDate><dc:date>2026-01-02</dc:date>').publishedAt, Date.UTC(2026, 0, 2))
  assert.equal(
    item('<dc:date>2026-01-02</dc:date><pubDate>Sat, 03 Jan 2026 00:00:00 GMT</pubDate>').publishedAt,
    Date.UTC(2026, 0, 3),
  )
})

test('the charset of the header is believed', () => {
  const bytes = Buffer.from('<rss><channel><title>\xcf\xf0\xe8\xe2\xe5\xf2</title></channel></rss>', 'latin1')
  assert.equal(readFeed(bytes, { url, contentType: 'text/xml; charset=windows-1251' }).title, 'Привет')
})
