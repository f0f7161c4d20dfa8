// A product in a process of its own that polls everything over and over until somebody kills it.
import { createTidings } from '../../src/index.ts'

const [dir, delay = '0.2', ...urls] = process.argv.slice(2)
const tidings = await createTidings({
  config: {
    database: { url: `file:${dir}/tidings.db` },
    http: { allowPrivateNetworks: ['127.0.0.0/8'] },
    source: { pollDelaySeconds: { rss: Number(delay) } },
  },
})
const { items } = await tidings.catalogue.sources.list('default', { limit: 500 })
const known = new Map(items.map((source) => [source.url, source.id]))
for (const url of urls) {
  if (!known.has(url)) known.set(url, (await tidings.catalogue.sources.create('default', { type: 'rss', url })).id)
}
console.log('ready')
for (;;) await Promise.all([...known.values()].map((id) => tidings.poll(id)))
