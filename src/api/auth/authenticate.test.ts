import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { askAt, startApi, type TestApi } from '../../../test/support/api.ts'
import { configFrom } from '../../config.ts'
import { needsToken } from './authenticate.ts'
import { delayAfter } from './slow-down-guesses.ts'

const REQUIRED = { server: { auth: 'required' } } as const

describe('whether a token is needed', () => {
  const needed = (server: Parameters<typeof configFrom>[0]) => needsToken(configFrom(server).server)
  it('auto needs one if the server is bound to more than loopback, or has a public URL', () => {
    assert.equal(needed({}), false)
    assert.equal(needed({ server: { host: '127.0.0.5' } }), false)
    assert.equal(needed({ server: { host: '::1' } }), false)
    assert.equal(needed({ server: { host: 'localhost' } }), false)
    assert.equal(needed({ server: { host: '0.0.0.0' } }), true)
    assert.equal(needed({ server: { host: '::' } }), true)
    assert.equal(needed({ server: { publicUrl: 'https://tidings.example' } }), true)
    assert.equal(needed({ server: { auth: 'required' } }), true)
  })
  it('disabled authentication on more than loopback does not start', async () => {
    const server = { ...configFrom({}).server, auth: 'disabled', host: '0.0.0.0' } as const
    assert.throws(() => needsToken(server), /app\.server\.auth is disabled but app\.server\.host is 0\.0\.0\.0/)
  })
})

describe('tokens', () => {
  let api: TestApi
  before(async () => {
    api = await startApi({ config: REQUIRED, runToken: 'tid_run' })
  })
  after(() => api.close())

  it('no token is 401 and says how to send one', async () => {
    const told = await api.ask('GET', '/api/status')
    assert.equal(told.status, 401)
    assert.equal(told.body.code, 'unauthorized')
    assert.match(String(told.headers['www-authenticate']), /^Bearer/)
  })

  it('a token works in the header only', async () => {
    const { token } = await api.catalogue.tokens.create('default', { name: 't' })
    assert.equal((await api.ask('GET', '/api/status', { token })).status, 200)
    assert.equal((await api.ask('GET', `/api/status?token=${token}`)).status, 401)
    assert.equal((await api.ask('GET', '/api/status', { headers: { authorization: `Basic ${token}` } })).status, 401)
    assert.equal((await api.ask('GET', '/api/status', { headers: { cookie: `token=${token}` } })).status, 401)
  })

  it('a wrong, revoked or expired token is 401', async () => {
    const kept = await api.catalogue.tokens.create('default', { name: 'kept', expiresAt: '2026-02-17T10:01:00Z' })
    assert.equal((await api.ask('GET', '/api/status', { token: kept.token })).status, 200)
    await api.clock.advance(60_000)
    assert.equal((await api.ask('GET', '/api/status', { token: kept.token })).status, 401)
    const revoked = await api.catalogue.tokens.create('default', { name: 'revoked' })
    await api.catalogue.tokens.revoke('default', revoked.id)
    const told = await api.ask('GET', '/api/status', { token: revoked.token })
    assert.equal(told.status, 401)
    assert.equal(told.body.code, 'unauthorized')
  })

  it('a path with percent escapes does not avoid authentication', async () => {
    for (const path of ['/%61pi/status', '//api/status', '/api/./status', '/API/status']) {
      const { status } = await api.ask('GET', path)
      assert.ok(status === 401 || status === 404, `${path} answered ${status}`)
    }
  })

  it('the token of this run has admin rights', async () => {
    assert.equal((await api.ask('POST', '/api/users', { token: 'tid_run', body: { name: 'Ann' } })).status, 201)
  })

  it('the last use of a token is stored', async () => {
    const { token, id } = await api.catalogue.tokens.create('default', { name: 'used' })
    await api.ask('GET', '/api/status', { token })
    const { items } = await api.catalogue.tokens.list('default', { limit: 500 })
    assert.equal(items.find((item) => item.id === id)?.lastUsedAt, new Date(api.clock.now()).toISOString())
  })

  it('pages and health checks need no token', async () => {
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs', '/', '/sources', '/docs.css']) {
      assert.equal((await api.ask('GET', path)).status, 200, path)
    }
  })

  it('a valid token is answered at once while guesses from the same address wait', async () => {
    const { token } = await api.catalogue.tokens.create('default', { name: 'valid' })
    let answered = 0
    const guesses = Array.from({ length: 30 }, async () => {
      const { status } = await api.ask('GET', '/api/status', { token: 'tid_guess' })
      answered += 1
      return status
    })
    const valid = await api.ask('GET', '/api/status', { token })
    assert.equal(valid.status, 200)
    assert.ok(answered < 30, 'all guesses were answered first')
    await api.api.close()
    const statuses = await Promise.all(guesses.map((guess) => guess.catch(() => 0)))
    assert.ok(statuses.every((status) => status !== 200))
  })

  it('each wrong guess is answered later than the one before, up to 5 s', () => {
    const delays = [1, 2, 3, 4, 5, 6, 9, 10, 1000].map(delayAfter)
    assert.deepEqual(delays, [0, 0, 0, 100, 200, 400, 3200, 5000, 5000])
  })
})

describe('with authentication off', () => {
  let api: TestApi
  before(async () => {
    api = await startApi()
  })
  after(() => api.close())
  const write = { body: { name: 'Ann' } }

  for (const header of ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Proto', 'Via']) {
    it(`a request with ${header} is refused with the remedy`, async () => {
      const told = await api.ask('POST', '/api/users', { ...write, headers: { [header]: '1.2.3.4' } })
      assert.equal(told.status, 403)
      assert.equal(told.body.code, 'proxy-without-auth')
      assert.match(told.body.detail, /public-url/)
    })
  }

  it('a Host header of another machine is refused, all names of this machine are accepted', async () => {
    for (const host of [
      'evil.example',
      'evil.example:8085',
      '192.168.1.5',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
    ]) {
      const told = await api.ask('GET', '/api/status', { headers: { host } })
      assert.equal(told.status, 403, host)
      assert.equal(told.body.code, 'foreign-origin')
    }
    for (const host of ['localhost:8085', '127.0.0.1', '127.0.0.2:1', '[::1]:8085', 'LOCALHOST']) {
      assert.equal((await api.ask('GET', '/api/status', { headers: { host } })).status, 200, host)
    }
  })

  it('a page of another origin is refused, even on this machine; the own dashboard is not', async () => {
    const { port } = new URL(api.url)
    for (const origin of [
      'https://evil.example',
      'null',
      `http://127.0.0.1:${Number(port) + 1}`,
      `http://localhost:${port}`,
    ]) {
      const told = await api.ask('POST', '/api/users', { ...write, headers: { origin } })
      assert.equal(told.status, 403, origin)
      assert.equal(told.body.code, 'foreign-origin')
    }
    assert.equal((await api.ask('POST', '/api/users', { ...write, headers: { origin: api.url } })).status, 201)
  })

  it('a request in HTTP/1.0, as nginx sends it by default, is refused with the remedy; a health check is not', async () => {
    const ask = async (path: string) => {
      const { port, host } = new URL(api.url)
      const socket = connect(Number(port), '127.0.0.1')
      socket.end(`GET ${path} HTTP/1.0\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      return text(socket)
    }
    const told = await ask('/api/status')
    assert.match(told, /^HTTP\/1\.1 403 /)
    assert.match(told, /proxy-without-auth/)
    assert.match(told, /public-url/)
    assert.match(await ask('/healthz'), /^HTTP\/1\.1 200 /)
  })

  it('what a browser says to come from another site is refused, except for a link to the dashboard', async () => {
    const ask = async (method: string, path: string, site: string, mode: string) => {
      const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode }
      return (await api.ask(method, path, { ...(method === 'POST' ? write : {}), headers })).status
    }
    for (const site of ['cross-site', 'same-site']) {
      assert.equal(await ask('GET', '/api/status', site, 'no-cors'), 403)
      assert.equal(await ask('GET', '/api/status', site, 'cors'), 403)
      assert.equal(await ask('POST', '/api/users', site, 'navigate'), 403)
      assert.equal(await ask('GET', '/', site, 'navigate'), 200)
    }
    assert.equal(await ask('GET', '/api/status', 'same-origin', 'cors'), 200)
    assert.equal(await ask('GET', '/api/status', 'none', 'navigate'), 200)
  })

  it('no answer has CORS headers', async () => {
    const told = await api.ask('OPTIONS', '/api/users', {
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    assert.equal(told.headers['access-control-allow-origin'], undefined)
    assert.notEqual(told.status, 204)
  })
})

describe('the listening address', () => {
  it('an instance bound to all addresses needs a token and reports a URL that works on this machine', async () => {
    await using api = await startApi({ config: { server: { host: '0.0.0.0' } } })
    assert.match(api.url, /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.equal((await askAt(api.url, 'GET', '/api/status')).status, 401)
    // With a token needed, names and proxies are no matter of ours.
    assert.equal((await askAt(api.url, 'GET', '/healthz', { headers: { host: 'a.example', via: 'x' } })).status, 200)
  })
})
