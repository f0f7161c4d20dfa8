// A product in a process of its own that polls everything over and over until it is killed. argv: database URL, delay in
// seconds, URLs.
import { isStoreAway } from '../../src/domain/problem.ts'
import { createTidings } from '../../src/index.ts'

const [url = '', delay = '0.2', ...feeds] = process.argv.slice(2)
const tidings = await createTidings({
  config: {
    database: { url },
    http: { allowPrivateNetworks: ['127.0.0.0/8'] },
    source: { pollDelaySeconds: { rss: Number(delay) } },
  },
})
const { items } = await tidings.catalogue.sources.list('default', { limit: 500 })
const known = new Map(items.map((source) => [source.url, source.id]))
for (const feed of feeds) {
  if (!known.has(feed))
    known.set(feed, (await tidings.catalogue.sources.create('default', { type: 'rss', url: feed })).id)
}
console.log('ready')
/** On a busy machine PostgreSQL may not answer in time. That is no fault: the next poll asks again. */
async function poll(id: string): Promise<void> {
  await tidings.poll(id).catch((error: unknown) => {
    if (!isStoreAway(error)) throw error
  })
}
for (;;) await Promise.all([...known.values()].map(poll))
