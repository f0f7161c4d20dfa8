import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { startApi, type TestApi } from '../../test/support/api.ts'
import type { Log } from '../ports/log.ts'

const SOURCES = '/api/users/default/podcasts/default/sources'

function collectingLog(lines: { level: string; fields: Record<string, unknown>; message: string }[]): Log {
  const at = (level: string) => (fields: Record<string, unknown>, message: string) => {
    lines.push({ level, fields, message })
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

describe('error answers of the server', () => {
  let api: TestApi
  before(async () => {
    api = await startApi()
  })
  after(() => api.close())

  const isProblem = (told: Awaited<ReturnType<TestApi['ask']>>, status: number, code: string) => {
    assert.equal(told.status, status)
    assert.match(String(told.headers['content-type']), /^application\/problem\+json/)
    assert.equal(told.body.code, code)
    assert.equal(told.body.status, status)
    for (const field of ['title', 'detail']) assert.ok(told.body[field].length > 0, field)
    assert.ok(Array.isArray(told.body.errors))
  }

  it('malformed JSON is 400', async () => {
    isProblem(await api.ask('POST', SOURCES, { raw: '{"url": ' }), 400, 'malformed-request')
  })

  it('a field called __proto__ or constructor is refused like any unknown field, and gives nobody rights', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      for (const value of ['{"admin": true, "prototype": {"admin": true}}', '1', 'null']) {
        const told = await api.ask('POST', '/api/users/default/tokens', { raw: `{"name": "t", "${name}": ${value}}` })
        isProblem(told, 400, 'invalid-input')
        assert.deepEqual(told.body.errors, [{ path: name, message: 'unknown field; leave it out' }])
      }
    }
    assert.equal(({} as { admin?: unknown }).admin, undefined)
  })

  it('an unknown query parameter is 400 with its name on every path of the API, before anything happens', async () => {
    const { paths } = (await api.ask('GET', '/openapi.json')).body
    const operations = Object.entries<object>(paths).flatMap(([path, byMethod]) =>
      Object.keys(byMethod).map((method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'default')] as const),
    )
    for (const [method, path] of operations.filter(([, path]) => path.startsWith('/api/'))) {
      const told = await api.ask(method, `${path}?dryRun=true`)
      assert.equal(told.status, 400, `${method} ${path}`)
      assert.deepEqual(told.body.errors, [{ path: 'dryRun', message: 'unknown field; leave it out' }])
    }
    assert.equal((await api.ask('GET', '/api/users/default')).status, 200)
    isProblem(await api.ask('PUT', '/api/status?dryRun=true'), 405, 'method-not-allowed')
  })

  it('pages and health checks accept any query parameter', async () => {
    for (const path of ['/', '/docs.css', '/docs', '/openapi.json', '/healthz', '/readyz']) {
      assert.equal((await api.ask('GET', `${path}?v=7`)).status, 200, path)
    }
  })

  it('JSON in another charset is 400, and nothing is stored', async () => {
    const latin = Buffer.from(
      '{"type": "rss", "url": "https://m.example/", "label": "M\u00fcller", "validate": false}',
      'latin1',
    )
    const told = await api.ask('POST', SOURCES, { raw: latin })
    isProblem(told, 400, 'malformed-request')
    assert.match(told.body.detail, /UTF-8/)
    assert.deepEqual((await api.ask('GET', `${SOURCES}?url=https://m.example/`)).body.items, [])
  })

  for (const raw of ['null', '[]', '"text"', '7', '']) {
    it(`a body of ${raw || 'nothing'} is refused: it is not an object`, async () => {
      const told = await api.ask('POST', SOURCES, { raw })
      isProblem(told, 400, 'invalid-input')
      assert.match(told.body.errors[0].message, /expected an object/)
    })
  }

  it('a body of more than 1 MiB is 413; a list may have 10 MiB', async () => {
    const mebibyte = 'x'.repeat(1024 * 1024)
    isProblem(await api.ask('POST', SOURCES, { raw: JSON.stringify({ url: mebibyte }) }), 413, 'body-too-large')
    const headers = { 'content-type': 'text/plain' }
    const comments = `# ${mebibyte.repeat(9)}\nhttps://example.org/big\n`
    const taken = await api.ask('POST', `${SOURCES}/import`, { raw: comments, headers })
    assert.deepEqual(taken.body, { added: 1, skipped: 0, failed: [] })
    const over = await api.ask('POST', `${SOURCES}/import`, { raw: `# ${mebibyte.repeat(10)}`, headers })
    isProblem(over, 413, 'body-too-large')
  })

  it('a body far over the limit is read to its end before the answer, so that every client sees the answer', async () => {
    const { hostname, port } = new URL(api.url)
    const socket = connect(Number(port), hostname)
    const bytes = 24 * 1024 * 1024
    socket.write(`POST ${SOURCES}/import HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: text/plain\r\n`)
    socket.write(`Content-Length: ${bytes}\r\n\r\n`)
    // As clients do that send everything first: not a byte is read before.
    for (let sent = 0; sent < bytes; sent += 1024 * 1024) {
      if (!socket.write(Buffer.alloc(1024 * 1024, 'x'))) await once(socket, 'drain')
    }
    const [answer] = await once(socket, 'data')
    assert.match(String(answer), /^HTTP\/1\.1 413 /)
    socket.destroy()
  })

  it('another media type is 415', async () => {
    const form = { raw: 'url=https://example.org/', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    isProblem(await api.ask('POST', SOURCES, form), 415, 'unsupported-media-type')
    isProblem(await api.ask('POST', `${SOURCES}/import`, form), 415, 'unsupported-media-type')
    const text = { raw: '{}', headers: { 'content-type': 'text/plain' } }
    isProblem(await api.ask('POST', SOURCES, text), 415, 'unsupported-media-type')
  })

  it('a list is accepted in each of its media types', async () => {
    const opml = '<opml><body><outline xmlUrl="https://o.example/1"/></body></opml>'
    for (const [raw, type] of [
      [opml, 'text/xml'],
      [opml.replace('/1', '/2'), 'application/xml; charset=utf-8'],
      [opml.replace('/1', '/3'), 'text/x-opml'],
      ['https://o.example/4', 'text/plain'],
      ['[{"url": "https://o.example/5"}]', 'application/json'],
    ] as const) {
      const told = await api.ask('POST', `${SOURCES}/import`, { raw, headers: { 'content-type': type } })
      assert.deepEqual([told.status, told.body.added], [200, 1], type)
    }
    isProblem(await api.ask('POST', `${SOURCES}/import`), 400, 'invalid-input')
    const { text, headers } = await api.ask('GET', `${SOURCES}.opml`)
    assert.match(String(headers['content-type']), /^text\/x-opml/)
    assert.match(text, /xmlUrl="https:\/\/o\.example\/4"/)
  })

  it('an unknown path is 404, an unknown method is 405 with the allowed ones', async () => {
    isProblem(await api.ask('GET', '/api/nothing'), 404, 'not-found')
    isProblem(await api.ask('GET', '/api/users/default/podcasts/%00'), 404, 'not-found')
    isProblem(await api.ask('GET', `/api/users/${'x'.repeat(400)}`), 404, 'not-found')
    const told = await api.ask('PATCH', '/api/users/default', { body: { name: 'x' } })
    isProblem(told, 405, 'method-not-allowed')
    assert.equal(told.headers.allow, 'GET, PUT, DELETE')
  })

  it('a path that cannot be decoded is 400', async () => {
    isProblem(await api.ask('GET', '/api/users/%zz'), 400, 'malformed-request')
  })

  it('a request that is not HTTP is answered with 400, and the connection is closed', async () => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
    socket.write('HELLO\r\n\r\n')
    let text = ''
    for await (const chunk of socket) text += chunk
    assert.match(text, /^HTTP\/1\.1 400 /)
    assert.match(text, /"code":"malformed-request"/)
  })

  it('answers have security headers for browsers', async () => {
    const { headers } = await api.ask('GET', '/api/status')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(String(headers['content-security-policy']), /default-src 'none'/)
    const page = await api.ask('GET', '/')
    const policy = String(page.headers['content-security-policy'])
    assert.match(policy, /script-src 'self'/)
    assert.doesNotMatch(policy, /unsafe/)
  })
})

describe('the server', () => {
  it('an unexpected error is 500 without details, and the log has the details', async () => {
    const lines: Parameters<typeof collectingLog>[0] = []
    const store = { totals: async () => Promise.reject(new Error('disk on fire at /secret/path')) }
    await using api = await startApi({ log: collectingLog(lines), store: (opened) => ({ ...opened, ...store }) })
    const told = await api.ask('GET', '/api/status')
    assert.equal(told.status, 500)
    assert.equal(told.body.code, 'internal')
    assert.doesNotMatch(told.text, /disk|secret/)
    const logged = lines.find((line) => line.level === 'error')
    assert.match(String(logged?.fields.err), /disk on fire/)
  })

  it('an unreachable database is 503 with Retry-After, and is logged at debug only', async () => {
    const lines: Parameters<typeof collectingLog>[0] = []
    const away = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), { storeIsAway: true })
    const store = { totals: async () => Promise.reject(away) }
    await using api = await startApi({ log: collectingLog(lines), store: (opened) => ({ ...opened, ...store }) })
    const told = await api.ask('GET', '/api/status')
    assert.deepEqual([told.status, told.body.code, told.headers['retry-after']], [503, 'store-away', '5'])
    assert.doesNotMatch(told.text, /10\.1\.2\.3/)
    const logged = lines.filter(({ message }) => message === '[API] a request failed')
    assert.deepEqual([logged.length, logged[0]?.level], [1, 'debug'])
    assert.match(String(logged[0]?.fields.err), /ECONNREFUSED/)
  })

  it('status has the last tick of any process on the store, not only of the one that answers', async () => {
    await using api = await startApi()
    assert.equal((await api.ask('GET', '/api/status')).body.scheduler.lastTickAt, null)
    await api.store.writeMeta('last-tick-at', String(Date.UTC(2026, 10, 16, 5)))
    assert.equal((await api.ask('GET', '/api/status')).body.scheduler.lastTickAt, '2026-11-16T05:00:00.000Z')
  })

  it('readiness depends on the store, health does not', async () => {
    let up = true
    const ping = async () => {
      if (!up) throw new Error('gone')
    }
    await using api = await startApi({ store: (opened) => ({ ...opened, ping }) })
    assert.deepEqual((await api.ask('GET', '/readyz')).body, { status: 'ok' })
    up = false
    const told = await api.ask('GET', '/readyz')
    assert.equal(told.status, 503)
    assert.equal(told.body.code, 'not-ready')
    assert.equal((await api.ask('GET', '/healthz')).status, 200)
  })

  it('a request is logged at debug, a change of rights at info, and tokens and keys never', async () => {
    const lines: Parameters<typeof collectingLog>[0] = []
    await using api = await startApi({ log: collectingLog(lines) })
    const { body } = await api.ask('POST', '/api/users/default/tokens', { body: { name: 'CI' } })
    await api.ask('PUT', '/api/users/default/keys/x', { body: { apiKey: 'hush' } })
    await api.ask('GET', '/api/status?x=%0A', { token: body.token })
    const told = JSON.stringify(lines)
    assert.ok(!told.includes(body.token) && !told.includes('hush'))
    assert.deepEqual(
      lines.filter((line) => line.level === 'info').map((line) => line.message),
      ['[Audit] token made', '[Audit] key stored'],
    )
    const requests = lines.filter((line) => line.level === 'debug').map((line) => line.message)
    assert.deepEqual(requests.at(-1), '[API] GET /api/status')
    assert.equal(requests.length, 3)
  })

  it('closing does not wait for idle connections, and closes open requests after the deadline', async () => {
    await using api = await startApi()
    const idle = connect(Number(new URL(api.url).port), '127.0.0.1')
    idle.on('error', () => {})
    await new Promise((resolve) => idle.once('connect', resolve))
    const asked = Promise.withResolvers<void>()
    api.engine.testFetch = () => {
      asked.resolve()
      return new Promise(() => {})
    }
    const stuck = api.ask('POST', '/api/preview', { body: { url: 'https://example.org/' } })
    stuck.catch(() => {})
    await asked.promise
    await api.api.close(50)
    await assert.rejects(stuck, /socket hang up|ECONNRESET/)
    idle.destroy()
  })

  it('a caller that disconnects ends the test fetch', async () => {
    await using api = await startApi()
    const aborted = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    api.engine.testFetch = ({ signal }) => {
      asked.resolve()
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          aborted.resolve()
          reject(new Error('given up'))
        })
      })
    }
    const headers = { 'content-type': 'application/json' }
    const sent = request(`${api.url}/api/preview`, { method: 'POST', headers, agent: false })
    sent.on('error', () => {})
    sent.end('{"url": "https://example.org/"}')
    await asked.promise
    sent.destroy()
    await aborted.promise
  })
})
