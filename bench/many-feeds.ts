// Measures a round of many feeds: all new, then all unchanged. Prints CPU time, peak memory and the delay of the event loop
// of this process. One round only: the peak of a process never becomes less. `npm run bench -- targets memory` makes several.
// Set FEEDS and ENTRIES to change the size. With --json it prints one line of JSON.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { createTidings } from '../src/index.ts'
import { type Figure, figureOf, printJson, say } from './figures.ts'

const feeds = Number(process.env.FEEDS ?? 500)
const entries = Number(process.env.ENTRIES ?? 35)
const origin = fork(fileURLToPath(new URL('./many-feeds-origin.ts', import.meta.url)), [String(feeds), String(entries)])
const [{ urls, feedKb }] = (await once(origin, 'message')) as [{ urls: string[]; feedKb: number }]
const figures: Figure[] = []
const dir = await mkdtemp(join(tmpdir(), 'tidings-bench-'))
try {
  await using tidings = await createTidings({
    config: { database: { url: `file:${join(dir, 'tidings.db')}` }, http: { allowPrivateNetworks: ['127.0.0.0/8'] } },
  })
  const { sources } = tidings.catalogue
  const ids: string[] = []
  for (const url of urls) ids.push((await sources.create('default', { type: 'rss', url, backfillDays: 7 })).id)
  say(`${feeds} feeds of ${entries} entries, ${feedKb} KB`)
  for (const round of ['all new', 'all unchanged']) {
    const [cpu, wall, delay] = [process.cpuUsage(), performance.now(), monitorEventLoopDelay({ resolution: 5 })]
    delay.enable()
    const records = await Promise.all(ids.map((id) => tidings.poll(id)))
    const wallMs = performance.now() - wall
    const { user, system } = process.cpuUsage(cpu)
    const failed = records.filter(({ outcome }) => outcome !== 'success').length
    const created = records.reduce((sum, record) => sum + record.created, 0)
    const [cpuMs, peakMb] = [(user + system) / 1000, process.resourceUsage().maxRSS / 1024]
    const p99Ms = delay.percentile(99) / 1e6
    say(
      `  ${round.padEnd(14)} cpu ${(cpuMs / 1000).toFixed(2)} s, wall ${(wallMs / 1000).toFixed(2)} s, peak ${Math.round(peakMb)} MB, event loop p99 ${Math.round(p99Ms)} ms, ${created} posts, ${failed} failed`,
    )
    if (failed > 0) throw new Error(`${failed} polls failed`)
    figures.push(
      figureOf(`${round}, CPU`, 'ms', [cpuMs]),
      figureOf(`${round}, wall`, 'ms', [wallMs]),
      figureOf(`${round}, peak`, 'MB', [peakMb]),
      figureOf(`${round}, event loop p99`, 'ms', [p99Ms]),
    )
  }
  printJson({ feeds, entries, feedKb }, figures)
} finally {
  origin.disconnect()
  await rm(dir, { recursive: true, force: true })
}
