// Adding a source: the test fetch and the first poll share one download.
import { createApi } from '../../src/api/server.ts'
import { createApp } from '../../src/app.ts'
import { configFrom } from '../../src/config.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { startOrigin } from '../../test/support/origin.ts'
import { rss } from '../../test/support/product.ts'
import { MINUTE } from '../../test/support/world.ts'
import { type CheckResult, conditions, inGroup } from './check.ts'

const check = inGroup('adding')
const FEED = rss([{ title: 'One' }, { title: 'Two' }])

/** Runs a check against the app as `serve` starts it, with a catalogue that validates new sources. */
async function inApp(
  run: (parts: Awaited<ReturnType<typeof startParts>>) => Promise<CheckResult>,
): Promise<CheckResult> {
  const parts = await startParts()
  try {
    return await run(parts)
  } finally {
    await parts.app.close()
    await parts.origin.close()
  }
}

async function startParts() {
  const clock = new ManualClock()
  const origin = await startOrigin({ host: '127.0.0.2', now: () => clock.now() })
  const http = { allowPrivateNetworks: ['127.0.0.0/8'] }
  const config = configFrom({ database: { url: 'file::memory:' }, server: { port: 0 }, http })
  const app = await createApp({ config, clock, random: () => 0 })
  const add = (path: string) =>
    app.catalogue.sources.create('default', { url: `${origin.url}${path}` }, { validate: true })
  return { clock, origin, app, config, add }
}

export const ADDING = [
  check('added and polled: one download, posts stored, then conditional', () =>
    inApp(async ({ app, origin, add }) => {
      origin.route('/feed', { body: FEED, etag: '"1"' })
      const { id } = await add('/feed')
      const { created } = await app.engine.poll(id)
      const before = origin.requests.length
      await app.engine.poll(id)
      return {
        seen: `${before} request, ${created} posts, then ${conditions(origin.requests.slice(before))}`,
        expected: '1 request, 2 posts, then match "1"',
      }
    }),
  ),
  check('the first scheduled poll uses the same download', () =>
    inApp(async ({ app, origin, add, clock }) => {
      origin.route('/feed', { body: FEED })
      const { id } = await add('/feed')
      await app.catalogue.sources.update(id, { pollIntervalMinutes: 5 })
      await app.engine.tick()
      await clock.advance(5 * MINUTE)
      await app.engine.tick()
      await app.engine.drain()
      const posts = await app.store.listPosts({ podcastId: 'default', limit: 10, cursor: null })
      return { seen: `${origin.requests.length} request, ${posts.items.length} posts`, expected: '1 request, 2 posts' }
    }),
  ),
  check('after ten minutes the download and its validators are forgotten', () =>
    inApp(async ({ app, origin, add, clock }) => {
      origin.route('/feed', { body: FEED, etag: '"1"' })
      const { id } = await add('/feed')
      await clock.advance(11 * MINUTE)
      await app.engine.poll(id)
      return { seen: conditions(origin.requests), expected: 'plain | plain' }
    }),
  ),
  check('a failed test fetch leaves nothing but a closed lane', () =>
    inApp(async ({ app, origin, add }) => {
      origin.route('/feed', { status: 429, headers: { 'retry-after': '120' } })
      const told = await add('/feed').catch((error) => error.code)
      const again = await add('/feed').catch((error) => error.code)
      const { sources } = await app.store.totals({ userId: null, now: 0 })
      return {
        seen: `${told}, ${again}; ${origin.requests.length} request, ${sources} sources`,
        expected: 'nothing-usable, host-not-free; 1 request, 0 sources',
      }
    }),
  ),
  check('an imported source is not requested before it is due', () =>
    inApp(async ({ app, origin }) => {
      origin.route('/feed', { body: FEED })
      const list = `${origin.url}/feed\n${origin.url}/other\n`
      const { added } = await app.catalogue.sources.importList('default', { bytes: Buffer.from(list) })
      return { seen: `${added} added, ${origin.requests.length} requests`, expected: '2 added, 0 requests' }
    }),
  ),
  check('the address that Tidings listens on is never requested', () =>
    inApp(async ({ app, config }) => {
      const { catalogue, engine, store, clock } = app
      const api = await createApi({ config, catalogue, engine, store, clock, log: false, version: '0' })
      const { url } = await api.listen()
      app.ownAddresses.push({ address: '127.0.0.1', port: Number(new URL(url).port) })
      const told = await catalogue.sources
        .create('default', { type: 'rss', url: `${url}/healthz` }, { validate: true })
        .catch((error: Error) => error.message)
      await api.close()
      const refused = /is an address that Tidings itself listens on: it is never fetched/.test(String(told))
      return { seen: refused ? 'refused' : String(told), expected: 'refused' }
    }),
  ),
  check('why names freshness as the reason', () =>
    inApp(async ({ app, origin, add }) => {
      origin.route('/feed', { body: FEED, headers: { 'cache-control': 'max-age=7200' } })
      const { id } = await add('/feed')
      await app.engine.poll(id)
      const { code, sentence } = await app.engine.why(id)
      return {
        seen: `${code}: ${sentence}`,
        expected: 'fresh: Not polled: the server says that what we have stays fresh, next at 2026-02-17T12:00:00.000Z.',
      }
    }),
  ),
]
