import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { createDocuments } from './documents.ts'

const documents = createDocuments({ size: 1 })
after(() => documents.close())
const bytesOf = (text: string) => new TextEncoder().encode(text)
const hint = { contentType: undefined, url: 'https://example.org/feed' }
const asNew = { ...hint, newFrom: 0, lastHash: null, isLastUse: false }

test('a feed is read in a worker, its bodies hashed there', async () => {
  const feed =
    '<rss version="2.0"><channel><title>T</title><item><title>a</title><description>One</description></item></channel></rss>'
  const read = await documents.readFeed(bytesOf(feed), asNew)
  assert.ok(read.ok && read.value.kind === 'feed')
  assert.equal(read.value.title, 'T')
  assert.equal(read.value.bodyHash, createHash('sha256').update(feed).digest('hex'))
  assert.equal(read.value.candidates[0]?.body, 'One')
  assert.equal(read.value.candidates[0]?.contentHash, createHash('sha256').update('One').digest('hex'))
})

test('the same bytes as last time are not read again, and bytes that nobody needs any more are moved', async () => {
  const feed = '<rss version="2.0"><channel><item><title>a</title></item></channel></rss>'
  const bytes = bytesOf(feed)
  const lastHash = createHash('sha256').update(feed).digest('hex')
  assert.deepEqual(await documents.readFeed(bytes, { ...asNew, lastHash }), { ok: true, value: { kind: 'same-bytes' } })
  assert.equal(bytes.length, feed.length)
  const read = await documents.readFeed(bytes, { ...asNew, isLastUse: true })
  assert.ok(read.ok && read.value.kind === 'feed')
  assert.equal(bytes.length, 0)
})

test('HTML of entries that may be new comes clean if it is simple, and that of old ones not at all', async () => {
  const item = (day: string, html: string) =>
    `<item><guid>${day}${html.length}</guid>${day && `<pubDate>${day} Nov 2026 10:00:00 GMT</pubDate>`}<description><![CDATA[${html}]]></description></item>`
  const items = [item('10', '<p>old</p>'), item('12', '<p>new <img src="/i.png"></p>'), item('13', '<p>odd<p>html')]
  const feed = `<rss version="2.0"><channel>${items.join('')}${item('', '<p>undated</p>')}</channel></rss>`
  const read = await documents.readFeed(bytesOf(feed), { ...asNew, newFrom: Date.parse('2026-11-11T00:00:00Z') })
  assert.ok(read.ok && read.value.kind === 'feed')
  const [old, simple, odd, undated] = read.value.candidates
  assert.deepEqual([old?.content, old?.htmlBytes], [undefined, undefined])
  assert.equal(Buffer.from(simple?.htmlBytes ?? '').toString(), '<p>new <img src="https://example.org/i.png" /></p>')
  assert.deepEqual([simple?.content, simple?.image], [undefined, 'https://example.org/i.png'])
  assert.equal(odd?.content?.html, '<p>odd<p>html')
  assert.equal(undated?.content?.html, '<p>undated</p>')
  const none = await documents.readFeed(bytesOf(feed), { ...asNew, newFrom: Number.POSITIVE_INFINITY })
  assert.ok(none.ok && none.value.kind === 'feed')
  assert.ok(none.value.candidates.every(({ content, htmlBytes }) => !content && !htmlBytes))
})

test('a page is read in a worker, and the bytes stay with the caller', async () => {
  const bytes = bytesOf(`<title>Page</title><article><p>${'Plain words about a thing. '.repeat(30)}</p></article>`)
  const read = await documents.readPage(bytes, hint)
  assert.ok(read.ok)
  assert.match(read.value.candidate.body, /^Plain words about a thing/)
  assert.ok(bytes.length > 0)
})

test('what cannot be read is a failure with its code and a reason', async () => {
  const empty = await documents.readFeed(new Uint8Array(), asNew)
  assert.equal(!empty.ok && empty.failure.code, 'body-empty')
  const text = await documents.readFeed(bytesOf('just words'), asNew)
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
  const read = await hanging.documents.readFeed(bytesOf('<rss/>'), asNew)
  assert.deepEqual(!read.ok && read.failure, {
    code: 'reader-timeout',
    httpStatus: null,
    reason: 'Reading took longer than 0.1 s',
  })
})
