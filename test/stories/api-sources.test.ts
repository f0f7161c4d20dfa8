// A person with curl: the whole product behind its REST API, with real feeds on loopback.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApi } from '../../src/api/server.ts'
import { createApp } from '../../src/app.ts'
import { configFrom } from '../../src/config.ts'
import type { PartialConfig } from '../../src/ports/config.ts'
import { type Asked, askAt } from '../support/api.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'

const SOURCES = '/api/users/default/podcasts/default/sources'
const HTML = { contentType: 'text/html' }

async function served(server: PartialConfig['server'] = {}) {
  const clock = new ManualClock()
  const origin = await startOrigin({ host: '127.0.0.2', now: () => clock.now() })
  const config = configFrom({
    server: { port: 0, ...server },
    database: { url: 'file::memory:' },
    http: { allowPrivateNetworks: ['127.0.0.0/8'] },
  })
  const app = await createApp({ config, clock, random: () => 0 })
  const api = await createApi({ ...app, log: false, version: 'test' })
  const { url } = await api.listen()
  const close = async () => {
    await api.close()
    await app.close()
    await origin.close()
  }
  const ask = (method: string, path: string, asked?: Asked) => askAt(url, method, path, asked)
  return { origin, app, clock, ask, [Symbol.asyncDispose]: close }
}

test('the feed behind a page is found, stored, polled without asking again, and its posts are there', async () => {
  await using world = await served()
  const { origin, ask, clock } = world
  origin.route('/', {
    ...HTML,
    body: '<title>Blog</title><link rel="alternate" type="application/rss+xml" href="/feed">',
  })
  origin.route('/feed', { body: rss([{ title: 'New', guid: '1', publishedAt: clock.now() + 1000 }]) })
  const made = await ask('POST', SOURCES, { body: { url: `${origin.url}/` } })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.type, 'rss')
  assert.equal(made.body.url, `${origin.url}/feed`)
  const polled = await ask('POST', `${SOURCES}/${made.body.id}/poll?wait=true`)
  assert.equal(polled.status, 200, polled.text)
  assert.equal(polled.body.outcome, 'success')
  assert.equal(polled.body.created, 1)
  assert.equal(origin.requestsTo('/feed').length, 1)
  const posts = await ask('GET', '/api/users/default/podcasts/default/posts')
  assert.deepEqual(
    posts.body.items.map((post: { title: string }) => post.title),
    ['New'],
  )
  const source = await ask('GET', `${SOURCES}/${made.body.id}`)
  assert.equal(source.body.postCount, 1)
  const why = await ask('GET', `${SOURCES}/${made.body.id}/why`)
  assert.ok(why.body.sentence.length > 10)
  const polls = await ask('GET', `${SOURCES}/${made.body.id}/polls`)
  assert.deepEqual(polls.body.items, [polled.body])
})

test('an address with nothing usable is 422 with the reason and is not stored; validate: false stores it', async () => {
  await using world = await served()
  const { origin, ask } = world
  const told = await ask('POST', SOURCES, { body: { type: 'rss', url: `${origin.url}/missing` } })
  assert.equal(told.status, 422, told.text)
  assert.equal(told.body.code, 'nothing-usable')
  assert.match(told.body.detail, /404/)
  assert.deepEqual((await ask('GET', SOURCES)).body.items, [])
  const body = { type: 'rss', url: `${origin.url}/missing`, validate: false }
  assert.equal((await ask('POST', SOURCES, { body })).status, 201)
})

test('a preview stores nothing and says what would be dropped', async () => {
  await using world = await served()
  const { origin, ask, clock } = world
  const items = [{ title: 'Old', publishedAt: clock.now() - 30 * 86_400_000 }, { title: 'Undated' }]
  origin.route('/feed', { body: rss(items) })
  const { status, body } = await ask('POST', '/api/preview', { body: { url: `${origin.url}/feed` } })
  assert.equal(status, 200)
  assert.deepEqual([body.type, body.title, body.posts[0].title], ['rss', 'News', 'Undated'])
  assert.deepEqual(
    body.dropped.map((entry: { title: string; rule: string }) => [entry.title, entry.rule]),
    [['Old', 'tooOld']],
  )
  assert.deepEqual((await ask('GET', SOURCES)).body.items, [])
})

test('credentials in a URL reach the host and nobody else', async () => {
  await using world = await served()
  const { origin, ask } = world
  origin.route('/feed', (request, response) => {
    const right = request.headers.authorization === `Basic ${Buffer.from('me:hush').toString('base64')}`
    response.writeHead(right ? 200 : 401).end(right ? rss([{ title: 'In' }]) : '')
  })
  const made = await ask('POST', SOURCES, {
    body: { type: 'rss', url: origin.url.replace('//', '//me:hush@').concat('/feed') },
  })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.hasCredentials, true)
  await world.clock.advance(11 * 60_000)
  const polled = await ask('POST', `${SOURCES}/${made.body.id}/poll?wait=true`)
  assert.equal(polled.body.outcome, 'success')
  for (const path of [
    `${SOURCES}/${made.body.id}`,
    `${SOURCES}.opml`,
    `${SOURCES}.json`,
    `${SOURCES}/${made.body.id}/polls`,
  ]) {
    assert.doesNotMatch((await ask('GET', path)).text, /hush/)
  }
  assert.match((await ask('GET', `${SOURCES}.opml?secrets=true`)).text, /me:hush@/)
})

test('private addresses are open to an admin where configured, never to a user', async () => {
  await using world = await served({ auth: 'required' })
  const { origin, ask, app } = world
  origin.route('/feed', { body: rss([]) })
  const { token } = await app.catalogue.tokens.create('default', { name: 'user' })
  const { token: admin } = await app.catalogue.tokens.create('default', { name: 'admin', admin: true })
  const body = { type: 'rss', url: `${origin.url}/feed` }
  const refused = await ask('POST', SOURCES, { token, body })
  assert.equal(refused.status, 422, refused.text)
  assert.equal(origin.requests.length, 0)
  assert.equal((await ask('POST', SOURCES, { token: admin, body })).status, 201)
})
