import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { createDocuments } from './documents.ts'

const documents = createDocuments({ size: 1 })
after(() => documents.close())
const bytesOf = (text: string) => new TextEncoder().encode(text)
const hint = { contentType: undefined, url: 'https://example.org/feed' }

test('a feed is read in a worker, its bodies hashed there', async () => {
  const feed =
    '<rss version="2.0"><channel><title>T</title><item><title>a</title><description>One</description></item></channel></rss>'
  const read = await documents.readFeed(bytesOf(feed), hint)
  assert.ok(read.ok)
  assert.equal(read.value.title, 'T')
  assert.equal(read.value.candidates[0]?.body, 'One')
  assert.equal(read.value.candidates[0]?.contentHash, createHash('sha256').update('One').digest('hex'))
})

test('a page is read in a worker, and the bytes stay with the caller', async () => {
  const bytes = bytesOf(`<title>Page</title><article><p>${'Plain words about a thing. '.repeat(30)}</p></article>`)
  const read = await documents.readPage(bytes, hint)
  assert.ok(read.ok)
  assert.match(read.value.candidate.body, /^Plain words about a thing/)
  assert.ok(bytes.length > 0)
})

test('what cannot be read is a failure with its code and a reason', async () => {
  const empty = await documents.readFeed(new Uint8Array(), hint)
  assert.equal(!empty.ok && empty.failure.code, 'body-empty')
  const text = await documents.readFeed(bytesOf('just words'), hint)
  assert.equal(!text.ok && text.failure.code, 'not-a-feed')
  assert.ok(!text.ok && text.failure.reason.length > 10)
})

test('a reader out of time is a transient failure in words', async () => {
  const entry = new URL('../../test/support/hanging-document-worker.ts', import.meta.url)
  await using hanging = {
    documents: createDocuments({ size: 1, timeLimitMs: 100, entry }),
    [Symbol.asyncDispose]() {
      return this.documents.close()
    },
  }
  const read = await hanging.documents.readFeed(bytesOf('<rss/>'), hint)
  assert.deepEqual(!read.ok && read.failure, {
    code: 'reader-timeout',
    httpStatus: null,
    reason: 'Reading took longer than 0.1 s',
  })
})
