// A hostile server gets a recorded outcome with a reason a person understands, within the limits, and hurts nobody else.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { HttpConfig } from '../../src/ports/config.ts'
import { addHostileRoutes, HOSTILE } from '../support/hostile-routes.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { type TestFetcher, testFetcher, told } from '../support/test-fetcher.ts'

const MB = 1024 * 1024
/** Route -> code and what the reason must say. Every hostile route is listed: a new one without an expectation fails. */
const EXPECTED: Readonly<Record<string, readonly [string, RegExp]>> = {
  'endless-body': ['body-too-large', /larger than 1048576 bytes/],
  'one-byte-at-a-time': ['visit-timeout', /did not finish within 0.8 s/],
  'hang-before-headers': ['headers-timeout', /No complete headers within 0.5 s/],
  'hang-after-headers': ['body-timeout', /No part of the body arrived for 0.5 s/],
  'hang-mid-body': ['body-timeout', /No part of the body arrived for 0.5 s/],
  'headers-that-never-end': ['headers-timeout', /No complete headers within 0.5 s/],
  'headers-too-large': ['bad-http', /headers of the answer are too large/],
  'informational-for-ever': ['headers-timeout', /No complete headers within 0.5 s/],
  'gzip-bomb': ['body-too-large', /larger than/],
  'br-bomb': ['body-too-large', /larger than/],
  'zstd-bomb': ['body-too-large', /larger than/],
  'deflate-bomb': ['body-too-large', /larger than/],
  'gzip-in-gzip-bomb': ['body-too-large', /larger than/],
  'encoded-nine-times': ['bad-encoding', /9 content encodings/],
  'gzip-of-nothing-without-end': ['body-too-large', /The compressed body is larger than/],
  'gzip-truncated': ['body-truncated', /ends in the middle/],
  'br-truncated': ['body-truncated', /ends in the middle/],
  'zstd-truncated': ['body-truncated', /ends in the middle/],
  'deflate-truncated': ['body-truncated', /ends in the middle/],
  'gzip-that-is-not': ['bad-encoding', /not what its Content-Encoding says/],
  'br-that-is-not': ['bad-encoding', /not what its Content-Encoding says/],
  'zstd-that-is-not': ['bad-encoding', /not what its Content-Encoding says/],
  'unknown-encoding': ['bad-encoding', /unknown Content-Encoding "rot13"/],
  'content-length-too-long': ['body-truncated', /closed in the middle|not as long/],
  'content-length-twice': ['body-truncated', /not as long as its Content-Length/],
  'content-length-negative': ['bad-http', /not valid HTTP/],
  'chunks-broken': ['bad-http', /not valid HTTP/],
  'chunks-cut-short': ['body-truncated', /closed in the middle/],
  'reset-mid-body': ['connection-reset', /reset in the middle of the body/],
  'reset-in-a-body-without-length': ['connection-reset', /reset in the middle of the body/],
  'reset-before-headers': ['connection-reset', /closed before the answer/],
  'close-before-headers': ['connection-reset', /closed before the answer/],
  'not-http': ['bad-http', /not valid HTTP/],
  'nul-in-headers': ['bad-http', /not valid HTTP/],
  'switching-protocols': ['bad-http', /does not fit the request/],
  'not-modified-unasked': ['bad-http', /304 Not Modified to an unconditional request/],
  'partial-unasked': ['bad-http', /part of the document/],
  'error-page-without-end': ['http-status', /503 Service Unavailable/],
  'redirect-to-itself': ['redirect-loop', /in a circle/],
  'redirect-ping': ['redirect-loop', /in a circle/],
  'redirect-pong': ['redirect-loop', /in a circle/],
  'redirect-without-end': ['too-many-redirects', /More than 5 redirects/],
  'redirect-to-file': ['bad-redirect', /file: address; only http/],
  'redirect-to-gopher': ['bad-redirect', /gopher: address; only http/],
  'redirect-to-data': ['bad-redirect', /data: address; only http/],
  'redirect-to-javascript': ['bad-redirect', /javascript: address; only http/],
  'redirect-to-private': ['elsewhere', /^/],
  'redirect-to-metadata': ['elsewhere', /^/],
  'redirect-to-nowhere': ['bad-redirect', /without a Location/],
  'redirect-to-blank': ['bad-redirect', /without a Location/],
  'redirect-to-nonsense': ['bad-redirect', /not a URL/],
  'text-of-50-mb': ['body-too-large', /larger than/],
  nuls: ['body', /^/],
}

/**
 * Only routes that wait for a limit get a small one: a busy machine must not meet it by accident. Where it stands still
 * for a moment, another limit may be met first. Such a route is asked again.
 */
const SMALL_LIMIT: Readonly<Record<string, Partial<HttpConfig>>> = {
  'one-byte-at-a-time': { timeoutSeconds: 0.8 },
  'hang-before-headers': { headersTimeoutSeconds: 0.5 },
  'hang-after-headers': { headersTimeoutSeconds: 0.5 },
  'hang-mid-body': { headersTimeoutSeconds: 0.5 },
  'headers-that-never-end': { headersTimeoutSeconds: 0.5 },
  'informational-for-ever': { headersTimeoutSeconds: 0.5 },
}
const MOST_TRIES = 5

describe('a hostile server', () => {
  let origin: Origin
  let hostile: TestFetcher

  before(async () => {
    origin = await startOrigin({ host: '127.0.0.4' })
    addHostileRoutes(origin)
    origin.route('/well-behaved', { body: 'fine' })
    hostile = testFetcher()
    // Bombs are built on their first request; what that costs is not the fetcher's.
    for (const name of Object.keys(HOSTILE)) if (name.endsWith('-bomb')) await hostile.get(`${origin.url}/${name}`)
  })
  after(async () => {
    await hostile[Symbol.asyncDispose]()
    await origin.close()
  })

  for (const name of Object.keys(HOSTILE)) {
    test(`${name} ends as told, and others are still served`, async (t) => {
      const [code, words] = EXPECTED[name] ?? ['no expectation', /^/]
      await using visitor = testFetcher(SMALL_LIMIT[name])
      const startedAt = performance.now()
      const ask = async () => told(await visitor.get(`${origin.url}/${name}`))
      let result = await ask()
      for (let tries = 1; tries < MOST_TRIES && result.code !== code; tries++) result = await ask()
      t.diagnostic(`${Math.round(performance.now() - startedAt)} ms`)
      assert.equal(result.code, code, result.reason)
      assert.match(result.reason, words)
      assert.equal((await hostile.get(`${origin.url}/well-behaved`)).kind, 'body')
    })
  }

  test('a bomb costs about the limit in memory, whatever it unpacks to', async () => {
    for (const name of ['gzip-bomb', 'br-bomb', 'zstd-bomb', 'deflate-bomb', 'gzip-in-gzip-bomb', 'text-of-50-mb']) {
      const before = process.memoryUsage.rss()
      let peak = before
      const watch = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage.rss())
      }, 1)
      assert.equal(told(await hostile.get(`${origin.url}/${name}`)).code, 'body-too-large')
      clearInterval(watch)
      peak = Math.max(peak, process.memoryUsage.rss())
      assert.ok(peak - before < 48 * MB, `${name}: ${Math.round((peak - before) / MB)} MB more`)
    }
  })

  test('a status is told even when its error page never ends', async () => {
    const result = await hostile.get(`${origin.url}/error-page-without-end`)
    assert.equal(result.kind, 'status')
    assert.equal(result.kind === 'status' && result.headers['retry-after'], '120')
    assert.equal(result.kind === 'status' && result.excerpt.length, 4096)
  })

  test('a redirect to a private or metadata address is refused on its own visit', async () => {
    for (const [name, words] of [
      ['redirect-to-private', /10\.0\.0\.1 is a private address.*app\.http\.allow-private-networks/],
      ['redirect-to-metadata', /169\.254\.169\.254 is a cloud metadata address/],
    ] as const) {
      const hop = await hostile.get(`${origin.url}/${name}`)
      assert.equal(hop.kind, 'elsewhere')
      if (hop.kind !== 'elsewhere') return
      const end = told(await hostile.get(hop.location, { trail: hop.trail }))
      assert.equal(end.code, 'refused-address')
      assert.match(end.reason, words)
    }
  })
})
