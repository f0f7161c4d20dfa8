/** The fast scan and the plain scan must give equal feeds for every document, however broken it is. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { plainScan } from '../../../../test/support/plain-scan.ts'
import type { XmlScan } from '../elements/xml-scan.ts'
import { FeedError } from '../feed-error.ts'
import { readFeed } from '../read-feed.ts'
import { fastScan } from './fast-scan.ts'

const folder = new URL('../fixtures/', import.meta.url)
const fixtures = readdirSync(folder)
  .filter((name) => !name.endsWith('.expected.json'))
  .map((name) => ({ name, bytes: readFileSync(new URL(name, folder)) }))

function read(bytes: Uint8Array, scan: XmlScan): unknown {
  try {
    return readFeed(bytes, { url: 'https://feeds.example/blog/feed' }, scan)
  } catch (error) {
    if (error instanceof FeedError) return error.code
    throw error
  }
}

function assertSame(bytes: Uint8Array, maxPartBytes = fastScan.maxPartBytes): void {
  assert.deepEqual(read(bytes, { ...fastScan, maxPartBytes }), read(bytes, plainScan))
}

const anyFixture = fc.constantFrom(...fixtures.map(({ bytes }) => bytes))
const anyPartBytes = fc.oneof(fc.constant(fastScan.maxPartBytes), fc.integer({ min: 20, max: 2000 }))
const position = fc.double({ min: 0, max: 1, noNaN: true })

/** Pieces that change how everything behind them is to be understood. */
const marks = [
  '<![CDATA[',
  ']]>',
  ']]',
  '<!--',
  '-->',
  '<?x',
  '?>',
  '<!DOCTYPE x [',
  '<',
  '>',
  '/>',
  '</',
  '</ title >',
  '</</title>',
  '"',
  "'",
  ' a=',
  ' = "b"',
  '&',
  '&lt;b&gt;',
  '<3',
  '</3>',
  '\u00a0',
  '\u00ad',
  '\u200b',
  '\t',
  'é',
  '\ud83d\ude00',
]
const tags = [
  '<title>',
  '</title>',
  '</Title>',
  '<title/>',
  '<title type="html">',
  "<title type='xhtml'>",
  '<link>',
  '<link/>',
  '</link>',
  '<link href="/a?b&amp;c"/>',
  '<link rel = self href=/d />',
  `<link href='/e"/>f'/>`,
  `<link href="/g'/>h"/>`,
  '<item>',
  '</item>',
  '<entry xml:base="/sub/">',
  '</entry>',
  '<author>',
  '<name>',
  '</name>',
  '</author>',
  '<image><url>/i.png</url></image>',
  '<description>',
  '</description>',
  '<content type="xhtml">',
  '<content:encoded>',
  '</content:encoded>',
  '</content>',
  '<div xmlns="http://www.w3.org/1999/xhtml">',
  '<p class="x">',
  '</p>',
  '<x:title xmlns:x="http://purl.org/dc/elements/1.1/">',
  '</x:title>',
  '<guid isPermaLink="false">',
  '</guid>',
  '<pubDate>Tue, 08 Sep 2026 08:30:00 +0200</pubDate>',
  '<category term="t" label="l"/>',
  '<html>',
]
const roots = ['<rss><channel>', '<feed xmlns="http://www.w3.org/2005/Atom">', '<rdf:RDF><channel>', '<x>', '']
const words = ['text', ' ', 'two words', 'a@b.example (A B)', 'https://example.org/1', '\n']

for (const { name, bytes } of fixtures) {
  test(`the fixture ${name} gives equal feeds, whole and cut off anywhere`, () => {
    for (let end = 0; end <= bytes.length; end += Math.max(1, Math.floor(bytes.length / 150))) {
      assertSame(bytes.subarray(0, end))
    }
    for (const partBytes of [20, 100, 500, 2000, bytes.length]) assertSame(bytes, partBytes)
  })
}

test('fixtures with pieces put in anywhere give equal feeds', () => {
  const insertion = fc.tuple(position, fc.constantFrom(...marks, ...tags))
  const insertions = fc.array(insertion, { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(anyFixture, insertions, position, anyPartBytes, (bytes, pieces, end, partBytes) => {
      const changed = pieces.reduce((document: Uint8Array, [at, piece]) => {
        const cut = Math.floor(at * document.length)
        return Buffer.concat([document.subarray(0, cut), Buffer.from(piece), document.subarray(cut)])
      }, bytes)
      assertSame(changed, partBytes)
      assertSame(changed.subarray(0, Math.floor(end * changed.length)), partBytes)
    }),
    { numRuns: 1500 },
  )
})

test('fixtures with ranges removed or repeated give equal feeds', () => {
  fc.assert(
    fc.property(anyFixture, position, position, anyPartBytes, (bytes, one, other, partBytes) => {
      const from = Math.floor(Math.min(one, other) * bytes.length)
      const to = Math.floor(Math.max(one, other) * bytes.length)
      assertSame(Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]), partBytes)
      assertSame(Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]), partBytes)
    }),
    { numRuns: 500 },
  )
})

test('documents made of tags, marks and words in any order give equal feeds', () => {
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...tags) },
    { weight: 2, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: fc.constantFrom(...marks) },
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...roots),
      fc.array(piece, { maxLength: 40 }),
      anyPartBytes,
      (root, pieces, partBytes) => assertSame(Buffer.from(root + pieces.join('')), partBytes),
    ),
    { numRuns: 3000 },
  )
})
