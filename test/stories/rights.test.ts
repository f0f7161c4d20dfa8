// What people without admin rights may do, and what is told about it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { describe, test } from 'node:test'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { anySecret } from '../support/read-store.ts'
import { openShell } from '../support/run-cli.ts'
import { startServe } from '../support/serve-process.ts'
import { type Person, startWholeProduct, type WholeProduct } from '../support/whole-product.ts'
import { DAY, MINUTE, TEST_START } from '../support/world.ts'

const LOOPBACK = { http: { allowPrivateNetworks: ['127.0.0.0/8'] } }
const iso = (at: number) => new Date(at).toISOString()

describe('tokens', () => {
  test('made, listed, used, expired and revoked; the token itself is shown once', async () => {
    await using product = await startWholeProduct()
    const { ask, clock } = product
    const ann = await product.person('Ann')
    const tokens = `/api/users/${ann.id}/tokens`
    const body = { name: 'short', expiresAt: iso(TEST_START + DAY) }
    const made = await ask('POST', tokens, { token: ann.token, body })
    assert.equal(made.status, 201)
    assert.deepEqual([made.body.admin, made.body.expiresAt, made.body.lastUsedAt], [false, body.expiresAt, null])
    await clock.advance(MINUTE)
    assert.equal((await ask('GET', tokens, { token: made.body.token })).status, 200)
    const listed = await ask('GET', tokens, { token: ann.token })
    assert.equal(listed.body.items.find(({ id }: { id: string }) => id === made.body.id).lastUsedAt, iso(clock.now()))
    assert.ok(!listed.text.includes(made.body.token) && !listed.text.includes('tid_'))
    await clock.advance(DAY)
    const expired = await ask('GET', tokens, { token: made.body.token })
    const wrong = await ask('GET', tokens, { token: 'tid_wrong' })
    assert.deepEqual([expired.status, expired.text], [401, wrong.text])
    assert.equal((await ask('DELETE', `${tokens}/${ann.tokenId}`, { token: ann.token })).status, 204)
    assert.equal((await ask('GET', tokens, { token: ann.token })).text, wrong.text)
  })

  test('an expiry in the past and rights that one does not have are refused', async () => {
    await using product = await startWholeProduct()
    const { ask } = product
    const ann = await product.person('Ann')
    const make = (body: Record<string, unknown>) =>
      ask('POST', `/api/users/${ann.id}/tokens`, { token: ann.token, body })
    const past = await make({ name: 'past', expiresAt: iso(TEST_START) })
    assert.deepEqual([past.status, past.body.errors[0].path], [400, 'expiresAt'])
    assert.deepEqual([(await make({ name: 'more', admin: true })).status], [403])
    assert.equal((await make({ name: 'less', admin: false })).status, 201)
  })

  test('a token without admin rights does not revoke one that has them, also of the same user', async () => {
    await using product = await startWholeProduct()
    const { ask, catalogue } = product
    const admin = await catalogue.tokens.create('default', { name: 'admin', admin: true })
    const { token } = await catalogue.tokens.create('default', { name: 'script' })
    const path = `/api/users/default/tokens/${admin.id}`
    assert.equal((await ask('DELETE', path, { token })).body.code, 'needs-admin')
    assert.equal((await ask('DELETE', path, { token: admin.token })).status, 204)
  })

  test('live events end with the token that opened them, whoever ended it and how', async () => {
    await using product = await startWholeProduct()
    const { url, catalogue, clock } = product
    const ann = await product.person('Ann')
    /** Resolves when it is open, with its end. */
    const open = (token: string) =>
      new Promise<{ end: Promise<unknown> }>((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}` }
        const asked = request(`${url}/api/events`, { headers, agent: false }, (response) => {
          assert.equal(response.statusCode, 200)
          resolve({ end: once(response.resume(), 'close') })
        })
        asked.on('error', reject).end()
      })
    const expiring = await catalogue.tokens.create(ann.id, { name: 's', expiresAt: iso(clock.now() + MINUTE) })
    const kept = await catalogue.tokens.create('default', { name: 'kept' })
    let keptEnded = false
    const streams = [await open(ann.token), await open(expiring.token)]
    const other = (await open(kept.token)).end.then(() => {
      keptEnded = true
    })
    await catalogue.tokens.revoke(ann.id, ann.tokenId)
    await clock.advance(MINUTE)
    await Promise.all(streams.map(({ end }) => end))
    assert.equal(keptEnded, false)
    await product.api.close()
    await other
  })

  test('with its user goes everything: tokens no longer work, keys and sources are gone', async () => {
    await using product = await startWholeProduct()
    const { ask, store } = product
    const ann = await product.person('Ann')
    const key = { token: ann.token, body: { apiKey: 'k' } }
    assert.equal((await ask('PUT', `/api/users/${ann.id}/keys/x`, key)).status, 204)
    assert.equal((await ask('DELETE', `/api/users/${ann.id}`, { token: ann.token })).status, 403)
    assert.equal((await ask('DELETE', `/api/users/${ann.id}`, { token: await product.admin() })).status, 204)
    assert.equal((await ask('GET', ann.sources, { token: ann.token })).status, 401)
    assert.equal(await anySecret(store), null)
  })
})

describe('delays', () => {
  const hostOverrides = { 'slow.example': { pollDelaySeconds: 20 }, 'very.slow.example': { pollDelaySeconds: 400 } }
  const config = { source: { pollDelaySeconds: { rss: 3 }, hostOverrides } }

  test('a user may set one between the host’s configured one and 300 s, an admin any', async () => {
    await using product = await startWholeProduct({ config })
    const ann = await product.person('Ann')
    const admin = await product.admin()
    let made = 0
    const make = async (host: string, pollDelaySeconds: number, token: string) => {
      const body = { type: 'rss', url: `https://${host}/${++made}`, pollDelaySeconds, validate: false }
      return (await product.ask('POST', ann.sources, { token, body })).status
    }
    const asked = [
      ['any.example', 2, 403],
      ['any.example', 3, 201],
      ['any.example', 300, 201],
      ['any.example', 301, 403],
      ['slow.example', 19, 403],
      ['slow.example', 20, 201],
      ['very.slow.example', 399, 403],
      ['very.slow.example', 400, 201],
      ['very.slow.example', 401, 403],
    ] as const
    for (const [host, delay, status] of asked) {
      assert.equal(await make(host, delay, ann.token), status, `${delay} s for ${host}`)
      assert.equal(await make(host, delay, admin), 201, `${delay} s for ${host} by an admin`)
    }
    assert.equal(await make('any.example', 3601, admin), 400)
  })

  test('the same by PATCH, PUT and import; what an admin set stays until the host changes', async () => {
    await using product = await startWholeProduct({ config })
    const { ask } = product
    const ann = await product.person('Ann')
    const { token } = ann
    const url = 'https://slow.example/feed'
    const body = { type: 'rss', url, pollDelaySeconds: 0, validate: false }
    const { body: source } = await ask('POST', ann.sources, { token: await product.admin(), body })
    const path = `${ann.sources}/${source.id}`
    const refused = await ask('PATCH', path, { token, body: { pollDelaySeconds: 5 } })
    assert.deepEqual([refused.status, refused.body.errors[0].path], [403, 'pollDelaySeconds'])
    assert.equal((await ask('PUT', path, { token, body: { type: 'rss', url, pollDelaySeconds: 5 } })).status, 403)
    assert.equal((await ask('PATCH', path, { token, body: { label: 'Slow' } })).body.pollDelaySeconds, 0)
    assert.equal((await ask('PATCH', path, { token, body: { url: 'https://other.example/' } })).status, 403)
    const list = JSON.stringify([{ type: 'rss', url: 'https://slow.example/2', pollDelaySeconds: 5 }])
    const imported = await ask('POST', `${ann.sources}/import`, { token, raw: list })
    assert.deepEqual([imported.body.added, imported.body.failed.length], [0, 1])
    assert.equal((await ask('PATCH', path, { token, body: { pollDelaySeconds: null } })).body.pollDelaySeconds, null)
  })
})

describe('private networks', () => {
  async function start() {
    const origin = await startOrigin()
    for (const path of ['/a', '/b', '/c']) origin.route(path, { body: rss([]) })
    const product = await startWholeProduct({ config: LOOPBACK })
    const [ann, admin] = [await product.person('Ann'), await product.admin()]
    const pollReason = async (id: string) => (await product.app.engine.poll(id)).reason
    const stop = async () => {
      await product[Symbol.asyncDispose]()
      await origin.close()
    }
    return { ...product, origin, ann, admin, pollReason, [Symbol.asyncDispose]: stop }
  }
  const REFUSED = /allow-private-networks lists it, but that applies only to sources created with admin rights/

  test('what is listed counts for an admin’s sources only; a user’s are refused when connecting', async () => {
    await using story = await start()
    const { origin, ann, admin, ask } = story
    const body = { type: 'rss', url: `${origin.url}/a`, validate: false }
    const { body: users } = await ask('POST', ann.sources, { token: ann.token, body })
    assert.match((await story.pollReason(users.id)) ?? '', REFUSED)
    assert.match(
      (await ask('POST', '/api/preview', { token: ann.token, body: { url: body.url } })).body.detail,
      REFUSED,
    )
    const tested = { token: ann.token, body: { type: 'rss', url: `${origin.url}/b` } }
    assert.equal((await ask('POST', ann.sources, tested)).status, 422)
    const list = { token: ann.token, raw: `${origin.url}/c`, headers: { 'content-type': 'text/plain' } }
    assert.equal((await ask('POST', `${ann.sources}/import`, list)).body.added, 1)
    await story.pass(DAY)
    assert.equal(origin.requests.length, 0)
    assert.equal((await ask('POST', ann.sources, { ...tested, token: admin })).status, 201)
    assert.equal(origin.requests.length, 1)
  })

  test('a user who changes the address of an admin’s source loses the trust, an admin who does gains it', async () => {
    await using story = await start()
    const { origin, ann, admin, ask } = story
    const body = { type: 'rss', url: `${origin.url}/a`, validate: false }
    const { body: source } = await ask('POST', ann.sources, { token: admin, body })
    const path = `${ann.sources}/${source.id}`
    assert.equal(await story.pollReason(source.id), null)
    // Other settings are the user's to change.
    for (const change of [{ label: 'Mine' }, { url: body.url }, { enabled: false }, { enabled: true }]) {
      assert.equal((await ask('PATCH', path, { token: ann.token, body: change })).status, 200)
    }
    assert.equal(await story.pollReason(source.id), null)
    assert.equal((await ask('PATCH', path, { token: ann.token, body: { url: `${origin.url}/b` } })).status, 200)
    assert.match((await story.pollReason(source.id)) ?? '', REFUSED)
    // An admin's other changes do not vouch for an address that a user gave.
    assert.equal((await ask('PATCH', path, { token: admin, body: { label: 'Seen' } })).status, 200)
    assert.match((await story.pollReason(source.id)) ?? '', REFUSED)
    assert.equal((await ask('PATCH', path, { token: admin, body: { url: `${origin.url}/c` } })).status, 200)
    assert.equal(await story.pollReason(source.id), null)
    assert.equal((await ask('PATCH', path, { token: ann.token, body: { type: 'website' } })).status, 200)
    assert.match((await story.pollReason(source.id)) ?? '', REFUSED)
    assert.deepEqual(
      origin.requests.map((request) => request.path),
      ['/a', '/a', '/c'],
    )
  })
})

describe('what a test fetch brought', () => {
  test('with an admin’s trust is not given to a source without it, of the same user either', async () => {
    await using origin = await startOrigin()
    origin.route('/private', { body: rss([{ title: 'Private' }]) })
    await using product = await startWholeProduct({ config: LOOPBACK })
    const { ask, catalogue } = product
    const { token } = await catalogue.tokens.create('default', { name: 'script' })
    const url = `${origin.url}/private`
    assert.equal((await ask('POST', '/api/preview', { token: await product.admin(), body: { url } })).status, 200)
    const sources = '/api/users/default/podcasts/default/sources'
    const { body: source } = await ask('POST', sources, { token, body: { type: 'rss', url, validate: false } })
    const record = await product.app.engine.poll(source.id)
    assert.deepEqual([record.outcome, record.created], ['transient', 0])
  })
})

describe('how often', () => {
  test('limits are for tokens without admin rights: with authentication off there are none', async () => {
    await using origin = await startOrigin()
    origin.route('/feed', { body: rss([]) })
    await using product = await startWholeProduct({ config: { ...LOOPBACK, server: { auth: 'auto' } } })
    const sources = '/api/users/default/podcasts/default/sources'
    const body = { type: 'rss', url: `${origin.url}/feed`, validate: false }
    const { body: source } = await product.ask('POST', sources, { body })
    for (let n = 0; n < 12; n++) {
      assert.equal((await product.ask('POST', '/api/preview', { body: { url: body.url } })).status, 200)
      assert.equal((await product.ask('POST', `${sources}/${source.id}/poll?wait=true`)).status, 200)
    }
  })

  test('test fetches are counted per user, polls per source and per user; 429 says when', async () => {
    await using product = await startWholeProduct({ config: { x: { baseUrl: 'http://127.0.0.1:1' } } })
    const { ask, catalogue } = product
    const ann = await product.person('Ann')
    const { token: second } = await catalogue.tokens.create(ann.id, { name: 'second' })
    const preview = (token: string) => ask('POST', '/api/preview', { token, body: { url: 'http://127.0.0.1/' } })
    const discover = (token: string) => ask('POST', ann.sources, { token, body: { url: 'http://127.0.0.1/' } })
    for (let n = 0; n < 5; n++) {
      assert.equal((await preview(ann.token)).status, 422)
      assert.equal((await discover(ann.token)).status, 422)
    }
    await product.clock.advance(45_500)
    for (const told of [await preview(ann.token), await discover(ann.token)]) {
      assert.deepEqual([told.status, told.headers['retry-after']], [429, '15'])
    }
    assert.equal((await preview(second)).status, 429)
    // Nobody is asked when an X account is added, so that is no discovery.
    assert.equal((await ask('POST', ann.sources, { token: ann.token, body: { url: '@birds' } })).status, 201)
    await product.clock.advance(14_500)
    assert.equal((await preview(ann.token)).status, 422)
    const { items } = await catalogue.sources.list(ann.podcastId)
    const poll = (token: string) => ask('POST', `${ann.sources}/${items[0]?.id}/poll?wait=true`, { token })
    assert.equal((await poll(ann.token)).status, 200)
    const again = await poll(second)
    assert.deepEqual([again.status, again.headers['retry-after']], [429, '60'])
  })
})

describe('the audit', () => {
  const lineOf = (product: WholeProduct, what: string) =>
    product.audits().filter(({ msg }) => msg === `[Audit] ${what}`)

  async function actions(product: WholeProduct, ann: Person, admin: string) {
    const { ask } = product
    const { body: eve } = await ask('POST', '/api/users', { token: admin, body: { name: 'Eve' } })
    await ask('PUT', `/api/users/${eve.id}`, { token: admin, body: { name: 'Eva' } })
    const tokens = `/api/users/${ann.id}/tokens`
    const made = await ask('POST', tokens, { token: ann.token, body: { name: 'more' } })
    await ask('DELETE', `${tokens}/${made.body.id}`, { token: ann.token })
    const key = `/api/users/${ann.id}/keys/x`
    await ask('PUT', key, { token: ann.token, body: { apiKey: 'key-of-ann' } })
    await ask('DELETE', key, { token: ann.token })
    await ask('POST', ann.sources, { token: admin, body: { type: 'rss', url: 'https://a.example/', validate: false } })
    await ask('POST', '/api/hosts/a.example/reset', { token: admin })
    await ask('GET', `${ann.sources}.json?secrets=true`, { token: admin })
    await ask('DELETE', `/api/users/${eve.id}`, { token: admin })
    return { eve: eve.id as string, made: made.body as { id: string; token: string } }
  }

  test('every rights-relevant action leaves exactly one line: who, from where, about whom', async () => {
    await using product = await startWholeProduct()
    const ann = await product.person('Ann')
    const admin = await product.catalogue.tokens.create('default', { name: 'admin', admin: true })
    const { eve, made } = await actions(product, ann, admin.token)
    const byAdmin = { by: 'default', byTokenId: admin.id, admin: true, address: '127.0.0.1' }
    const byAnn = { by: ann.id, byTokenId: ann.tokenId, admin: false, address: '127.0.0.1', user: ann.id }
    const expected: readonly (readonly [string, Record<string, unknown>])[] = [
      ['user added', { ...byAdmin, made: eve }],
      ['user renamed', { ...byAdmin, user: eve }],
      ['token made', { ...byAnn, made: made.id, madeAdmin: false, expiresAt: null }],
      ['token revoked', { ...byAnn, tokenId: made.id }],
      ['key stored', { ...byAnn, provider: 'x' }],
      ['key removed', { ...byAnn, provider: 'x' }],
      ['admin changed what belongs to another user', { ...byAdmin, user: ann.id, method: 'POST' }],
      ['host reset', { ...byAdmin, host: 'a.example' }],
      ['credentials exported', { ...byAdmin, user: ann.id }],
      ['user deleted', { ...byAdmin, user: eve }],
    ]
    assert.deepEqual(
      product.audits().map(({ msg }) => msg),
      expected.map(([what]) => `[Audit] ${what}`),
    )
    for (const [index, [what, fields]] of expected.entries()) {
      const line = product.audits()[index] ?? assert.fail()
      assert.partialDeepStrictEqual(line, fields, what)
    }
    const text = product.logged.join('')
    for (const secret of [made.token, ann.token, admin.token, 'key-of-ann']) assert.ok(!text.includes(secret))
  })

  test('a command that goes through a serve is told there', async () => {
    using shell = openShell()
    await using serve = await startServe(shell.folder, [], { APP_LOG_FORMAT: 'json' })
    const token = (await shell.tidings('token', 'create', '--user', 'default', '--admin')).out.trim()
    assert.equal((await shell.tidingsWith('key-of-x\n', 'key', 'set', 'x')).code, 0)
    const audits = serve.log().match(/\[Audit\] [a-z ]+/g)
    assert.deepEqual(audits, ['[Audit] token made', '[Audit] key stored'])
    assert.ok(!serve.log().includes(token) && !serve.log().includes('key-of-x'))
  })

  test('figures of the whole instance need an admin token', async () => {
    await using product = await startWholeProduct()
    const ann = await product.person('Ann')
    const asked = [undefined, ann.token, await product.admin()].map((token) =>
      product.ask('GET', '/metrics', { token }),
    )
    assert.deepEqual(
      (await Promise.all(asked)).map(({ status }) => status),
      [401, 403, 200],
    )
  })

  test('what a person does to the own things, and looking, is no matter of rights', async () => {
    await using product = await startWholeProduct()
    const ann = await product.person('Ann')
    await product.ask('POST', ann.sources, { token: ann.token, body: { url: '@birds' } })
    await product.ask('GET', ann.sources, { token: await product.admin() })
    await product.ask('GET', `${ann.sources}.json`, { token: ann.token })
    assert.deepEqual(product.audits(), [])
  })

  test('refusals and failed authentications are told with the address; a missing token is not one', async () => {
    await using product = await startWholeProduct()
    const { ask, clock } = product
    const ann = await product.person('Ann')
    await ask('POST', '/api/users', { token: ann.token, body: { name: 'Eve' } })
    const [refused] = lineOf(product, 'refused: needs-admin')
    assert.partialDeepStrictEqual(refused, { by: ann.id, byTokenId: ann.tokenId, method: 'POST', route: '/api/users' })
    await ask('GET', '/api/status')
    const forwarded = { 'x-forwarded-for': '203.0.113.7' }
    await ask('GET', '/api/status', { token: 'tid_guessed', headers: forwarded })
    await ask('GET', '/api/status', { headers: { authorization: 'Basic dGlkOmd1ZXNzZWQ=' } })
    const short = await product.catalogue.tokens.create(ann.id, { name: 's', expiresAt: iso(clock.now() + 1) })
    await clock.advance(1)
    await ask('GET', '/api/status', { token: short.token })
    const failed = product.audits().slice(1)
    assert.deepEqual(
      failed.map(({ msg, inARow, address }) => [msg, inARow, address]),
      [
        ['[Audit] authentication failed: wrong token', 1, '127.0.0.1'],
        ['[Audit] authentication failed: no bearer token', 2, '127.0.0.1'],
        ['[Audit] authentication failed: expired token', 3, '127.0.0.1'],
      ],
    )
    assert.equal(failed[0]?.forwardedFor, '203.0.113.7')
    assert.partialDeepStrictEqual(failed[2], { ofUser: ann.id, tokenId: short.id })
    for (const secret of ['tid_guessed', 'dGlkOmd1ZXNzZWQ=', short.token]) {
      assert.ok(!product.logged.join('').includes(secret), secret)
    }
  })
})
