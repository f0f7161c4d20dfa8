/**
 * What the HTML of posts costs: CPU per poll of a changed feed, and bytes per post, each with and without it.
 * A feed of 50 entries, each with about 3 KB of HTML, has some new entries at every poll. Without HTML means that the
 * entries are read as always, but their HTML is neither cleaned nor stored.
 *
 *   node bench/contents.ts [polls]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/app.ts'
import { configFrom } from '../src/config.ts'
import { startOrigin } from '../test/support/origin.ts'
import { PARAGRAPHS } from '../test/support/sample-pages.ts'

const ENTRIES = 50
const STARTED_AT = Date.now()
/** Threads are slow until their code is compiled, which does not matter to a server that runs for days. */
const WARM_UP_POLLS = 150
const [polls = 60] = process.argv.slice(2).map(Number)

/** About 3 KB, as blogs write it: paragraphs with links and emphasis, a list, a picture. */
function entryHtml(n: number): string {
  const paragraph = (at: number) =>
    `<p class="wp-block-paragraph">${n}.${at} ${PARAGRAPHS[(n + at) % PARAGRAPHS.length]?.replace(
      /, /,
      ', <a href="/tags/some-tag" target="_blank" rel="noopener">a link</a> and <em>more</em>, ',
    )}</p>\n`
  const list = '<ul class="wp-block-list"><li>first point</li><li><strong>second</strong> point</li></ul>'
  const picture =
    '<figure><img loading="lazy" width="1024" height="683" src="/i.jpg" srcset="/s.jpg 300w, /l.jpg 1024w"></figure>'
  let html = picture + list
  for (let at = 0; html.length < 3_000; at++) html += paragraph(at)
  return html
}

function edition(first: number): string {
  const items = Array.from({ length: ENTRIES }, (_, n) => {
    const id = first + n
    const at = new Date(STARTED_AT - 86_400_000 + id * 1000).toUTCString()
    return `<item><title>Entry ${id}</title><guid>${id}</guid><pubDate>${at}</pubDate><link>https://e.example/${id}</link><description><![CDATA[${entryHtml(id)}]]></description></item>`
  })
  return `<rss version="2.0"><channel><title>Bench</title>${items.join('')}</channel></rss>`
}

interface Poller extends AsyncDisposable {
  /** CPU in milliseconds. */
  poll(body: string): Promise<number>
  /** After it was closed. */
  bytesPerPost(): number
}

async function startPoller(withHtml: boolean): Promise<Poller> {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-bench-'))
  const file = join(folder, 'tidings.db')
  const http = { allowPrivateNetworks: ['127.0.0.0/8'] }
  const app = await createApp({ config: configFrom({ database: { url: `file:${file}` }, http }) })
  const origin = await startOrigin()
  if (!withHtml) {
    const { readFeed } = app.documents
    const withoutHtml: typeof readFeed = (bytes, hint) =>
      readFeed(bytes, { ...hint, newFrom: Number.POSITIVE_INFINITY })
    Object.assign(app.documents, { readFeed: withoutHtml })
  }
  const { id } = await app.catalogue.sources.create('default', { type: 'rss', url: `${origin.url}/feed` })
  let [posts, bytes] = [0, 0]
  return {
    async poll(body) {
      origin.route('/feed', { body })
      const before = process.cpuUsage()
      const { created } = await app.engine.poll(id)
      const { user, system } = process.cpuUsage(before)
      posts += created
      return (user + system) / 1000
    },
    bytesPerPost: () => bytes / posts,
    async [Symbol.asyncDispose]() {
      await app.close()
      await origin.close()
      bytes = statSync(file).size
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** Both take turns, so that whatever else the machine does falls on both. */
async function compare(newPerPoll: number): Promise<void> {
  const [without, withHtml] = [await startPoller(false), await startPoller(true)]
  const spent = { without: [] as number[], withHtml: [] as number[] }
  for (let n = 0; n < polls + WARM_UP_POLLS; n++) {
    const body = edition(n * newPerPoll)
    const [plain, rich] = [await without.poll(body), await withHtml.poll(body)]
    if (n < WARM_UP_POLLS) continue
    spent.without.push(plain)
    spent.withHtml.push(rich)
  }
  await without[Symbol.asyncDispose]()
  await withHtml[Symbol.asyncDispose]()
  const [plain, rich] = [median(spent.without), median(spent.withHtml)]
  console.log(
    `${String(newPerPoll).padStart(2)} new: ${plain.toFixed(1)} ms CPU per poll without HTML, ${rich.toFixed(1)} with (${(100 * (rich / plain - 1)).toFixed(0)} % more); ` +
      `${without.bytesPerPost().toFixed(0)} bytes per post without HTML, ${withHtml.bytesPerPost().toFixed(0)} with`,
  )
}

console.log(
  `${ENTRIES} entries of about ${entryHtml(1).length} characters, median of ${polls} polls, Node ${process.version}`,
)
for (const newPerPoll of [1, 2, 5, 10]) await compare(newPerPoll)
