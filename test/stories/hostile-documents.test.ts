// Documents made to hurt their reader, fetched and read as the product does: every one ends in time with a result or a
// reason, nothing outside the document is asked for, and others are still served meanwhile.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { DocumentResult, FeedRead, SameBytes } from '../../src/ports/documents.ts'
import { createDocuments } from '../../src/workers/documents.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { type TestFetcher, testFetcher } from '../support/test-fetcher.ts'

const MB = 1024 * 1024
/** It must not be the time limit that ends a document: a slow machine needs more of it. */
const documents = createDocuments({ size: 1, timeLimitMs: 120_000 })

const AS_NEW = { newFrom: 0, lastHash: null, isLastUse: false }

describe('a hostile document', () => {
  let origin: Origin
  let client: TestFetcher

  before(async () => {
    origin = await startOrigin({ host: '127.0.0.16' })
    origin.route('/ordinary', { body: 'fine' })
    client = testFetcher({ maxBodyBytes: 10 * MB })
  })
  after(async () => {
    await documents.close()
    await client[Symbol.asyncDispose]()
    await origin.close()
  })

  /** Reads the feed while an ordinary fetch must be answered, too. */
  async function read(path: string, body: string | Uint8Array, contentType = 'application/rss+xml') {
    origin.route(path, { body, contentType })
    const answer = await client.get(`${origin.url}${path}`)
    assert.equal(answer.kind, 'body')
    if (answer.kind !== 'body') throw new Error('no body')
    const hint = { contentType: answer.headers['content-type'], url: answer.url, ...AS_NEW }
    const reading = documents.readFeed(answer.bytes, hint)
    assert.equal((await client.get(`${origin.url}/ordinary`)).kind, 'body')
    return reading
  }

  function outcome(result: DocumentResult<FeedRead | SameBytes>): FeedRead | string {
    if (!result.ok) return result.failure.code
    assert.equal(result.value.kind, 'feed')
    return result.value as FeedRead
  }

  /** Whatever it holds, the reader itself must neither hang, die nor stumble. */
  function survived(result: DocumentResult<FeedRead | SameBytes>): void {
    const trouble = ['reader-timeout', 'reader-crashed', 'unexpected']
    assert.ok(result.ok || !trouble.includes(result.failure.code), result.ok ? '' : result.failure.reason)
  }

  test('that keeps its reader busy for ever keeps nobody from being fetched', async () => {
    const entry = new URL('../support/hanging-document-worker.ts', import.meta.url)
    const hanging = createDocuments({ size: 1, entry })
    let isRead = false
    const reading = hanging
      .readFeed(new Uint8Array([1]), { url: origin.url, contentType: undefined, ...AS_NEW })
      .then(() => {
        isRead = true
      })
    assert.equal((await client.get(`${origin.url}/ordinary`)).kind, 'body')
    assert.equal(isRead, false, 'the document was still being read')
    await hanging.close()
    await reading
  })

  test('billion laughs do not multiply', async () => {
    const entities = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')
    const feed = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY l0 "ha">${entities}]><rss version="2.0"><channel><title>t</title><item><title>&l9;</title></item></channel></rss>`
    const result = outcome(await read('/laughs', feed))
    assert.ok(JSON.stringify(result).length < 10_000)
  })

  test('external entities are never fetched', async () => {
    const feed = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY x SYSTEM "${origin.url}/stolen"><!ENTITY f SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel><title>t</title><item><title>a &x; &f;</title><description>b</description></item></channel></rss>`
    const result = outcome(await read('/external', feed))
    assert.equal(origin.requestsTo('/stolen').length, 0)
    assert.ok(!JSON.stringify(result).includes('root:'))
  })

  test('200,000 elements deep ends with a result or a reason', async () => {
    const deep = '<a>'.repeat(200_000)
    const result = await read(
      '/deep',
      `<rss version="2.0"><channel><item><description>${deep}</description></item></channel></rss>`,
    )
    survived(result)
  })

  test('20,000 entries are read, or cut with a note', async () => {
    const items = Array.from(
      { length: 20_000 },
      (_, n) => `<item><title>e${n}</title><guid>g${n}</guid><description>body ${n}</description></item>`,
    )
    const result = await read(
      '/entries',
      `<rss version="2.0"><channel><title>t</title>${items.join('')}</channel></rss>`,
    )
    assert.ok(result.ok, 'a large feed is still a feed')
    const feed = outcome(result)
    assert.ok(typeof feed === 'object' && (feed.candidates.length === 20_000 || feed.notes.length > 0))
  })

  test('10 MB of text in one entry is read in bounds', async () => {
    const text = 'tidings '.repeat(1_200_000)
    const result = await read(
      '/text',
      `<rss version="2.0"><channel><item><title>t</title><description>${text}</description></item></channel></rss>`,
    )
    survived(result)
  })

  test('NULs alone are no feed, and among a feed they do not hide it', async () => {
    assert.equal(typeof outcome(await read('/nuls', new Uint8Array(1000))), 'string')
    const feed =
      '<rss version="2.0"><channel><title>t</title><item><title>a\0b</title><description>c</description></item></channel></rss>'
    assert.ok((await read('/nul-inside', feed)).ok)
  })

  test('a wrong or unknown charset is no crash', async () => {
    const feed =
      '<?xml version="1.0" encoding="utf-16"?><rss version="2.0"><channel><item><title>t\u00e9</title></item></channel></rss>'
    for (const charset of ['utf-16', 'x-no-such', 'iso-2022-jp', ''])
      survived(await read('/charset', Buffer.from(feed, 'latin1'), `text/xml; charset=${charset}`))
  })
})
