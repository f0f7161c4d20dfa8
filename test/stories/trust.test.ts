import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { World } from '../support/world-under-clock.ts'

const body = rss([{ title: 'One', guid: '1' }])
/** Two networks of the list; each holds one of the origins. */
const allowPrivateNetworks = ['127.0.0.1/32', '127.0.0.2/31']

async function start() {
  const world = await World.start({ http: { allowPrivateNetworks } })
  const typed = await startOrigin({ now: () => world.clock.now() })
  const inside = await startOrigin({ host: '127.0.0.2', now: () => world.clock.now() })
  const beside = await startOrigin({ host: '127.0.0.3', now: () => world.clock.now() })
  for (const origin of [typed, inside, beside]) origin.route('/feed', { body })
  const close = async () => {
    for (const one of [world, typed, inside, beside]) await one[Symbol.asyncDispose]()
  }
  return { world, typed, inside, beside, [Symbol.asyncDispose]: close }
}

test('a redirect into a listed network that the typed address does not lie in is refused', async () => {
  await using story = await start()
  const { world, typed, inside, beside } = story
  typed.route('/out', (_request, response) => response.writeHead(302, { location: `${inside.url}/feed` }).end())
  const id = await world.add(`${typed.url}/out`)
  const record = await world.app.engine.poll(id)
  assert.equal(record.outcome, 'transient')
  assert.match(record.reason ?? '', /does not apply to where another address leads/)
  assert.equal(inside.requests.length, 0)
  inside.route('/in', (_request, response) => response.writeHead(302, { location: `${beside.url}/feed` }).end())
  assert.equal((await world.app.engine.poll(await world.add(`${inside.url}/in`))).outcome, 'success')
  assert.equal((await world.app.engine.poll(await world.add(`${inside.url}/feed`))).outcome, 'success')
})

test('an alternate link into such a network is not followed, and a feed found in the same one stays trusted', async () => {
  await using story = await start()
  const { world, typed, inside, beside } = story
  const page = (to: string) => ({
    contentType: 'text/html',
    body: `<html><head><link rel="alternate" type="application/rss+xml" href="${to}/feed"></head><body></body></html>`,
  })
  typed.route('/page', page(inside.url))
  inside.route('/page', page(beside.url))
  const { sources } = world.app.catalogue
  const create = async (url: string) => {
    const created = sources.create('default', { url, validate: true })
    created.catch(() => {})
    // Guesses have spacing around them.
    for (let second = 0; second < 20; second++) await world.clock.advance(1000)
    return created
  }
  await assert.rejects(create(`${typed.url}/page`))
  assert.equal(inside.requests.length, 0)
  const { id, url } = await create(`${inside.url}/page`)
  assert.equal(url, `${beside.url}/feed`)
  assert.equal((await world.source(id)).typedHost, '127.0.0.2')
  await world.clock.advance(3_600_000)
  assert.equal((await world.app.engine.poll(id)).outcome, 'success')
})

test('for an address that was found behind a typed one, the typed one counts', async () => {
  await using story = await start()
  const { world, beside } = story
  const id = await world.add(`${beside.url}/feed`)
  await world.app.store.changeSource(id, () => ({ set: { typedHost: '127.0.0.1' }, events: [] }))
  assert.equal((await world.app.engine.poll(id)).outcome, 'transient')
  assert.equal(beside.requests.length, 0)
  await world.app.catalogue.sources.update(id, { url: `${beside.url}/feed?typed` })
  assert.equal((await world.app.engine.poll(id)).outcome, 'success')
})
