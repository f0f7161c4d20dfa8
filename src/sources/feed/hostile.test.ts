/** Hostile and badly damaged documents. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertWithin } from '../../../test/support/processor-time.ts'
import { FeedError } from './feed-error.ts'
import { readFeed } from './read-feed.ts'

const folder = new URL('./fixtures/', import.meta.url)
const documents = readdirSync(folder)
  .filter((name) => !name.endsWith('.expected.json'))
  .map((name) => readFileSync(new URL(name, folder)))

function readOrRefuse(bytes: Uint8Array): void {
  try {
    const feed = readFeed(bytes, { url: 'https://feeds.example/' })
    for (const entry of feed.entries) assert.ok(URL.canParse(entry.url))
  } catch (error) {
    if (!(error instanceof FeedError)) throw error
  }
}

const anyDocument = fc.constantFrom(...documents)
const position = fc.double({ min: 0, max: 1, noNaN: true })

test('a document cut anywhere is read or refused', () => {
  fc.assert(
    fc.property(anyDocument, position, position, (bytes, from, to) => {
      readOrRefuse(
        bytes.subarray(Math.floor(Math.min(from, to) * bytes.length), Math.floor(Math.max(from, to) * bytes.length)),
      )
    }),
    { numRuns: 400 },
  )
})

test('a document with bytes changed, doubled or swapped is read or refused', () => {
  const change = fc.tuple(
    position,
    fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 4 }),
      fc
        .constantFrom('<', '>', '"', ']]>', '<![CDATA[', '<!--', '&', '</item>', '<item>')
        .map((text) => Buffer.from(text)),
    ),
  )
  fc.assert(
    fc.property(anyDocument, fc.array(change, { minLength: 1, maxLength: 8 }), (bytes, changes) => {
      const changed = changes.reduce((document: Uint8Array, [at, put]) => {
        const cut = Math.floor(at * document.length)
        return Buffer.concat([document.subarray(0, cut), put, document.subarray(cut + put.length)])
      }, bytes)
      readOrRefuse(changed)
    }),
    { numRuns: 400 },
  )
})

test('bytes of any kind are read or refused', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 2000 }), readOrRefuse))
})

test('elements of any kind, opened and closed in any order, are read or refused', () => {
  const names = [
    'rss',
    'channel',
    'item',
    'feed',
    'entry',
    'title',
    'link',
    'author',
    'name',
    'description',
    'image',
    'source',
    'content:encoded',
    'html',
    'x',
  ]
  const tag = fc
    .tuple(fc.constantFrom(...names), fc.constantFrom('<', '</', '<'))
    .map(([name, open]) => `${open}${name}>`)
  const part = fc.oneof(tag, fc.constantFrom('text', '<![CDATA[x]]>', '<br/>', '<link href="/a"/>', '&amp;'))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => readOrRefuse(Buffer.from(parts.join('')))),
    { numRuns: 1000 },
  )
})

const inItem = (text: string) =>
  `<rss><channel><item><title>t</title><description>${text}</description></item></channel></rss>`
/** Enough to notice work that is not linear, even if each piece costs little. */
const MANY = 1_000_000
const flood = (piece: string, bytes = 400_000) => piece.repeat(Math.ceil(bytes / piece.length))
/** A different one for each number. */
const word = (number: number) =>
  String.fromCharCode(...[1, 26, 676].map((place) => 97 + (Math.floor(number / place) % 26)))
const items = (date: (at: number) => string) =>
  `<rss><channel>${Array.from({ length: 9000 }, (_, at) => `<item><pubDate>${date(at)}</pubDate></item>`).join('')}`

const floods: Record<string, string> = {
  'unclosed tags': `<rss><channel>${flood('<a>')}`,
  'unclosed items': `<rss><channel>${flood('<item><title>x')}`,
  'tags nested deeply and closed': `<rss><channel>${flood('<a>')}${flood('</a>')}`,
  'end tags that were never opened': `<rss><channel>${'<x>'.repeat(60)}${flood('</a>', MANY)}`,
  'end tags that were never opened, in a text': inItem(`<b>${flood('</a>', MANY)}`),
  attributes: `<rss ${flood('a="b" ')}><channel/></rss>`,
  'namespace declarations': `<rss><channel>${flood('<a:b xmlns:c="d">')}`,
  'one huge comment': `<rss><channel><!--${flood('-- ')}`,
  'comments that never end': inItem(flood('<!--')),
  'escaped comments that never end': inItem(flood('&lt;!--')),
  'doctypes and entities': `<!DOCTYPE x [${flood('<!ENTITY a "&b;">')}]><rss><channel/></rss>`,
  'sections that never end': `<rss><channel><item><description>${flood('<![CDATA[')}`,
  'sections that only their element ends': `<rss><channel><item>${flood('<title><![CDATA[x</title>')}`,
  'sections that the last one ends': `<rss><channel><item>${flood('<title><![CDATA[x</title>')}]]>`,
  'sections in sections': `<rss><channel><item>${flood('<title><![CDATA[<![CDATA[]]>')}`,
  'list items': `<rss><channel><item><dc:subject>${flood('<rdf:li>x')}`,
  'links before their text': `<rss><channel><item>${flood('<link/>https://a.example/')}`,
  'small sections': `<rss><channel><item><title>${flood('<![CDATA[x]]>')}`,
  'instructions that never end': `<rss><channel><title>${flood('<?x ')}`,
  ampersands: inItem(flood('&')),
  'names of no entity': inItem(Array.from({ length: 40_000 }, (_, i) => `&x${i};`).join('')),
  'short names of no entity': `<rss><channel><item><title>${Array.from({ length: 300_000 }, (_, i) => `&${word(7919 * i)};`).join('')}`,
  'quotes that never close': inItem(flood(`&lt;a b="' `)),
  'tags that never close': inItem(flood('&lt;b ')),
  scripts: inItem(flood('&lt;script&gt;&lt;/script&gt;')),
  spaces: inItem(flood('a  ')),
  'titles of one entry': `<rss><channel><item>${flood('<title> </title>')}`,
  'unreadable dates': `<rss><channel><item>${flood('<pubDate>mardy 12 jux 2020</pubDate>')}`,
  'dates that grow': items(() => `1 ${flood('\ufdfa', 118)}`),
  'dates of words never seen before': items(
    (at) => `1 ${Array.from({ length: 29 }, (_, i) => word(29 * at + i)).join(' ')}`,
  ),
  'dates in one place': items(() => '2020-01-05 12:30 America/New_York'),
  'dates in places that are none': items((at) => `2020-01-05 12:30 Europe/${word(at)}`),
  'items of JSON, cut off': `{"items":[${flood('{"title":"\\""},')}`,
  'brackets of JSON': `{"items":${flood('[')}`,
  'quotes in end tags without a name': inItem(flood('"</', MANY)),
  'quotes in instructions': inItem(flood('<?"', MANY)),
  'values before values': inItem(flood('<a b=" c="d"', MANY)),
  'values that never end': inItem(flood("<a b='c", MANY)),
  'small paragraphs without a reference': inItem(`<![CDATA[${flood('<p>x', MANY)}]]>`),
  'brackets that begin nothing': inItem(`<![CDATA[${flood('<', MANY)}]]>`),
  'ampersands that begin nothing': inItem(`<![CDATA[${flood('& ', MANY)}]]>`),
  'ends of entries in a section': `<rss><channel><item><description><![CDATA[${flood('</item>', MANY)}`,
  'line ends and tabs': inItem(flood('x\n\t', 10 * MANY)),
  'signs of UTF-7': `<?xml version="1.0" encoding="utf-7"?>${inItem(flood('+ADw-', MANY))}`,
  'lists in lists of JSON': `{"items":[{"id":"1","x":${flood('[', MANY)}${flood(']', MANY)}}]}`,
  'bases inside bases': `<feed xml:base="http://a.example/">${flood('<entry xml:base="b/">')}`,
}

for (const [name, text] of Object.entries(floods)) {
  test(`a flood of ${name} takes time in proportion to its size`, async () => {
    const bytes = Buffer.from(text)
    // Twice the budget of 50 ms and 100 ns a byte, for a busy machine; what is not linear takes hundreds of times.
    await assertWithin(2 * (50 + bytes.length / 10_000), () => readOrRefuse(bytes))
  })
}
