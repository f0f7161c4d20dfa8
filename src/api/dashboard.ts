// Serves the dashboard: a few plain files, read once at the start and kept in memory.
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Route } from './route.ts'

const FILES = new URL('../../web/', import.meta.url)
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export async function dashboardRoutes(): Promise<Route[]> {
  const names = (await readdir(FILES)).filter((name) => TYPES[extname(name)])
  return Promise.all(names.map(async (name) => fileRoute(name, await readFile(new URL(name, FILES), 'utf8'))))
}

function fileRoute(name: string, text: string): Route {
  const path = name === 'index.html' ? '/' : `/${name}`
  const contentType = TYPES[extname(name)] ?? 'application/octet-stream'
  return {
    ...{ method: 'GET', path, tag: 'Pages', access: 'anyone', summary: 'Dashboard' },
    answers: { 200: contentType },
    handle: () => ({ status: 200, text, contentType }),
  }
}
