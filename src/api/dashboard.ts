// Serves the dashboard. An installed package holds it ready-made. A checkout has only its sources: they are bundled when
// somebody first opens a page, because most processes never show one.
// See docs/decisions/0130-dashboard-is-preact-bundled-on-first-use.md
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Problem } from '../domain/problem.ts'
import { escapeHtml } from './docs/escape-html.ts'
import { dashboardPolicy } from './http/security-headers.ts'
import type { Answer, Call, Route } from './route.ts'

const READY_MADE = new URL('../web/', import.meta.url)
const BUNDLER = new URL('../../scripts/bundle-dashboard.ts', import.meta.url)
const SOURCES = new URL('../../web/', import.meta.url)

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The paths of the pages with their headings. A page about one thing has that thing's name, which is not known here. */
const PAGES: Readonly<Record<string, string>> = {
  '/': 'Overview',
  '/lanes': 'Lanes',
  '/sources': 'Sources',
  '/sources/:source': '',
  '/posts': 'Posts',
  '/posts/:post': '',
  '/articles': 'Articles',
  '/settings': 'Settings',
}

export async function dashboardRoutes(): Promise<Route[]> {
  const plain = existsSync(READY_MADE) ? READY_MADE : SOURCES
  const names = (await readdir(plain)).filter((name) => TYPES[extname(name)] && name !== 'index.html')
  const files = createFiles()
  const page = (path: string, handle: Route['handle']): Route => ({
    ...{ method: 'GET', path, tag: 'Pages', access: 'anyone', summary: 'Dashboard' },
    answers: { 200: TYPES[extname(path)] ?? 'text/html' },
    handle,
  })
  return [
    ...Object.entries(PAGES).map(([path, heading]) => page(path, (call) => files.page(heading, call))),
    page('/assets/:name', (call) => files.asset(call.params.name ?? '', call)),
    ...names.map((name) => page(`/${name}`, (call) => files.plain(name, call))),
  ]
}

interface Files {
  page(heading: string, call: Call): Promise<Answer>
  asset(name: string, call: Call): Promise<Answer>
  plain(name: string, call: Call): Promise<Answer>
}

const compress = promisify(gzip)

/** Each file is read and compressed once. */
function createFiles(): Files {
  let folder: Promise<URL> | null = null
  const texts = new Map<string, Promise<string>>()
  const zipped = new Map<string, Promise<Buffer>>()

  async function read(name: string): Promise<string> {
    folder ??= findFolder()
    folder.catch(() => {
      folder = null
    })
    const path = new URL(name, await folder)
    return once(texts, name, () => readFile(path, 'utf8'))
  }

  async function answer(key: string, text: string, { headers: asked }: Call, headers = {}): Promise<Answer> {
    const contentType = TYPES[extname(key)] ?? 'text/html; charset=utf-8'
    const varied = { ...headers, vary: 'accept-encoding' }
    if (!/\bgzip\b/.test(String(asked['accept-encoding']))) return { status: 200, text, contentType, headers: varied }
    const bytes = await once(zipped, key, () => compress(text))
    return { status: 200, bytes, contentType, headers: { ...varied, 'content-encoding': 'gzip' } }
  }

  return {
    async page(heading, call) {
      const html = await read('index.html')
      const title = heading === '' ? 'Tidings' : `${escapeHtml(heading)} · Tidings`
      const filled = html.replace('<!--TITLE-->', title).replace('<!--HEADING-->', escapeHtml(heading))
      return answer(heading, filled, call, { 'content-security-policy': dashboardPolicy(styleHash(html)) })
    },
    async asset(name, call) {
      if (!/^[\w-]+\.js$/.test(name)) throw new Problem('not-found', 'There is no such file.')
      const text = await read(`assets/${name}`).catch(() => null)
      // An open page of an earlier version asks for a script that is gone.
      if (text === null) throw new Problem('not-found', 'There is no such file. Reload the page.')
      return answer(name, text, call, { 'cache-control': 'public, max-age=31536000, immutable' })
    },
    plain: async (name, call) => answer(name, await read(name), call),
  }
}

async function findFolder(): Promise<URL> {
  if (existsSync(READY_MADE)) return READY_MADE
  const bundler = (await import(BUNDLER.href)) as { bundledDashboard(): Promise<string> }
  return pathToFileURL(`${await bundler.bundledDashboard()}/`)
}

/** The policy names the page's own style sheet by its hash, so that no other inline style counts. */
function styleHash(html: string): string {
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ''
  return `sha256-${createHash('sha256').update(style).digest('base64')}`
}

function once<T>(kept: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = kept.get(key)
  if (known) return known
  const made = make()
  kept.set(key, made)
  made.catch(() => kept.delete(key))
  return made
}
