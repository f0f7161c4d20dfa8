/** Caches that outlive a document stay small, however large the documents are. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

const DOCUMENTS = 50
const READ_MANY = `
  const { readFeed } = await import(${JSON.stringify(new URL('./read-feed.ts', import.meta.url))})
  const read = (at) => {
    // Long enough to be a part of its document for the runtime, and already in the form in which dates are read.
    const word = 'абвгдежзиклмнопрст'.slice(at % 3) + 'уфхцчшщъыьэюя'.slice(at % 13, 1 + at % 13) + 'абвгдежзик'[at % 10]
    const text = '<rss xmlns:dc="http://purl.org/dc/elements/1.1/?copy=' + at + '"><channel><item><dc:title>t &copy' + at +
      '; 12:30</dc:title><pubDate>5 januari 2020 12:30 europe/paris</pubDate></item><item><pubDate>5 ' + word + ' 2020</pubDate></item>'
    const bytes = Buffer.from(text.replace(/[а-я]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x360)), 'latin1')
    const document = ['<?xml version="1.0" encoding="iso-8859-5"?>', bytes, ' '.repeat(1_000_000)].map((part) => Buffer.from(part))
    readFeed(Buffer.concat(document), { url: 'https://feeds.example/' })
  }
  const used = () => (gc(), process.memoryUsage().heapUsed)
  read(0)
  const before = used()
  for (let at = 1; at <= ${DOCUMENTS}; at++) read(at)
  console.log(used() - before)`

test('documents are forgotten when they have been read', () => {
  const kept = Number(execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', READ_MANY]))
  assert.ok(kept < 5_000_000, `${kept} bytes kept of ${DOCUMENTS} documents of a million each`)
})

const readWithSmallCollections = (module: string) => `
  const { readFeed } = await import(${JSON.stringify(new URL(module, import.meta.url))})
  const item = '<item><link>https://feeds.example/a</link><description>' + 'Text of it. '.repeat(500) + '</description></item>'
  const bytes = Buffer.from('<rss><channel>' + item.repeat(20))
  const readAll = () => {
    for (let at = 0; at < ${DOCUMENTS}; at++) {
      readFeed(bytes, { url: 'https://feeds.example/' })
      gc({ type: 'minor' })
    }
    return process.memoryUsage().heapUsed
  }
  readAll()
  gc()
  const before = process.memoryUsage().heapUsed
  console.log(readAll() - before)`

for (const [reader, module] of [
  ['the reader', './read-feed.ts'],
  ['the library', '../../index.ts'],
] as const) {
  test(`a collection of the young generation is enough to forget documents: ${reader}`, () => {
    const flags = ['--expose-gc', '--input-type=module', '-e']
    const kept = Number(execFileSync(process.execPath, [...flags, readWithSmallCollections(module)]))
    assert.ok(kept < 1_000_000, `${kept} bytes kept of ${DOCUMENTS} documents of 120,000 each`)
  })
}
