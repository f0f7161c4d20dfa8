// Measures a round of many feeds: all new, then all unchanged. Prints CPU time, peak memory and the delay of the event loop
// of this process.
// Set FEEDS and ENTRIES to change the size.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { createTidings } from '../src/index.ts'

const feeds = Number(process.env.FEEDS ?? 500)
const entries = Number(process.env.ENTRIES ?? 35)
const origin = fork(fileURLToPath(new URL('./many-feeds-origin.ts', import.meta.url)), [String(feeds), String(entries)])
const [{ urls }] = (await once(origin, 'message')) as [{ urls: string[] }]
const dir = await mkdtemp(join(tmpdir(), 'tidings-bench-'))
try {
  await using tidings = await createTidings({
    config: { database: { url: `file:${join(dir, 'tidings.db')}` }, http: { allowPrivateNetworks: ['127.0.0.0/8'] } },
  })
  const { sources } = tidings.catalogue
  const ids: string[] = []
  for (const url of urls) ids.push((await sources.create('default', { type: 'rss', url, backfillDays: 7 })).id)
  console.log(`${feeds} feeds of ${entries} entries`)
  for (const round of ['all new', 'all unchanged']) {
    const [cpu, wall, delay] = [process.cpuUsage(), performance.now(), monitorEventLoopDelay({ resolution: 5 })]
    delay.enable()
    const records = await Promise.all(ids.map((id) => tidings.poll(id)))
    const { user, system } = process.cpuUsage(cpu)
    const failed = records.filter(({ outcome }) => outcome !== 'success').length
    const created = records.reduce((sum, record) => sum + record.created, 0)
    const peakMb = Math.round(process.resourceUsage().maxRSS / 1024)
    console.log(
      `  ${round.padEnd(14)} cpu ${((user + system) / 1e6).toFixed(2)} s, wall ${((performance.now() - wall) / 1000).toFixed(2)} s, peak ${peakMb} MB, event loop p99 ${Math.round(delay.percentile(99) / 1e6)} ms, ${created} posts, ${failed} failed`,
    )
  }
} finally {
  origin.disconnect()
  await rm(dir, { recursive: true, force: true })
}
