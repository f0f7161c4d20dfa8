// Hosts on loopback that record what they see: overlapping requests, and visits closer than their spacing.
import { createServer } from 'node:http'

export interface Host {
  readonly name: string
  readonly spacingMs: number
  openRequests: number
  lastEndedAt: number
}

const SPACING_MS = 300
/** Allows for late timers on a busy machine, and for the time between reserving a visit and its request. */
const TOLERANCE_MS = 40
const MIN_RESPONSE_MS = 2
const MAX_RESPONSE_MS = 60
const FEED = '<rss version="2.0"><channel><title>F</title><item><title>One</title><guid>1</guid></item></channel></rss>'

/** `longestGapMs`: the longest time that one host was not asked, between two requests. */
export const seen = { requests: 0, overlaps: 0, tooSoon: 0, longestGapMs: 0 }

/** By default every second host has a spacing. */
export function makeHosts(count: number, spacingMsOf = (n: number): number => (n % 2 === 0 ? 0 : SPACING_MS)): Host[] {
  return Array.from({ length: count }, (_, n) => ({
    name: `127.0.1.${n + 1}`,
    spacingMs: spacingMsOf(n),
    openRequests: 0,
    lastEndedAt: 0,
  }))
}

/** Returns a function that stops the host. */
export function serveHost(host: Host, port: number, bodyOf = (_path: string) => FEED): Promise<() => void> {
  const server = createServer((request, response) => {
    const now = performance.now()
    seen.requests++
    if (host.openRequests++ > 0) seen.overlaps++
    else if (host.lastEndedAt > 0 && now - host.lastEndedAt < host.spacingMs - TOLERANCE_MS) {
      seen.tooSoon++
      console.log(`${host.name} was asked after ${Math.round(now - host.lastEndedAt)} of ${host.spacingMs} ms`)
    }
    if (host.lastEndedAt > 0) seen.longestGapMs = Math.max(seen.longestGapMs, now - host.lastEndedAt)
    // From when the answer is sent: a busy machine tells late that a connection was closed, and the client goes on before.
    let endedAt: number | null = null
    response.once('close', () => {
      host.openRequests--
      host.lastEndedAt = endedAt ?? performance.now()
    })
    const responseMs = MIN_RESPONSE_MS + Math.random() * (MAX_RESPONSE_MS - MIN_RESPONSE_MS)
    setTimeout(() => {
      endedAt = performance.now()
      response.end(bodyOf(`${host.name}${request.url}`))
    }, responseMs)
  })
  return new Promise((resolve) => {
    server.listen(port, host.name, () =>
      resolve(() => {
        server.close()
        server.closeAllConnections()
      }),
    )
  })
}
