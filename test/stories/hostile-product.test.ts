// Hostile hosts against the whole product, run as people run it, with small limits: every poll ends in time with a
// recorded outcome and a reason that a person understands, memory stays in bounds, and everybody else is served.
import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { PollView } from '../../src/catalogue/shapes/answers.ts'
import { selfSigned } from '../support/certificate.ts'
import { HOSTILE } from '../support/hostile-routes.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { HOSTILE_FEEDS, HOSTILE_PAGES } from './hostile-product-routes.ts'
import { type HostileWorld, type Meanwhile, startHostileWorld } from './hostile-product-world.ts'

const MAX_BODY_BYTES = 4 * 1024 * 1024
const HEADERS_SECONDS = 3
const VISIT_SECONDS = 5
/** On a machine that stands still for a moment another limit may be met first. Such a host is polled again. */
const MOST_TRIES = 4
const AT_ONCE = 20

const TOO_LARGE = /^The body is larger than 4194304 bytes$/
const HALF = /^The compressed body ends in the middle$/
const NOT_PACKED = /^The body is not what its Content-Encoding says/
const NO_HEADERS = /^No complete headers within 3 s$/
const NO_MORE_BODY = /^No part of the body arrived for 3 s$/
const BAD_HTTP = /^The answer is not valid HTTP/
const NO_ANSWER = /^The connection was closed before the answer came$/
const CIRCLE = /^Redirects lead in a circle, back to http/
const OTHER_SCHEME = /^The server sent a redirect \(302\) to a \w+: address; only http and https are followed$/
const NO_LOCATION = /^The server sent a redirect \(30[12]\) without a Location header$/
const NO_FEED = /^The document is not a feed$/
const NO_TEXT = /^The page holds no readable text$/
const CUT_OFF = /^10000 entries beyond the first 10000 were left out$/
const FINE = null

/** Route -> what its record says; null: read without a word. A route that is not listed fails. */
const REASONS: Readonly<Record<string, RegExp | null>> = {
  'endless-body': TOO_LARGE,
  'one-byte-at-a-time': /^The visit did not finish within 5 s$/,
  'hang-before-headers': NO_HEADERS,
  'hang-after-headers': NO_MORE_BODY,
  'hang-mid-body': NO_MORE_BODY,
  'headers-that-never-end': NO_HEADERS,
  'headers-too-large': /^The headers of the answer are too large$/,
  'informational-for-ever': NO_HEADERS,
  'gzip-bomb': TOO_LARGE,
  'br-bomb': TOO_LARGE,
  'zstd-bomb': TOO_LARGE,
  'deflate-bomb': TOO_LARGE,
  'gzip-in-gzip-bomb': TOO_LARGE,
  'encoded-nine-times': /^The body has 9 content encodings; at most 3 are supported$/,
  'gzip-of-nothing-without-end': /^The compressed body is larger than 4784128 bytes$/,
  'gzip-truncated': HALF,
  'br-truncated': HALF,
  'zstd-truncated': HALF,
  'deflate-truncated': HALF,
  'gzip-that-is-not': NOT_PACKED,
  'br-that-is-not': NOT_PACKED,
  'zstd-that-is-not': NOT_PACKED,
  'unknown-encoding': /^The body has the unknown Content-Encoding "rot13"$/,
  'content-length-too-long': /^The body is not as long as its Content-Length says$|closed in the middle/,
  'content-length-twice': /^The body is not as long as its Content-Length says$/,
  'content-length-negative': BAD_HTTP,
  'chunks-broken': BAD_HTTP,
  'chunks-cut-short': /^The connection was closed in the middle of the body$/,
  'reset-in-a-body-without-length': /^The connection was reset in the middle of the body$/,
  'reset-mid-body': /^The connection was reset in the middle of the body$/,
  'reset-before-headers': NO_ANSWER,
  'close-before-headers': NO_ANSWER,
  'not-http': BAD_HTTP,
  'nul-in-headers': BAD_HTTP,
  'switching-protocols': /^The server sent a response that does not fit the request$/,
  'not-modified-unasked': /^The server answered 304 Not Modified to an unconditional request$/,
  'partial-unasked': /^The server sent only a part of the document, although the whole document was requested$/,
  'error-page-without-end': /^The server answered 503 Service Unavailable$/,
  'redirect-to-itself': CIRCLE,
  'redirect-ping': CIRCLE,
  'redirect-pong': CIRCLE,
  'redirect-without-end': /^More than 5 redirects in a row$/,
  'redirect-to-file': OTHER_SCHEME,
  'redirect-to-gopher': OTHER_SCHEME,
  'redirect-to-data': OTHER_SCHEME,
  'redirect-to-javascript': OTHER_SCHEME,
  'redirect-to-private': /^Refused to connect: 10\.0\.0\.1 is a private address: .* app\.http\.allow-private-networks/,
  'redirect-to-metadata': /^Refused to connect: 169\.254\.169\.254 is a cloud metadata address/,
  'redirect-to-nowhere': NO_LOCATION,
  'redirect-to-blank': NO_LOCATION,
  'redirect-to-nonsense': /^The server sent a redirect \(302\) to something that is not a URL$/,
  'text-of-50-mb': TOO_LARGE,
  nuls: NO_FEED,
  'billion-laughs': FINE,
  'external-entities': FINE,
  'nested-200000-deep': FINE,
  'nested-200000-deep-in-markup': FINE,
  'twenty-thousand-entries': CUT_OFF,
  'three-megabytes-in-one-entry': /^1 bodies were cut to 1048576 bytes$/,
  'nuls-inside': FINE,
  'charset-wrong': FINE,
  'charset-unknown': FINE,
  'charset-lying': FINE,
  'unclosed-everything': CUT_OFF,
  'attributes-without-end': FINE,
  'quoted-for-ever': NO_FEED,
  'json-nested-100000-deep': NO_FEED,
  'noise-bytes': NO_FEED,
  'empty-body': /^The document is empty$/,
  'page-200000-deep': FINE,
  'page-of-tables': FINE,
  'page-of-links': FINE,
  'page-without-text': NO_TEXT,
  'page-of-open-comments': NO_TEXT,
  'tls-self-signed': /^The TLS connection failed: the certificate is self-signed/,
  'tls-expired': /^The TLS connection failed: the certificate (has expired|is self-signed)/,
  'tls-not-spoken': /^The TLS connection failed: /,
  'tls-handshake-that-never-ends': /^No TLS handshake within 3 s$/,
  'nobody-listens': /^The connection was refused$/,
  'name-that-does-not-exist': /^The host name nowhere\.invalid does not exist \(ENOTFOUND\)$/,
  'product-itself':
    /^Refused to connect: 127\.0\.0\.1 port \d+ is an address that Tidings itself listens on: it is never fetched$/,
}

describe('a hostile host, for the whole product,', () => {
  const records = new Map<string, PollView>()
  const closing: (() => Promise<unknown>)[] = []
  let world: HostileWorld
  let proxy: Origin
  let entities: Origin
  let others: Meanwhile
  let beforeMb = 0

  before(async () => {
    proxy = await startOrigin({ host: '127.0.0.9' })
    world = await startHostileWorld({
      APP_HTTP_CONNECT_TIMEOUT_SECONDS: String(HEADERS_SECONDS),
      APP_HTTP_HEADERS_TIMEOUT_SECONDS: String(HEADERS_SECONDS),
      APP_HTTP_TIMEOUT_SECONDS: String(VISIT_SECONDS),
      APP_HTTP_MAX_BODY_BYTES: String(MAX_BODY_BYTES),
      APP_LOG_LEVEL: 'error',
      HTTP_PROXY: proxy.url,
      HTTPS_PROXY: proxy.url,
      NODE_USE_ENV_PROXY: '1',
    })
    const targets = await startTargets()
    beforeMb = world.memory()?.nowMb ?? 0
    others = await world.meanwhile(async () => {
      const take = async (): Promise<void> => {
        for (let next = targets.shift(); next; next = targets.shift()) {
          const id = await world.add(next.url, next.type)
          let record = await world.poll(id)
          for (let tries = 1; tries < MOST_TRIES && !isAsTold(next.name, record); tries++) record = await world.poll(id)
          records.set(next.name, record)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, take))
    })
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await Promise.all([proxy.close(), ...closing.map((close) => close())])
  })

  interface Target {
    readonly name: string
    readonly url: string
    readonly type: 'rss' | 'website'
  }

  async function startTargets(): Promise<Target[]> {
    const targets: Target[] = []
    const add = (name: string, url: string, type: Target['type'] = 'rss') => targets.push({ name, url, type })
    for (const [routes, type] of [
      [HOSTILE, 'rss'],
      [HOSTILE_FEEDS, 'rss'],
      [HOSTILE_PAGES, 'website'],
    ] as const) {
      for (const [name, handler] of Object.entries(routes)) {
        const origin = await world.host(name, handler)
        // Some lead to others of their kind.
        for (const other of ['redirect-ping', 'redirect-pong']) origin.route(`/${other}`, HOSTILE[other] ?? handler)
        if (name === 'external-entities') entities = origin
        if (name.endsWith('-bomb')) await built(`${origin.url}/${name}`)
        add(name, `${origin.url}/${name}`, type)
      }
    }
    for (const [name, url] of await startTlsTrouble()) add(name, url)
    add('nobody-listens', 'http://127.0.5.5:9/feed')
    add('name-that-does-not-exist', 'http://nowhere.invalid/feed')
    add('product-itself', `${world.url}/healthz`)
    return targets
  }

  async function startTlsTrouble(): Promise<[string, string][]> {
    const expired = { notBefore: new Date('2020-01-01'), notAfter: new Date('2020-02-01') }
    const own = await startOrigin({ host: '127.0.5.1', tls: selfSigned({ names: ['127.0.5.1'] }) })
    const old = await startOrigin({ host: '127.0.5.2', tls: selfSigned({ names: ['127.0.5.2'], ...expired }) })
    const plain = await startOrigin({ host: '127.0.5.3' })
    const silent = createServer(() => {}).listen(0, '127.0.5.4')
    await new Promise((resolve) => silent.once('listening', resolve))
    closing.push(own.close, old.close, plain.close, async () => silent.close())
    const silentPort = (silent.address() as { port: number }).port
    return [
      ['tls-self-signed', `${own.url}/feed`],
      ['tls-expired', `${old.url}/feed`],
      ['tls-not-spoken', `${plain.url.replace('http:', 'https:')}/feed`],
      ['tls-handshake-that-never-ends', `https://127.0.5.4:${silentPort}/feed`],
    ]
  }

  for (const [name, reason] of Object.entries(REASONS)) {
    test(`${name}: an outcome, with a reason that a person understands`, (t) => {
      const record = records.get(name)
      assert.ok(record, 'no such route')
      if (reason === FINE) assert.deepEqual([record.outcome, record.reason], ['success', null])
      else assert.match(record.reason ?? '', reason)
      const permanent = name === 'name-that-does-not-exist'
      if (record.outcome !== 'success') assert.equal(record.outcome, permanent ? 'permanent' : 'transient')
      t.diagnostic(`${record.durationMs} ms`)
    })
  }

  test('every hostile route has its expectation', () => {
    assert.deepEqual([...records.keys()].sort(), Object.keys(REASONS).sort())
  })

  test('an ordinary feed is polled all the while, and the product answers', (t) => {
    assert.ok(others.outcomes.length > 1, `${others.outcomes.length} polls`)
    assert.deepEqual([...new Set(others.outcomes)], ['success'])
    assert.ok(others.healthAnswers > 1, `${others.healthAnswers} answers of /healthz`)
    t.diagnostic(`the slowest: a poll ${Math.round(others.slowestPollMs)} ms, /healthz ${others.slowestHealthMs} ms`)
  })

  const linux = process.platform === 'linux'
  test(`memory stays in bounds${linux ? '' : ' (the system does not tell)'}`, { skip: !linux }, (t) => {
    const { peakMb } = world.memory() ?? { peakMb: 0 }
    t.diagnostic(`${beforeMb} MB before, ${peakMb} MB at the peak; /healthz ${Math.round(others.slowestHealthMs)} ms`)
    assert.ok(peakMb - beforeMb < 450, `${peakMb - beforeMb} MB more`)
  })

  test('nothing outside the documents was asked for, and no proxy of the environment', () => {
    assert.equal(entities.requestsTo('/stolen').length, 0)
    assert.equal(proxy.requests.length, 0)
  })
})

function isAsTold(name: string, { outcome, reason }: PollView): boolean {
  const expected = REASONS[name]
  return expected ? expected.test(reason ?? '') : outcome === 'success'
}

/** Bombs take a while to build: that is not the product's time. */
function built(url: string): Promise<void> {
  const { hostname, port, pathname } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(`GET ${pathname} HTTP/1.1\r\nHost: x\r\n\r\n`))
    socket.once('data', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
}
