import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { FeedError } from '../feed-error.ts'
import { readFeed } from '../read-feed.ts'
import { fastScan } from './fast-scan.ts'
import { windowsOf } from './windows.ts'

const folder = new URL('../fixtures/', import.meta.url)
const documents = readdirSync(folder)
  .filter((name) => !name.endsWith('.expected.json'))
  .map((name) => readFileSync(new URL(name, folder)))

function read(bytes: Uint8Array, windowBytes: number): unknown {
  try {
    return readFeed(bytes, { url: 'https://feeds.example/' }, { ...fastScan, maxPartBytes: windowBytes })
  } catch (error) {
    if (error instanceof FeedError) return error.code
    throw error
  }
}

const anyDocument = fc.constantFrom(...documents)
const position = fc.double({ min: 0, max: 1, noNaN: true })
/** Pieces that can hide an end tag or change its meaning. */
const disturbance = fc.constantFrom(
  '<![CDATA[',
  ']]>',
  '<!--',
  '-->',
  '<a b="',
  '"',
  '<title>',
  '</title>',
  '<?x',
  '<?x y>',
  '<rss>',
  '<!DOCTYPE x [',
  '</dc:',
  "<a b='",
  '</item>',
  '</entry>',
  '<item>',
  'é',
)

test('a document reads the same in windows as whole, however broken it is', () => {
  fc.assert(
    fc.property(
      anyDocument,
      fc.array(fc.tuple(position, disturbance), { maxLength: 6 }),
      fc.integer({ min: 20, max: 2000 }),
      (bytes, disturbances, windowBytes) => {
        const disturbed = disturbances.reduce((document: Uint8Array, [at, put]) => {
          const cut = Math.floor(at * document.length)
          return Buffer.concat([document.subarray(0, cut), Buffer.from(put), document.subarray(cut)])
        }, bytes)
        assert.deepEqual(read(disturbed, windowBytes), read(disturbed, Number.POSITIVE_INFINITY))
      },
    ),
    { numRuns: 1500 },
  )
})

test('what hides the document is passed over in windows too, before its root and nowhere else', () => {
  const entries = '<entry><title>A</title><content><![CDATA[<?b c>]]></content></entry><entry><title>B</title></entry>'
  const space = ' '.repeat(1500)
  for (const prolog of [
    '',
    '<?xml version="1.0">',
    `<!--${space}--><?x y>`,
    `<!-- <?x y>${space} <rss> -->${space}<?x y>`,
  ]) {
    const document = Buffer.from(`<b/>${prolog}<a:feed>${entries}</a:feed>`)
    const whole = read(document, Number.POSITIVE_INFINITY)
    assert.partialDeepStrictEqual(whole, { entries: [{ title: 'A', body: '<?b c>' }, { title: 'B' }] }, prolog)
    for (const windowBytes of [20, 100, 3000]) assert.deepEqual(read(document, windowBytes), whole, prolog)
  }
})

test('windows are the document, part by part, and all but the last end with an entry', () => {
  for (const document of documents) {
    const windows = [...windowsOf(document, 300)]
    assert.deepEqual(Buffer.concat(windows), document)
    for (const window of windows.slice(0, -1)) assert.match(Buffer.from(window).toString('latin1'), /<\/(item|entry)>$/)
  }
})

test('an entry longer than a window is not parted', () => {
  const entry = `<item><title>${'long '.repeat(100)}</title></item>`
  const windows = [...windowsOf(Buffer.from(`<rss><item/></item>${entry}${entry}</rss>`), 64)]
  assert.deepEqual(
    windows.map((window) => Buffer.from(window).toString()),
    ['<rss><item/></item>', entry, entry, '</rss>'],
  )
})
