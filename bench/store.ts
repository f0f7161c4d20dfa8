// Measures the most frequent store operations with a million sources on SQLite, in CPU time and wall time.
import { openStore } from '../src/storage/open-store.ts'
import { aRecord, NOW, poll } from '../test/store-contract/fixtures.ts'
import { seedSources } from '../test/store-contract/many-sources.ts'
import { tempStore } from '../test/support/temp-store.ts'

const sources = Number(process.argv[2] ?? 1_000_000)
const lanes = 20_000
const due = 500

async function measure(name: string, times: number, work: (n: number) => Promise<unknown>): Promise<void> {
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  for (let n = 0; n < times; n++) await work(n)
  const wallMs = (performance.now() - startedAt) / times
  const { user, system } = process.cpuUsage(cpu)
  const cpuMs = (user + system) / 1000 / times
  console.log(`${name.padEnd(44)} ${cpuMs.toFixed(3).padStart(10)} ms CPU ${wallMs.toFixed(3).padStart(10)} ms wall`)
}

await using temp = await tempStore({ now: NOW })
await temp.store.close()
console.log(`${sources} sources on ${lanes} hosts, ${due} of them due`)
await measure('seed', 1, () => seedSources(temp.url.slice('file:'.length), { sources, due, lanes }))
await measure('open', 3, async () => (await openStore(temp.url)).close())
const store = await openStore(temp.url)
try {
  const found = await store.dueLanes(NOW)
  await measure('dueLanes', 50, () => store.dueLanes(NOW))
  await measure('nextDueOf', 2000, (n) => store.nextDueOf(found[n % found.length]?.lane ?? '', NOW, []))
  const ids = (await store.overdueSources(NOW, due)).map((source) => source.id)
  await measure('recordPoll without posts', 5000, (n) => {
    const id = ids[n % ids.length] ?? ''
    const source = { lastPolled: NOW + n, lastSucceededAt: NOW + n, nextPollAt: NOW + 3_600_000 + n }
    return poll(store, id, {
      lane: 'host1.example',
      effects: { source, host: { notBefore: NOW }, record: aRecord(id) },
    })
  })
  await measure('totals', 3, () => store.totals({ userId: null, now: NOW }))
  await measure('listHosts, a page of 50', 20, () =>
    store.listHosts({ userId: null, now: NOW, limit: 50, cursor: null }),
  )
  await measure('listSources, a page of 50', 20, () => store.listSources({ podcastId: null, limit: 50, cursor: null }))
} finally {
  await store.close()
}
