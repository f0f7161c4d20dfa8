// Runs the whole product against many small origins, for hours or days of simulated time.
// judge.ts then checks the logs of the origins and the store: spacing, lateness, duplicates and lost entries.
// Sockets and the SQLite file are real. The clock is manual and advances only while no lane is working.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp } from '../../src/app.ts'
import { configFrom } from '../../src/config.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/domain/schedule.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { seeded } from '../seeded.ts'
import { judge, type Verdict } from './judge.ts'
import { type SimulatedHost, startHosts } from './simulated-hosts.ts'

export interface SimulationSize {
  readonly sources: number
  readonly hosts: number
  readonly hours: number
  readonly seed?: number
  readonly onHour?: (hour: number) => void
}

export interface SimulationResult extends Verdict {
  readonly requests: number
  readonly posts: number
  readonly realSeconds: number
}

const INTERVALS = [30, 60, 90, 120, 240]
export const DELAY_SECONDS = 2

export async function simulate(size: SimulationSize): Promise<SimulationResult> {
  const startedReal = performance.now()
  const random = seeded(size.seed ?? 1)
  const dir = await mkdtemp(join(tmpdir(), 'tidings-simulation-'))
  let app: App | null = null
  const clock: ManualClock = new ManualClock(undefined, {
    autoAdvance: () => (app?.engine.status().lanesAtWork ?? 0) === 0,
  })
  const hosts = await startHosts(size.hosts, clock, random)
  try {
    app = await createApp({
      clock,
      random,
      config: configFrom({
        database: { url: `file:${join(dir, 'tidings.db')}` },
        http: { allowPrivateNetworks: ['127.0.0.0/8'] },
        source: { pollDelaySeconds: { rss: DELAY_SECONDS }, tickSeconds: 60 },
      }),
    })
    const sourceIds = await addSources(app, size, hosts, random)
    await runFor(app, clock, size)
    const verdict = await judge(app, hosts, sourceIds, { delayMs: DELAY_SECONDS * 1000, tickMs: MINUTE_MS })
    return { ...verdict, realSeconds: (performance.now() - startedReal) / 1000 }
  } finally {
    await app?.close()
    await Promise.all(hosts.map((host) => host.close()))
    await rm(dir, { recursive: true, force: true })
  }
}

async function addSources(
  app: App,
  size: SimulationSize,
  hosts: readonly SimulatedHost[],
  random: () => number,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (let index = 0; index < size.sources; index++) {
    // Uneven on purpose: the first hosts have many sources, the last ones have few.
    const host = hosts[Math.floor(random() ** 2 * hosts.length)]
    const url = host?.addFeed(`/feed-${index}`) ?? ''
    const pollIntervalMinutes = INTERVALS[index % INTERVALS.length] ?? 60
    const { id } = await app.catalogue.sources.create('default', { type: 'rss', url, pollIntervalMinutes })
    ids.set(url, id)
  }
  return ids
}

async function runFor(app: App, clock: ManualClock, { hours, onHour }: SimulationSize): Promise<void> {
  const endAt = clock.now() + hours * HOUR_MS
  let hour = 0
  while (clock.now() < endAt) {
    const before = clock.now()
    await app.engine.tick()
    await app.engine.drain()
    await clock.sleep(Math.max(0, before + MINUTE_MS - clock.now()))
    const passed = hours - Math.ceil((endAt - clock.now()) / HOUR_MS)
    if (passed > hour) onHour?.(passed)
    hour = passed
  }
}
