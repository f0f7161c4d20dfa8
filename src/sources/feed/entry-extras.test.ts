import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readFeed as readFeedOfLibrary } from '../../index.ts'
import { readFeed } from './read-feed.ts'

const URL = 'https://blog.example/feed.xml'
const NAMESPACES =
  'xmlns:media="http://search.yahoo.com/mrss/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" ' +
  'xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:podcast="https://podcastindex.org/namespace/1.0"'

function rss(item: string, channel = '') {
  const xml = `<rss version="2.0" ${NAMESPACES}><channel><title>T</title><link>https://blog.example/</link>${channel}<item><title>One</title><link>https://blog.example/posts/1</link>${item}</item></channel></rss>`
  const [entry] = readFeed(Buffer.from(xml), { url: URL }).entries
  assert.ok(entry)
  return entry
}

function atom(entry: string, attributes = '') {
  const xml = `<feed xmlns="http://www.w3.org/2005/Atom" ${attributes} ${NAMESPACES}><title>T</title><entry>${entry}</entry></feed>`
  const [read] = readFeed(Buffer.from(xml), { url: URL }).entries
  assert.ok(read)
  return read
}

function json(item: object, feed: object = {}) {
  const document = { version: 'https://jsonfeed.org/version/1.1', ...feed, items: [{ id: '1', ...item }] }
  const [entry] = readFeed(Buffer.from(JSON.stringify(document)), { url: URL }).entries
  assert.ok(entry)
  return entry
}

describe('the picture of an entry', () => {
  const PICTURE = 'https://blog.example/p.jpg'
  for (const [name, item] of [
    ['media:content', `<media:content url="/p.jpg" medium="image"/>`],
    ['media:content by its type', `<media:content url="/p.jpg" type="image/jpeg"/>`],
    [
      'media:group',
      `<media:group><media:content url="/s.jpg" medium="image" width="10"/><media:content url="/p.jpg" medium="image" width="900"/></media:group>`,
    ],
    ['media:thumbnail', `<media:thumbnail url="/p.jpg"/>`],
    [
      'media:thumbnail in a video',
      `<media:content url="/v.mp4" type="video/mp4"><media:thumbnail url="/p.jpg"/></media:content>`,
    ],
    ['itunes:image', `<itunes:image href="/p.jpg"/>`],
    ['enclosure', `<enclosure url="/p.jpg" type="image/jpeg" length="9"/>`],
    ['image', `<image><url>/p.jpg</url></image>`],
    [
      'media:content after a portrait',
      `<media:content url="https://0.gravatar.com/avatar/x" medium="image"/><media:thumbnail url="/p.jpg"/>`,
    ],
  ] as const) {
    test(`comes from ${name}`, () => assert.equal(rss(item).image, PICTURE))
  }

  test('comes from image and banner_image of JSON Feed', () => {
    assert.equal(json({ image: '/p.jpg', banner_image: '/b.jpg' }).image, PICTURE)
    assert.equal(json({ banner_image: '/p.jpg' }).image, PICTURE)
  })

  test('is not that of the feed', () => {
    assert.equal(rss('', '<image><url>/f.jpg</url></image><itunes:image href="/f.jpg"/>').image, null)
  })

  test('comes from the content if none is stated', () => {
    const xml = `<rss version="2.0"><channel><link>https://blog.example/</link><item><description>&lt;img src="/c.jpg"&gt; words</description></item></channel></rss>`
    const [entry] = readFeedOfLibrary(Buffer.from(xml), { url: URL }).entries
    assert.equal(entry?.image, 'https://blog.example/c.jpg')
    assert.equal(entry?.html, '<img src="https://blog.example/c.jpg" /> words')
  })
})

describe('the files of an entry', () => {
  test('come from enclosure with the duration of the episode', () => {
    const item = `<enclosure url="/e.mp3" type="audio/mpeg" length="1234"/><itunes:duration>1:02:03</itunes:duration>`
    const expected = { url: 'https://blog.example/e.mp3', type: 'audio/mpeg', length: 1234, duration: 3723 }
    assert.deepEqual(rss(item).enclosures, [expected])
    assert.deepEqual(rss('<enclosure url="/e.mp3"/>').enclosures, [
      { url: 'https://blog.example/e.mp3', type: null, length: null },
    ])
  })

  test('come from Atom links, Media RSS and JSON Feed', () => {
    const link = '<link rel="enclosure" href="https://a.example/e.ogg" type="audio/ogg" length="7"/>'
    assert.deepEqual(atom(link).enclosures, [{ url: 'https://a.example/e.ogg', type: 'audio/ogg', length: 7 }])
    const video = '<media:group><media:content url="/v.mp4" type="video/mp4" fileSize="5" duration="61"/></media:group>'
    assert.deepEqual(rss(video).enclosures, [
      { url: 'https://blog.example/v.mp4', type: 'video/mp4', length: 5, duration: 61 },
    ])
    const attachment = { url: '/e.mp3', mime_type: 'audio/mpeg', size_in_bytes: 3, duration_in_seconds: 60 }
    assert.deepEqual(json({ attachments: [attachment, { mime_type: 'x' }] }).enclosures, [
      { url: 'https://blog.example/e.mp3', type: 'audio/mpeg', length: 3, duration: 60 },
    ])
  })

  test('are each listed once, and at most twenty', () => {
    const many = Array.from({ length: 30 }, (_, n) => `<enclosure url="/${n}.mp3" type="audio/mpeg"/>`).join('')
    assert.equal(rss(many + many).enclosures.length, 20)
  })
})

test('the transcript that is easiest to read is taken', () => {
  const transcripts =
    '<podcast:transcript url="/t.json" type="application/json"/><podcast:transcript url="/t.vtt" type="text/vtt"/>' +
    '<podcast:transcript url="/t.pdf" type="application/pdf"/>'
  assert.equal(rss(transcripts).transcriptUrl, 'https://blog.example/t.vtt')
  assert.equal(rss('<podcast:transcript url="/t.pdf" type="application/pdf"/>').transcriptUrl, null)
})

test('the page with the comments is known', () => {
  assert.equal(rss('<comments>/posts/1#c</comments>').commentsUrl, 'https://blog.example/posts/1#c')
  assert.equal(atom('<link rel="replies" type="text/html" href="/c"/>').commentsUrl, 'https://blog.example/c')
  assert.equal(atom('<link rel="replies" type="application/atom+xml" href="/c"/>').commentsUrl, null)
})

test('the language is that of the entry, else of the feed, as BCP 47', () => {
  assert.equal(rss('', '<language>en_us</language>').language, 'en-US')
  assert.equal(rss('<dc:language>de</dc:language>', '<language>en</language>').language, 'de')
  assert.equal(atom('<id>1</id>', 'xml:lang="fr"').language, 'fr')
  assert.equal(atom('<content xml:lang="it" type="html">x</content>', 'xml:lang="fr"').language, 'it')
  assert.equal(json({ language: 'pt-br' }, { language: 'en' }).language, 'pt-BR')
  assert.equal(rss('', '<language>not a language!</language>').language, 'not')
  assert.equal(rss('', '<language>???</language>').language, null)
})

describe('the content of an entry', () => {
  const content = (item: string) => rss(item).content
  test('is the HTML of its body, with the base of its links', () => {
    assert.deepEqual(content('<description>&lt;p&gt;a &amp;amp; b&lt;/p&gt;</description>'), {
      html: '<p>a &amp; b</p>',
      base: 'https://blog.example/posts/1',
    })
    assert.equal(
      content('<description>s</description><content:encoded><![CDATA[<b>x</b>]]></content:encoded>')?.html,
      '<b>x</b>',
    )
    const based = '<content type="html" xml:base="https://other.example/d/">&lt;a href="x"&gt;l&lt;/a&gt;</content>'
    assert.equal(atom(based).content?.base, 'https://other.example/d/')
  })

  test('is XHTML without prefixes', () => {
    const xhtml = '<content type="xhtml"><x:div xmlns:x="http://www.w3.org/1999/xhtml"><x:p>a</x:p></x:div></content>'
    assert.equal(atom(xhtml).content?.html.replace(/ xmlns:x="[^"]*"/, ''), '<div><p>a</p></div>')
  })

  test('is paragraphs where the feed has plain text', () => {
    assert.equal(
      atom('<content type="text">a &lt; b\n\nc\nd</content>').content?.html,
      '<p>a &lt; b</p>\n<p>c<br>d</p>',
    )
    assert.equal(json({ content_text: 'one & two' }).content?.html, '<p>one &amp; two</p>')
  })

  test('may be a picture alone', () => {
    const comic = rss('<description>&lt;img src="/comic.png"&gt;</description>')
    assert.equal(comic.body, 'One')
    assert.equal(comic.content?.html, '<img src="/comic.png">')
  })

  test('is missing where the entry has only a title', () => assert.equal(content(''), null))
})
