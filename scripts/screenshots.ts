// Makes the pictures of docs/images: a dashboard with sources on loopback, polled for a while, each page photographed in
// light and dark, wide and on a phone. `npm run screenshots` takes about two minutes.
import { mkdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import chromium from '@sparticuz/chromium'
import { type Page, chromium as playwright } from 'playwright-core'
import { openShell } from '../test/support/run-cli.ts'
import { startServe } from '../test/support/serve-process.ts'

const IMAGES = fileURLToPath(new URL('../docs/images/', import.meta.url))
const SOURCES = '/api/users/default/podcasts/default/sources'
const POLLING_MS = 75_000
const TITLES = [
  'Harbour news',
  'Tide tables',
  'Deep sea weekly',
  'The lighthouse',
  'Sailmaker',
  'Coast guard',
  'Ferry times',
]

function feedOf(title: string, seed: number): string {
  const items = Array.from({ length: 9 }, (_, index) => {
    const at = new Date(Date.now() - (index * 5 + seed) * 3_600_000 - 60_000)
    const text = `<p>The wind turned before noon, and the boats came home early. Readers ask what the harbour will do about the <b>new pier</b>, and whether the ferry keeps its times.</p><ul><li>Wind: north-west, ${index + 3}</li><li>Tide: low at ${index + 6}:40</li></ul>`
    return `<item><title>${title}, report ${9 - index}: boats home early</title><guid>${title}${index}</guid><link>https://example.org/${seed}/${index}</link><pubDate>${at.toUTCString()}</pubDate><author>Anna Berg</author><category>harbour</category><description><![CDATA[${text}]]></description></item>`
  })
  return `<rss version="2.0"><channel><title>${title}</title><language>en</language>${items.join('')}</channel></rss>`
}

/** One host per title. The fourth is gone now and then, the fifth asks to wait. */
async function startHosts(): Promise<Server[]> {
  return Promise.all(
    TITLES.map(async (title, index) => {
      let requests = 0
      const server = createServer(async (request, response) => {
        requests++
        await wait(60 + index * 150)
        if (index === 3 && requests % 3 === 0) response.writeHead(503).end()
        else if (index === 4 && requests > 3) response.writeHead(429, { 'retry-after': '900' }).end()
        else if (request.url === '/gone') response.writeHead(404).end()
        else response.setHeader('content-type', 'application/rss+xml').end(feedOf(title, index + requests))
      })
      await new Promise<void>((resolve) => server.listen(0, `127.0.2.${index + 1}`, resolve))
      return server
    }),
  )
}

function urlOf(server: Server, path: string): string {
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the server does not listen')
  return `http://${bound.address}:${bound.port}/${path}`
}

async function ask(method: string, url: string, body?: unknown): Promise<{ items: { id: string }[] }> {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
  return response.json() as Promise<{ items: { id: string }[] }>
}

async function addSources(url: string, hosts: readonly Server[]): Promise<void> {
  const common = { type: 'rss', validate: false, backfillDays: 7, pollIntervalMinutes: 1, pollDelaySeconds: 4 }
  for (const host of hosts)
    for (const path of ['a', 'b']) await ask('POST', url + SOURCES, { ...common, url: urlOf(host, path) })
  const [first] = hosts
  if (first)
    await ask('POST', url + SOURCES, { ...common, label: 'Old chronicle', maxFailures: 1, url: urlOf(first, 'gone') })
  const { items } = await ask('GET', `${url + SOURCES}?limit=100`)
  for (const { id } of items) await ask('POST', `${url + SOURCES}/${id}/poll`)
}

async function photograph(page: Page, url: string, name: string, path: string): Promise<void> {
  await page.goto(url + path)
  await page.locator('.loading').waitFor({ state: 'detached' })
  await wait(2500)
  await page.screenshot({ path: `${IMAGES}${name}.png` })
}

const shell = openShell()
const hosts = await startHosts()
const serve = await startServe(shell.folder, [], { APP_SOURCE_TICK_SECONDS: '2' })
const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args: chromium.args })
try {
  await mkdir(IMAGES, { recursive: true })
  await addSources(serve.url, hosts)
  await wait(POLLING_MS)
  await ask('POST', `${serve.url}/api/users/default/podcasts/default/articles`, {})
  const { items } = await ask('GET', serve.url + SOURCES)
  const posts = await ask('GET', `${serve.url}/api/users/default/podcasts/default/posts`)
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
  const pages: readonly [string, string][] = [
    ['overview', '/'],
    ['lanes', '/lanes?zoom=10'],
    ['sources', '/sources'],
    ['source', `/sources/${items[0]?.id}`],
    ['posts', '/posts?q=pier'],
    ['post', `/posts/${posts.items[0]?.id}`],
    ['articles', '/articles'],
    ['settings', '/settings'],
  ]
  for (const [name, path] of pages) await photograph(page, serve.url, name, path)
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const [name, path] of pages.slice(0, 2)) await photograph(page, serve.url, `${name}-dark`, path)
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [name, path] of pages.slice(0, 3)) await photograph(page, serve.url, `${name}-phone`, path)
} finally {
  await browser.close()
  await serve[Symbol.asyncDispose]()
  for (const host of hosts) host.close()
  shell[Symbol.dispose]()
}
