// Makes the pictures of docs/images: a store with days of polls, served, and each page photographed in light and dark,
// wide and on a phone. `npm run screenshots` takes about two minutes. With a folder as its argument it writes there.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import chromium from '@sparticuz/chromium'
import { type Page, chromium as playwright } from 'playwright-core'
import { openShell } from '../test/support/run-cli.ts'
import { startServe } from '../test/support/serve-process.ts'
import { pollForDays } from './screenshots/polled-days.ts'

const IMAGES = process.argv[2] ?? fileURLToPath(new URL('../docs/images/', import.meta.url))
const PODCAST = '/api/users/default/podcasts/default'
/** So long the served Tidings polls before the first picture, so that something happens right now. */
const POLLING_MS = 20_000

async function ask(method: string, url: string, body?: unknown): Promise<{ items: { id: string }[] }> {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
  return response.json() as Promise<{ items: { id: string }[] }>
}

async function pagesOf(url: string): Promise<readonly [string, string][]> {
  await ask('POST', `${url}${PODCAST}/articles`, {})
  const sources = await ask('GET', `${url}${PODCAST}/sources?q=Lighthouse`)
  const posts = await ask('GET', `${url}${PODCAST}/posts?language=en`)
  return [
    ['overview', '/'],
    ['lanes', '/lanes'],
    ['sources', '/sources'],
    ['source', `/sources/${sources.items[0]?.id}`],
    ['posts', '/posts?q=ferry'],
    ['post', `/posts/${posts.items[0]?.id}`],
    ['articles', '/articles'],
    ['settings', '/settings'],
  ]
}

async function photograph(page: Page, address: string, name: string): Promise<void> {
  await page.goto(address)
  await page.locator('.loading').waitFor({ state: 'detached' })
  await wait(1500)
  await page.screenshot({ path: join(IMAGES, `${name}.png`) })
}

const shell = openShell()
const origins = await pollForDays(shell.folder)
const proxied = { APP_HTTP_PROXY: origins.url, APP_X_BASE_URL: origins.url, APP_SOURCE_POLL_DELAY_SECONDS_RSS: '20' }
const serve = await startServe(shell.folder, [], { ...proxied, APP_SOURCE_TICK_SECONDS: '5' })
origins.goLive()
const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args: chromium.args })
try {
  await mkdir(IMAGES, { recursive: true })
  await wait(POLLING_MS)
  const pages = await pagesOf(serve.url)
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
  for (const [name, path] of pages) await photograph(page, serve.url + path, name)
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const [name, path] of pages) await photograph(page, serve.url + path, `${name}-dark`)
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [name, path] of pages) await photograph(page, serve.url + path, `${name}-phone`)
} finally {
  await browser.close()
  await serve[Symbol.asyncDispose]()
  await origins[Symbol.asyncDispose]()
  shell[Symbol.dispose]()
}
