import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startFakeX } from '../support/fake-x.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { World } from '../support/world-under-clock.ts'

const FEED = { contentType: 'application/rss+xml', body: rss([{ title: 'One', guid: '1' }]) }

/** Four feeds that worked, on a host that answers 403 now; its breaker is open, and its next probe is far away. */
async function openBreaker() {
  const world = await World.start()
  const origin = await startOrigin({ now: () => world.clock.now() })
  const ids: string[] = []
  for (const n of [0, 1, 2, 3]) {
    origin.route(`/feed-${n}`, FEED)
    ids.push(await world.add(`${origin.url}/feed-${n}`, { pollIntervalMinutes: 60 }))
  }
  await world.run(70, 5)
  answerAll(origin, { status: 403, body: 'no' })
  while ((await world.events('host.opened')).length === 0) await world.run(5, 5)
  await world.run(8 * 60, 10)
  return { world, origin, ids }
}

function answerAll(origin: Origin, answer: Parameters<Origin['route']>[1]): void {
  for (const n of [0, 1, 2, 3]) origin.route(`/feed-${n}`, answer)
}

async function tickOnce(world: World): Promise<void> {
  await world.app.engine.tick()
  await world.app.engine.drain()
}

describe('while the breaker of its host is open, a source is polled with the next tick, as the probe, when a person', () => {
  const changes = {
    'enables it': (world: World, id: string) => world.app.catalogue.sources.update(id, { enabled: true }),
    'gives it another URL': (world: World, id: string, { url }: Origin) =>
      world.app.catalogue.sources.update(id, { url: `${url}/feed-3?now` }),
    'gives it other credentials': (world: World, id: string, { url }: Origin) =>
      world.app.catalogue.sources.update(id, { url: `${url.replace('//', '//me:word@')}/feed-3` }),
  }
  for (const [what, change] of Object.entries(changes)) {
    test(what, async () => {
      const { world, origin, ids } = await openBreaker()
      await using _world = world
      await using _origin = origin
      const id = ids[3] ?? ''
      if (what === 'enables it') await world.app.catalogue.sources.update(id, { enabled: false })
      await change(world, id, origin)
      const why = await world.app.engine.why(id)
      assert.equal(why.code, 'breaker-open')
      assert.equal(why.expectedAt, world.clock.now())
      assert.match(why.sentence, /next try at .* with this one/)
      const asked = origin.requests.length
      await tickOnce(world)
      assert.equal(origin.requests.length, asked + 1)
      const [record] = (await world.app.store.listPolls(id, { limit: 1, cursor: null })).items
      assert.deepEqual([record?.trigger, record?.httpStatus], ['probe', 403])
      await tickOnce(world)
      assert.equal(origin.requests.length, asked + 1, 'once: then it waits like the others')
      assert.equal((await world.source(id)).isMadeDue, false)
    })
  }

  test('enables it and the host works: the breaker closes, and what else was made due is polled at once', async () => {
    const { world, origin, ids } = await openBreaker()
    await using _world = world
    await using _origin = origin
    for (const id of ids.slice(2)) {
      await world.app.catalogue.sources.update(id, { enabled: false })
      await world.app.catalogue.sources.update(id, { enabled: true })
    }
    answerAll(origin, FEED)
    const asked = origin.requests.length
    await tickOnce(world)
    assert.equal((await world.app.store.hostState(origin.host))?.breaker.state, 'closed')
    assert.deepEqual(new Set(origin.requests.slice(asked).map(({ path }) => path)), new Set(['/feed-2', '/feed-3']))
  })
})

describe('storing a key for X', () => {
  async function disabled(key: string | null) {
    const x = await startFakeX()
    x.accounts.add('1', 'birds')
    const world = await World.start({ x: { baseUrl: x.url } })
    if (key !== null) await world.app.catalogue.keys.put('default', 'x', { apiKey: key })
    const id = await world.add('@birds', { type: 'twitter', maxFailures: 2 })
    for (const _time of [1, 2]) await world.app.engine.poll(id)
    return { x, world, id }
  }

  for (const [why, key] of [
    ['for want of it', null],
    ['because X refused the old one', 'wrong'],
  ] as const) {
    test(`enables what was disabled ${why}, tells of it, and has it polled`, async () => {
      const { x, world, id } = await disabled(key)
      await using _x = x
      await using _world = world
      assert.equal((await world.source(id)).enabled, false)
      x.allowKey('right')
      await world.app.catalogue.keys.put('default', 'x', { apiKey: 'right' })
      const { enabled, disabledReason, consecutiveFailures } = await world.source(id)
      assert.deepEqual([enabled, disabledReason, consecutiveFailures], [true, null, 0])
      assert.deepEqual(
        (await world.events('source.enabled')).map((event) => event.sourceId),
        [id],
      )
      await tickOnce(world)
      assert.notEqual((await world.source(id)).lastSucceededAt, null)
    })
  }

  test('leaves alone what a person disabled, and what was disabled for another reason', async () => {
    const { x, world, id } = await disabled(null)
    await using _x = x
    await using _world = world
    await world.app.catalogue.sources.update(id, { enabled: true })
    await world.app.catalogue.sources.update(id, { enabled: false })
    const other = await world.add('@nobody', { type: 'twitter', maxFailures: 2 })
    await world.app.store.changeSource(other, () => ({
      set: { enabled: false, disabledReason: 'Auto-disabled after 2', permanentRun: ['unknown-user', '401'] },
      events: [],
    }))
    await world.app.catalogue.keys.put('default', 'x', { apiKey: 'right' })
    assert.deepEqual([(await world.source(id)).enabled, (await world.source(other)).enabled], [false, false])
  })
})
