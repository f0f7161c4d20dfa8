// Tidings inside your own program, without a server: adds a source, polls it, and prints what came in.
// Usage: npx node examples/embed.ts https://xkcd.com/atom.xml (in a checkout, run `npm run build` first)
import { createTidings, Problem } from 'tidings'

const [url = 'https://xkcd.com/atom.xml', file = './embedded.db'] = process.argv.slice(2)
// A feed in your own network is refused, unless you list that network.
const allowPrivateNetworks = process.env.ALLOW_PRIVATE_NETWORKS?.split(',') ?? []

// `await using` closes the store and ends whatever is under way.
await using tidings = await createTidings({
  config: { database: { url: `file:${file}` }, http: { allowPrivateNetworks } },
})

try {
  await tidings.catalogue.sources.create('default', { type: 'rss', url, backfillDays: 7 })
} catch (error) {
  // Every expected failure has a stable code. This one: the second run of this program.
  if (!(error instanceof Problem && error.code === 'source-exists')) throw error
}

// One pass of the scheduler, and wait for what it started. `tidings.start()` would go on until `tidings.stop()`.
const { items: sources } = await tidings.catalogue.sources.list('default')
for (const { id } of sources) {
  const { outcome, created, reason } = await tidings.poll(id)
  console.log(`${(await tidings.why(id)).sentence} (${outcome}, ${created} new${reason ? `, ${reason}` : ''})`)
}
const { items: posts } = await tidings.posts.list('default', { limit: 10 })
for (const { title, url: link } of posts) console.log(`- ${title} ${link}`)
