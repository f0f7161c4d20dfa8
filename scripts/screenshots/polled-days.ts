// A store as it is after days of polling. The product itself polls, on a clock that runs faster than time.
import { join } from 'node:path'
import { type App, createApp } from '../../src/app.ts'
import { configFrom } from '../../src/config.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { FEEDS, type Feed, GONE, QUIET } from './feeds.ts'
import { type Origins, startOrigins } from './origins.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Polls in the folder's store until the time of the clock is the real one. */
export async function pollForDays(folder: string): Promise<Origins> {
  const endsAt = Date.now() + 2 * MINUTE_MS
  let app: App | null = null
  const clock: ManualClock = new ManualClock(endsAt - 16 * DAY_MS, {
    autoAdvance: () => (app?.engine.status().lanesAtWork ?? 0) === 0,
  })
  const origins = await startOrigins(clock, endsAt)
  const database = { url: `file:${join(folder, 'tidings.db')}` }
  app = await createApp({
    ...{ clock, random: Math.random },
    config: configFrom({
      database,
      http: { proxy: origins.url, allowPrivateNetworks: ['127.0.0.0/8'] },
      x: { baseUrl: origins.url },
      source: { pollDelaySeconds: { rss: 20 } },
    }),
  })
  try {
    await addSource(app, QUIET)
    await tickUntil(app, clock, () => endsAt - 3.5 * DAY_MS, 60)
    for (const feed of FEEDS) await addSource(app, feed)
    await app.catalogue.keys.put('default', 'x', { apiKey: 'made-up' })
    const account = { type: 'twitter', url: '@ferries', pollIntervalMinutes: 20 }
    await app.catalogue.sources.create('default', account)
    await tickUntil(app, clock, () => endsAt - 60 * MINUTE_MS, 5)
    await addSource(app, GONE, { label: GONE.title, maxFailures: 3, pollIntervalMinutes: 3 })
    await tickUntil(app, clock, () => Date.now(), 1)
  } finally {
    await app.close()
  }
  return origins
}

async function addSource(app: App, { host, path, intervalMinutes }: Feed, more = {}): Promise<void> {
  const url = `http://${host}/${path}`
  const settings = { pollIntervalMinutes: intervalMinutes, backfillDays: 1, ...more }
  await app.catalogue.sources.create('default', { type: 'rss', url, ...settings })
}

async function tickUntil(app: App, clock: ManualClock, endsAt: () => number, everyMinutes: number): Promise<void> {
  while (clock.now() < endsAt()) {
    const next = clock.now() + everyMinutes * MINUTE_MS
    await app.engine.tick()
    await app.engine.drain()
    await clock.sleep(Math.max(0, next - clock.now()))
  }
}
