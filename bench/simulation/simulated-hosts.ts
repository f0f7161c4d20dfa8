// Small origins that behave like real ones: their feeds grow, most send validators, some fail for hours,
// and some throttle with Retry-After.
import type { ServerResponse } from 'node:http'
import { HOUR_MS, MINUTE_MS } from '../../src/domain/schedule.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { type Origin, startOrigin } from '../../test/support/origin.ts'

export interface SimulatedHost {
  readonly origin: Origin
  /** The periods of Retry-After that the host sent. */
  readonly closedPeriods: readonly { readonly at: number; readonly until: number }[]
  /** Publication times of all entries that were in a response of this feed. Entries that were never sent cannot be stored. */
  entriesSent(path: string): ReadonlySet<number>
  addFeed(path: string): string
  close(): Promise<void>
}

const ENTRIES_SHOWN = 20

export async function startHosts(count: number, clock: Clock, random: () => number): Promise<SimulatedHost[]> {
  const hosts: SimulatedHost[] = []
  for (let index = 0; index < count; index++) {
    const origin = await startOrigin({ host: `127.0.1.${index + 1}`, now: () => clock.now() })
    hosts.push(simulatedHost(origin, index, clock, random))
  }
  return hosts
}

function simulatedHost(origin: Origin, index: number, clock: Clock, random: () => number): SimulatedHost {
  const bornAt = clock.now()
  const closedPeriods: { at: number; until: number }[] = []
  const every = new Map<string, number>()
  const sent = new Map<string, Set<number>>()
  const publishedBy = (path: string, at: number): number[] => {
    const everyMs = every.get(path) ?? HOUR_MS
    const published: number[] = []
    for (let instant = bornAt + everyMs; instant <= at; instant += everyMs) published.push(instant)
    return published
  }
  const addFeed = (path: string): string => {
    const seen = new Set<number>()
    sent.set(path, seen)
    every.set(path, Math.round((20 + random() * 400) * MINUTE_MS))
    origin.route(path, (request, response) => {
      const now = clock.now()
      if (index % 7 === 3 && hourOf(now, bornAt) % 5 === 4) return response.writeHead(503).end('busy')
      if (index % 6 === 2 && random() < 0.05) return throttle(response, now, closedPeriods)
      const published = publishedBy(path, now)
      const etag = `"${published.length}"`
      if (index % 4 !== 1) response.setHeader('etag', etag)
      if (index % 4 !== 1 && request.headers['if-none-match'] === etag) return response.writeHead(304).end()
      const shown = published.slice(-ENTRIES_SHOWN)
      for (const instant of shown) seen.add(instant)
      return response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(feed(path, shown))
    })
    return `${origin.url}${path}`
  }
  const entriesSent = (path: string): ReadonlySet<number> => sent.get(path) ?? new Set()
  return { origin, closedPeriods, entriesSent, addFeed, close: () => origin.close() }
}

function throttle(response: ServerResponse, now: number, closedPeriods: { at: number; until: number }[]): void {
  const seconds = 900
  closedPeriods.push({ at: now, until: now + seconds * 1000 })
  response.writeHead(429, { 'retry-after': String(seconds) }).end('slow down')
}

function hourOf(now: number, bornAt: number): number {
  return Math.floor((now - bornAt) / HOUR_MS)
}

function feed(path: string, published: readonly number[]): string {
  const items = published.map((instant) => {
    const text = `Entry of ${path} at ${new Date(instant).toISOString()}`
    return `<item><title>${text}</title><description>${text}: what happened.</description><guid isPermaLink="false">${path}-${instant}</guid><pubDate>${new Date(instant).toUTCString()}</pubDate></item>`
  })
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>${path}</title>${items.reverse().join('')}</channel></rss>`
}
