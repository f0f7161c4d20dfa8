// A reading thread that hangs, dies or eats memory: the poll fails as transient, in words, the thread is replaced, and
// the next poll is read as if nothing had happened. The whole of polling on a real store, with a reader that is weak.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createCatalogue } from '../../src/catalogue/catalogue.ts'
import { configFrom } from '../../src/config.ts'
import { BUILT_IN_TYPES } from '../../src/domain/built-in-types.ts'
import { silentLog } from '../../src/log.ts'
import { AloneCoordinator } from '../../src/polling/coordination/alone.ts'
import { PollingEngine } from '../../src/polling/engine.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { createFeedSource } from '../../src/sources/feed/feed-source.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { createDocuments } from '../../src/workers/documents.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { testFetcher } from '../support/test-fetcher.ts'

let origin: Origin
let parts: Awaited<ReturnType<typeof startPolling>>

async function startPolling() {
  const clock = new ManualClock()
  const config = configFrom({})
  const store = await openStore('file::memory:', { now: clock.now() })
  const client = testFetcher()
  const entry = new URL('./hostile-product-reader.ts', import.meta.url)
  const documents = createDocuments({ size: 1, timeLimitMs: 3_000, heapLimitMb: 64, entry })
  const feeds = createFeedSource({ documents, lateArrivalHours: 0 })
  const engine = new PollingEngine({
    coordinator: new AloneCoordinator(store),
    ...{ clock, store, random: () => 0, log: silentLog, fetcher: client.fetcher, rules: config.source },
    types: BUILT_IN_TYPES,
    documents,
    readers: { rss: feeds, website: feeds, youtube: feeds, twitter: feeds },
    discover: async () => assert.fail('nothing is tested before it is added'),
    credentials: async () => null,
    content: config.content,
    limits: config.limits,
    sameDomain: () => false,
    urlKeyOf: (url) => url,
  })
  const secrets = createSecrets({ masterKey: null, engine: 'sqlite', dataDir: null })
  const catalogue = createCatalogue({
    store,
    engine: () => engine,
    secrets,
    config,
    clock,
    types: BUILT_IN_TYPES,
    documents,
  })
  const close = async (): Promise<void> => {
    await engine.stop()
    await Promise.all([documents.close(), client[Symbol.asyncDispose]()])
    await store.close()
  }
  return { engine, catalogue, close }
}

before(async () => {
  origin = await startOrigin({ host: '127.0.0.2' })
  parts = await startPolling()
})
after(async () => {
  await parts.close()
  await origin.close()
})

for (const [weakness, reason] of [
  ['hang', /^Reading took longer than 3 s$/],
  ['die', /^The reader ended with code 3$/],
  ['eat', /^The reader crashed: .*memory/],
] as const) {
  test(`a reader made to ${weakness} fails its poll as transient, and is replaced`, async () => {
    const { engine, catalogue } = parts
    const path = `/${weakness}`
    origin.route(path, { body: rss([{ title: `please ${weakness}` }]), etag: '"bad"' })
    const { id } = await catalogue.sources.create('default', { type: 'rss', url: `${origin.url}${path}` })
    const failed = await engine.poll(id)
    assert.equal(failed.outcome, 'transient')
    assert.match(failed.reason ?? '', reason)
    origin.route(path, { body: rss([{ title: 'An ordinary day' }]) })
    let read = await engine.poll(id)
    // A machine that stands still for 1.5 seconds makes this reader late, too.
    for (let tries = 1; tries < 5 && read.outcome !== 'success'; tries++) read = await engine.poll(id)
    assert.deepEqual([read.outcome, read.created], ['success', 1])
    assert.equal(origin.requestsTo(path)[1]?.headers['if-none-match'], undefined)
  })
}

test('while a reader hangs, another feed is read', async () => {
  const { engine, catalogue } = parts
  origin.route('/slow', { body: rss([{ title: 'please hang' }]) })
  await using other = await startOrigin({ host: '127.0.0.3' })
  other.route('/quick', { body: rss([{ title: 'Quick' }]) })
  const slow = await catalogue.sources.create('default', { type: 'rss', url: `${origin.url}/slow` })
  const quick = await catalogue.sources.create('default', { type: 'rss', url: `${other.url}/quick` })
  const [failed, first] = await Promise.all([engine.poll(slow.id), engine.poll(quick.id)])
  const read = first.outcome === 'success' ? first : await engine.poll(quick.id)
  assert.deepEqual([failed.outcome, read.outcome, read.created], ['transient', 'success', 1])
})
