// What one user without admin rights can hold or cause is bounded; admins are not.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { describe, test } from 'node:test'
import type { LimitsConfig } from '../../src/ports/config.ts'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { until } from '../support/until.ts'
import { type Person, startWholeProduct } from '../support/whole-product.ts'

type Make = (person: Person, n: number) => readonly [method: string, path: string, body: unknown]

const MAKE: Readonly<Record<string, { readonly key: keyof LimitsConfig; readonly has: number; readonly make: Make }>> =
  {
    sources: {
      key: 'sources',
      has: 0,
      make: ({ sources }, n) => ['POST', sources, { type: 'rss', url: `https://a.example/${n}`, validate: false }],
    },
    podcasts: {
      key: 'podcasts',
      has: 1,
      make: ({ id }, n) => ['POST', `/api/users/${id}/podcasts`, { name: `p${n}` }],
    },
    tokens: { key: 'tokens', has: 1, make: ({ id }, n) => ['POST', `/api/users/${id}/tokens`, { name: `t${n}` }] },
    cursors: {
      key: 'cursors',
      has: 0,
      make: ({ id, podcastId }, n) => [
        'PUT',
        `/api/users/${id}/podcasts/${podcastId}/cursors/c${n}`,
        { position: '0' },
      ],
    },
    webhooks: {
      key: 'webhooks',
      has: 0,
      make: ({ id }, n) => ['POST', `/api/users/${id}/webhooks`, { url: `https://a.example/${n}` }],
    },
  }

describe('a user without admin rights', () => {
  for (const [what, { key, has, make }] of Object.entries(MAKE)) {
    test(`gets 409 limit-reached beyond the limit of ${what}, also with parallel requests; an admin does not`, async () => {
      await using product = await startWholeProduct({ config: { limits: { [key]: 4 } } })
      const ann = await product.person('Ann')
      const tell = (token: string, n: number) => {
        const [method, path, body] = make(ann, n)
        return product.ask(method, path, { token, body })
      }
      const told = await Promise.all(Array.from({ length: 12 }, (_, n) => tell(ann.token, n)))
      assert.equal(told.filter(({ status }) => status < 300).length, 4 - has)
      const refused = told.filter(({ status }) => status >= 300)
      for (const { status, body } of refused) {
        assert.deepEqual([status, body.code], [409, 'limit-reached'])
        assert.match(body.detail, new RegExp(`app\\.limits\\.${what}\\b`))
      }
      const admin = await product.admin()
      for (let n = 20; n < 25; n++) assert.ok((await tell(admin, n)).status < 300)
    })
  }

  test('has at most so many event streams open, and another one when one is closed', async () => {
    await using product = await startWholeProduct({ config: { limits: { eventStreams: 2 } } })
    const ann = await product.person('Ann')
    const listen = (token: string) =>
      new Promise<{ status: number; close(): void }>((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}` }
        const sent = request(`${product.url}/api/events`, { headers, agent: false }, (response) => {
          response.resume()
          response.on('error', () => {})
          resolve({ status: response.statusCode ?? 0, close: () => sent.destroy() })
        })
        sent.on('error', reject)
        sent.end()
      })
    const streams = [await listen(ann.token), await listen(ann.token)]
    assert.deepEqual(
      streams.map(({ status }) => status),
      [200, 200],
    )
    const refused = await product.ask('GET', '/api/events', { token: ann.token })
    assert.deepEqual([refused.status, refused.body.code], [409, 'limit-reached'])
    const admin = await product.admin()
    const admins = [await listen(admin), await listen(admin), await listen(admin)]
    assert.deepEqual(
      admins.map(({ status }) => status),
      [200, 200, 200],
    )
    streams[0]?.close()
    let again = 409
    await until('the closed stream is counted no more', async () => {
      const stream = await listen(ann.token)
      again = stream.status
      admins.push(stream)
      return again === 200
    })
    for (const stream of [...streams, ...admins]) stream.close()
  })

  test('makes at most so many requests a minute, with any token; then again in the next minute', async () => {
    await using product = await startWholeProduct({ config: { limits: { requestsPerMinute: 5 } } })
    const ann = await product.person('Ann')
    const bob = await product.person('Bob')
    const { token: second } = await product.catalogue.tokens.create(ann.id, { name: 'second' })
    const ask = (token: string) => product.ask('GET', '/api/status', { token })
    for (let n = 0; n < 5; n++) assert.equal((await ask(n % 2 ? second : ann.token)).status, 200)
    const refused = await ask(second)
    assert.deepEqual([refused.status, refused.body.code], [429, 'too-many-requests'])
    assert.match(refused.body.detail, /app\.limits\.requests-per-minute/)
    const seconds = Number(refused.headers['retry-after'])
    assert.ok(seconds >= 1 && seconds <= 60, String(seconds))
    assert.equal((await ask(bob.token)).status, 200)
    const admin = await product.admin()
    for (let n = 0; n < 8; n++) assert.equal((await ask(admin)).status, 200)
    await product.clock.advance(seconds * 1000)
    assert.equal((await ask(ann.token)).status, 200)
  })

  test('sees each limit and what is used of it, and nobody else’s', async () => {
    await using product = await startWholeProduct({ config: { limits: { sources: 7 } } })
    const ann = await product.person('Ann')
    const bob = await product.person('Bob')
    await product.catalogue.sources.create(ann.podcastId, { type: 'rss', url: 'https://a.example/' })
    const path = `/api/users/${ann.id}/limits`
    const { status, body } = await product.ask('GET', path, { token: ann.token })
    assert.equal(status, 200)
    const of = (name: string) => body.items.find((limit: { name: string }) => limit.name === name)
    assert.deepEqual(of('sources'), { name: 'sources', used: 1, most: 7 })
    assert.deepEqual(of('podcasts'), { name: 'podcasts', used: 1, most: 100 })
    assert.deepEqual(of('tokens'), { name: 'tokens', used: 1, most: 100 })
    assert.deepEqual(of('requests-per-minute'), { name: 'requests-per-minute', used: null, most: 6000 })
    assert.equal((await product.ask('GET', path, { token: bob.token })).status, 404)
    assert.equal((await product.ask('GET', path, { token: await product.admin() })).status, 200)
  })

  test('causes at most ten test fetches a minute, with any token and in any way', async () => {
    await using origin = await startOrigin()
    for (let n = 0; n < 40; n++) origin.route(`/${n}`, { body: rss([]) })
    const loopback = { http: { allowPrivateNetworks: ['127.0.0.0/8'] } }
    await using product = await startWholeProduct({ config: loopback })
    const ann = await product.person('Ann')
    const admin = await product.admin()
    const { token: second } = await product.catalogue.tokens.create(ann.id, { name: 'second' })
    const body = { type: 'rss', url: 'https://a.example/', validate: false }
    const { body: source } = await product.ask('POST', ann.sources, { token: admin, body })
    const path = `${ann.sources}/${source.id}`
    const statuses: number[] = []
    for (let n = 0; n < 12; n += 4) {
      const url = (k: number) => `${origin.url}/${n + k}`
      const tries = [
        product.ask('POST', '/api/preview', { token: ann.token, body: { url: url(0) } }),
        product.ask('POST', ann.sources, { token: second, body: { type: 'rss', url: url(1) } }),
        product.ask('PATCH', path, { token: ann.token, body: { url: url(2), validate: true } }),
        product.ask('PUT', path, { token: second, body: { type: 'rss', url: url(3), validate: true } }),
      ]
      for (const told of await Promise.all(tries)) statuses.push(told.status)
    }
    assert.equal(statuses.filter((status) => status === 429).length, 2, String(statuses))
    const told = await product.ask('POST', ann.sources, {
      token: admin,
      body: { type: 'rss', url: `${origin.url}/30` },
    })
    assert.notEqual(told.status, 429)
  })

  test('sends at most ten test messages a minute to webhooks and notifiers', async () => {
    await using origin = await startOrigin()
    await using product = await startWholeProduct({ config: { http: { allowPrivateNetworks: ['127.0.0.0/8'] } } })
    const ann = await product.person('Ann')
    const webhooks = `/api/users/${ann.id}/webhooks`
    const { body } = await product.ask('POST', webhooks, { token: await product.admin(), body: { url: origin.url } })
    const statuses = []
    for (let n = 0; n < 12; n++) {
      statuses.push((await product.ask('POST', `${webhooks}/${body.id}/test`, { token: ann.token })).status)
    }
    assert.deepEqual(statuses, [...new Array(10).fill(502), 429, 429])
    const notifiers = `/api/users/${ann.id}/notifiers`
    const target = `${origin.url}/topic`
    const made = await product.ask('POST', notifiers, { token: ann.token, body: { kind: 'ntfy', target } })
    assert.equal(made.status, 201)
    assert.equal((await product.ask('POST', `${notifiers}/${made.body.id}/test`, { token: ann.token })).status, 429)
    assert.equal(origin.requests.length, 10)
  })
})
