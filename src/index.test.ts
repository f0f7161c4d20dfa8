// The readers as the library gives them to others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { Problem, readFeed, readPage } from './index.ts'

const context = { url: 'https://site.example/' }
const feed = Buffer.from('<rss><channel><title>F</title></channel></rss>')
const page = Buffer.from(`<title>P</title><article><p>${'Some text to read. '.repeat(30)}</p></article>`)

test('the readers say which argument is wrong and what they expect', () => {
  const wrong: (readonly [unknown, unknown, string])[] = [
    ['<rss/>', context, 'bytes: expected a Uint8Array, got "<rss/>"'],
    [null, context, 'bytes: expected a Uint8Array, got null'],
    [undefined, context, 'bytes: expected a Uint8Array, got nothing'],
    [feed, undefined, 'context: expected an object with the url of the document, got nothing'],
    [feed, context.url, 'context: expected an object with the url of the document, got "https://site.example/"'],
    [feed, {}, 'context.url: expected an absolute URL, got nothing'],
    [feed, { url: '/feed.xml' }, 'context.url: expected an absolute URL, got "/feed.xml"'],
    [feed, { ...context, contentType: 1 }, 'context.contentType: expected a media type as text, got 1'],
  ]
  for (const [bytes, given, message] of wrong) {
    for (const read of [readFeed, readPage] as ((...args: unknown[]) => unknown)[]) {
      assert.throws(
        () => read(bytes, given),
        (error) => error instanceof Problem && error.code === 'invalid-input' && error.message === message,
        message,
      )
    }
  }
})

test('the readers take the bytes as any kind of buffer', () => {
  const kinds = (bytes: Buffer): unknown[] => {
    const buffer = Uint8Array.from(bytes).buffer
    return [
      bytes,
      new Uint8Array(buffer),
      buffer,
      new DataView(buffer),
      runInNewContext('Uint8Array.from(x)', { x: bytes }),
    ]
  }
  for (const bytes of kinds(feed)) assert.equal(readFeed(bytes as Uint8Array, context).title, 'F')
  for (const bytes of kinds(page)) assert.equal(readPage(bytes as Uint8Array, context).title, 'P')
})

test('what is no document has a code', () => {
  assert.throws(() => readFeed(new Uint8Array(), context), { code: 'empty' })
  assert.throws(() => readPage(new ArrayBuffer(0), context), { code: 'empty' })
})
