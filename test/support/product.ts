// The whole product as a library user has it: a real SQLite file in a folder of its own, real sockets on
// loopback, time under the test's control. Everything is gone afterwards.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTidings, type PartialConfig, type Tidings } from '../../src/index.ts'
import type { Clock, Random } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'

export interface ProductOptions {
  readonly config?: PartialConfig
  readonly clock?: Clock
  readonly random?: Random
  readonly log?: Log
  /** An earlier product's folder: a restart. */
  readonly dir?: string
}

export interface Product extends AsyncDisposable {
  readonly tidings: Tidings
  readonly dir: string
  /** Ends the process' part and leaves the data, as a restart does. */
  stop(): Promise<void>
}

export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const { clock, random = () => 0, log, config = {} } = options
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'tidings-story-')))
  const tidings = await createTidings({
    config: {
      ...config,
      database: config.database ?? { url: `file:${join(dir, 'tidings.db')}` },
      http: { allowPrivateNetworks: ['127.0.0.0/8'], ...config.http },
    },
    random,
    ...(clock && { clock }),
    ...(log && { log }),
  })
  return {
    tidings,
    dir,
    async stop() {
      await tidings[Symbol.asyncDispose]()
    },
    async [Symbol.asyncDispose]() {
      await tidings[Symbol.asyncDispose]()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

export interface Item {
  readonly title: string
  readonly body?: string
  readonly guid?: string
  readonly link?: string
  readonly publishedAt?: number | null
  readonly categories?: readonly string[]
}

/** An RSS document of these items. */
export function rss(items: readonly Item[], channel = ''): string {
  const entries = items.map(({ title, body = `About ${title}`, guid, link, publishedAt, categories = [] }) =>
    [
      `<item><title>${title}</title><description>${body}</description>`,
      guid === undefined ? '' : `<guid isPermaLink="false">${guid}</guid>`,
      link === undefined ? '' : `<link>${link}</link>`,
      publishedAt == null ? '' : `<pubDate>${new Date(publishedAt).toUTCString()}</pubDate>`,
      ...categories.map((category) => `<category>${category}</category>`),
      '</item>',
    ].join(''),
  )
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>http://e.org/</link>${channel}${entries.join('')}</channel></rss>`
}
