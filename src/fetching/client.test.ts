// The fetcher over real sockets: request headers, bodies, limits and aborts.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { type Origin, startOrigin } from '../../test/support/origin.ts'
import { type TestFetcher, testFetcher, told } from '../../test/support/test-fetcher.ts'
import { userAgentOf } from './request-headers.ts'

const TEXT = 'Tidings of some length, so that packing it pays. '.repeat(50)
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('a fetch', () => {
  let origin: Origin
  let client: TestFetcher
  let seen: () => Record<string, unknown>

  before(async () => {
    origin = await startOrigin({ host: '127.0.0.5' })
    client = testFetcher()
  })
  after(async () => {
    await client[Symbol.asyncDispose]()
    await origin.close()
  })
  beforeEach(() => {
    seen = () => ({ ...origin.requests.at(-1)?.headers })
  })

  test('sends User-Agent and Accept, and nothing more', async () => {
    origin.route('/cookie', { headers: { 'set-cookie': ['a=1', 'b=2'] }, body: 'x' })
    await client.get(`${origin.url}/cookie?a=b`)
    await client.get(`${origin.url}/cookie?a=b`)
    const { accept, ...rest } = seen()
    assert.match(String(accept), /^application\/atom\+xml, application\/rss\+xml/)
    assert.deepEqual(rest, {
      host: `127.0.0.5:${origin.port}`,
      connection: 'keep-alive',
      'user-agent': 'Tidings/1.2.3 (+https://tidings.example)',
      'accept-encoding': 'gzip, deflate, br, zstd',
    })
    assert.equal(origin.requests.at(-1)?.path, '/cookie?a=b')
    await client.get(`${origin.url}/cookie`, { accept: 'json' })
    assert.equal(seen().accept, 'application/json')
  })

  test('sends validators back unchanged, each only if the server sent it', async () => {
    const etag = 'W/"caf\u00e9, \t \\"odd"'
    origin.route('/both', { etag, lastModified: 'Yesterday, around noon', body: 'x' })
    const first = await client.get(`${origin.url}/both`)
    assert.equal(first.kind, 'body')
    if (first.kind !== 'body') return
    assert.deepEqual(first.validators, { etag, lastModified: 'Yesterday, around noon', from: `${origin.url}/both` })

    const second = await client.get(`${origin.url}/both`, { validators: first.validators })
    assert.equal(second.kind, 'not-modified')
    assert.equal(seen()['if-none-match'], etag)
    assert.equal(seen()['if-modified-since'], 'Yesterday, around noon')
    await client.get(`${origin.url}/both`, { validators: { etag: null, lastModified: 'x' } })
    assert.equal('if-none-match' in seen(), false)
    await client.get(`${origin.url}/both`, { validators: { etag, lastModified: null } })
    assert.equal('if-modified-since' in seen(), false)
  })

  test('a 304 replaces the validators it contains and keeps the others', async () => {
    origin.route('/304', (_request, response) => response.writeHead(304, { etag: '"new"' }).end())
    const result = await client.get(`${origin.url}/304`, { validators: { etag: '"old"', lastModified: 'then' } })
    const refreshed = { etag: '"new"', lastModified: 'then', from: `${origin.url}/304` }
    assert.deepEqual(result.kind === 'not-modified' && result.validators, refreshed)
  })

  test('validators are taken from a 200 only', async () => {
    origin.route('/203', { status: 203, etag: '"a"', body: 'x' })
    const result = await client.get(`${origin.url}/203`)
    assert.deepEqual(result.kind === 'body' && result.validators, { etag: null, lastModified: null })
  })

  test('validators of one URL are not sent to another', async () => {
    origin.route('/moved', { status: 302, headers: { location: '/target' } })
    origin.route('/target', { etag: '"t"', body: 'x' })
    const validators = { etag: '"t"', lastModified: null }
    const own = { validators: { ...validators, from: `${origin.url}/target` } }
    assert.equal((await client.get(`${origin.url}/moved`, own)).kind, 'not-modified')
    assert.equal('if-none-match' in (origin.requestsTo('/moved').at(-1)?.headers ?? {}), false)
    const elsewhere = { validators: { ...validators, from: `${origin.url}/other` } }
    assert.equal((await client.get(`${origin.url}/moved`, elsewhere)).kind, 'body')
  })

  for (const [encoding, body] of [
    ['gzip', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['zstd', zstdCompressSync(TEXT)],
    ['zstd', Buffer.concat([zstdCompressSync(TEXT.slice(0, 99)), zstdCompressSync(TEXT.slice(99))])],
    ['gzip, br', brotliCompressSync(gzipSync(TEXT))],
    ['identity', Buffer.from(TEXT)],
    ['UTF-8', Buffer.from(TEXT)],
  ] as const) {
    test(`a body in ${encoding} (${body.length} bytes) is decompressed`, async () => {
      origin.route('/packed', { headers: { 'content-encoding': encoding }, body })
      const result = await client.get(`${origin.url}/packed`)
      assert.equal(result.kind === 'body' && textOf(result.bytes), TEXT, told(result).reason)
      assert.equal(result.kind === 'body' && result.wireBytes, body.length)
    })
  }

  test('the size that gzip data states is a hint only, and every body comes in a buffer of its own', async () => {
    const [short, long] = [TEXT, TEXT.repeat(300)]
    const members = (...texts: readonly string[]) => Buffer.concat(texts.map((text) => gzipSync(text)))
    const bodies = { short: [short], long: [long], 'last-short': [long, short], 'last-long': [short, long] }
    for (const [name, texts] of Object.entries(bodies)) {
      origin.route(`/${name}`, { headers: { 'content-encoding': 'gzip' }, body: members(...texts) })
      const fetched = await client.get(`${origin.url}/${name}`)
      assert.ok(fetched.kind === 'body', name)
      assert.ok(textOf(fetched.bytes) === texts.join(''), name)
      assert.equal(fetched.bytes.buffer.byteLength, fetched.bytes.byteLength, name)
    }
  })

  test('gzip with trailing garbage, or with several members, is read up to the end of the gzip data', async () => {
    origin.route('/rubbish', {
      headers: { 'content-encoding': 'gzip' },
      body: Buffer.concat([gzipSync(TEXT), Buffer.alloc(9)]),
    })
    origin.route('/members', {
      headers: { 'content-encoding': 'gzip' },
      body: Buffer.concat([gzipSync('one '), gzipSync('two')]),
    })
    const rubbish = await client.get(`${origin.url}/rubbish`)
    assert.equal(rubbish.kind === 'body' && textOf(rubbish.bytes), TEXT)
    const members = await client.get(`${origin.url}/members`)
    assert.equal(members.kind === 'body' && textOf(members.bytes), 'one two')
  })

  test('a deflate body is read even if its first byte arrives alone', async () => {
    for (const packed of [deflateSync(TEXT), deflateRawSync(TEXT)]) {
      origin.route('/drip', (_request, response) => {
        response.writeHead(200, { 'content-encoding': 'deflate' }).write(packed.subarray(0, 1))
        setTimeout(() => response.end(packed.subarray(1)), 30)
      })
      const result = await client.get(`${origin.url}/drip`)
      assert.equal(result.kind === 'body' && textOf(result.bytes), TEXT, told(result).reason)
    }
  })

  test('an empty body has length 0, whatever its Content-Encoding', async () => {
    for (const headers of [{}, { 'content-encoding': 'gzip' }]) {
      origin.route('/empty', { headers, body: '' })
      const result = await client.get(`${origin.url}/empty`)
      assert.equal(result.kind === 'body' && result.bytes.length, 0)
    }
    origin.route('/204', { status: 204 })
    assert.equal((await client.get(`${origin.url}/204`)).kind, 'body')
  })

  test('a body of exactly the limit is read, one byte more is too large', async () => {
    const limit = 1024 * 1024
    origin.route('/limit', { body: Buffer.alloc(limit, 'x') })
    assert.equal((await client.get(`${origin.url}/limit`)).kind, 'body')
    origin.route('/limit', { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(limit + 1, 'x')) })
    assert.equal(told(await client.get(`${origin.url}/limit`)).code, 'body-too-large')
  })

  test('received bytes are counted, also for aborted bodies and redirects', async () => {
    origin.route('/cut', (request) => {
      request.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\nhalf')
    })
    origin.route('/to-cut', { status: 302, headers: { location: '/cut' }, body: 'there' })
    const cut = await client.get(`${origin.url}/to-cut`)
    assert.deepEqual([told(cut).code, 'wireBytes' in cut && cut.wireBytes], ['body-truncated', 9])
  })

  test('a header sent twice with the same value is merged, except Content-Encoding', async () => {
    const twice = (value: string) => [value, value]
    origin.route('/busy', { status: 503, headers: { 'retry-after': twice('120') } })
    const busy = await client.get(`${origin.url}/busy`)
    assert.equal('headers' in busy && busy.headers['retry-after'], '120')
    origin.route('/here', { status: 301, headers: { location: twice('/there') } })
    origin.route('/there', { headers: { 'content-encoding': twice('gzip') }, body: gzipSync(gzipSync(TEXT)) })
    const there = await client.get(`${origin.url}/here`)
    assert.equal(there.kind === 'body' && textOf(there.bytes), TEXT, told(there).reason)
  })

  test('an error status comes with its headers and the start of the body', async () => {
    origin.route('/limited', {
      status: 429,
      headers: { 'retry-after': '7', 'content-encoding': 'gzip' },
      body: gzipSync('{"error":"slow down"}'),
    })
    const result = await client.get(`${origin.url}/limited`)
    assert.equal(result.kind, 'status')
    if (result.kind !== 'status') return
    assert.deepEqual(result.failure, {
      code: 'http-status',
      httpStatus: 429,
      reason: 'The server answered 429 Too Many Requests',
    })
    assert.equal(result.headers['retry-after'], '7')
    assert.equal(result.excerpt, '{"error":"slow down"}')
  })

  test('connections are kept alive and reused', async () => {
    origin.route('/again', { body: 'x' })
    await client.get(`${origin.url}/again`)
    const before = origin.connections
    for (let visit = 0; visit < 5; visit++) await client.get(`${origin.url}/again`)
    await client.get(`${origin.url}/missing`)
    await client.get(`${origin.url}/again`)
    assert.equal(origin.connections, before)
  })

  test('a connection opened by a trusted request is not reused by an untrusted one', async () => {
    origin.route('/secret', { body: 'internal' })
    assert.equal((await client.get(`${origin.url}/secret`)).kind, 'body')
    const untrusted = told(await client.get(`${origin.url}/secret`, { trusted: false }))
    assert.equal(untrusted.code, 'refused-address')
    assert.match(untrusted.reason, /127\.0\.0\.5 is a loopback address.*app\.http\.allow-private-networks/)
    assert.equal(origin.requestsTo('/secret').length, 1)
  })

  test('an aborted signal gives the result "aborted", before and during the fetch', async () => {
    origin.route('/slow', () => {})
    assert.deepEqual(await client.get(`${origin.url}/slow`, { signal: AbortSignal.abort() }), { kind: 'aborted' })
    assert.equal(origin.requestsTo('/slow').length, 0)
    const giveUp = new AbortController()
    origin.route('/slow', () => giveUp.abort())
    assert.deepEqual(await client.get(`${origin.url}/slow`, { signal: giveUp.signal }), { kind: 'aborted' })
  })

  test('close() aborts fetches in flight', async () => {
    const closing = testFetcher()
    origin.route('/closing', () => void closing.fetcher.close())
    assert.deepEqual(await closing.get(`${origin.url}/closing`), { kind: 'aborted' })
  })

  test('an address that is not http or https fails as bad-url', async () => {
    for (const url of ['', 'feed', 'ftp://example.org/', 'http://', 'file:///etc/passwd', 'http://exa mple/'])
      assert.equal(told(await client.get(url)).code, 'bad-url', url)
  })

  test('a refused connection, an unknown name and a silent port have different codes', async () => {
    const closedPort = await startOrigin({ host: '127.0.0.5' })
    await closedPort.close()
    assert.equal(told(await client.get(closedPort.url)).code, 'connection-refused')
    assert.equal(told(await client.get('http://no-such-host.invalid/')).code, 'dns-not-found')
  })
})

test('without a public URL the User-Agent still describes Tidings; a configured User-Agent is used unchanged', () => {
  assert.equal(userAgentOf(null, '1.0', null), 'Tidings/1.0 (self-hosted source poller)')
  assert.equal(userAgentOf('Mine/2 (me@example.org)', '1.0', 'https://x.example'), 'Mine/2 (me@example.org)')
  assert.equal(userAgentOf('Zeit\u2028ung\r\nX: y', '1.0', null), 'Zeit?ung??X: y')
})
