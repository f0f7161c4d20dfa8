// Compares what the origins saw and what the store contains with the promises:
// spacing and closed hosts are respected, polls are on time, and nothing is stored twice or lost.
import type { App } from '../../src/app.ts'
import type { SimulatedHost } from './simulated-hosts.ts'

export interface Verdict {
  readonly requests: number
  readonly posts: number
  /** Two requests to one host that were closer together than its delay. */
  readonly spacingViolations: string[]
  /** Requests to a host before its Retry-After had passed. */
  readonly requestsWhileClosed: string[]
  /** Polls that were later than one tick plus the time that the lane needs for its sources. */
  readonly latePolls: string[]
  readonly duplicates: string[]
  /** Entries that a response contained but the store does not. */
  readonly lost: string[]
}

export interface Expectations {
  readonly delayMs: number
  readonly tickMs: number
}

export async function judge(
  app: App,
  hosts: readonly SimulatedHost[],
  sourceIds: ReadonlyMap<string, string>,
  expected: Expectations,
): Promise<Verdict> {
  const spacingViolations = hosts.flatMap(({ origin }) =>
    tooClose(
      origin.host,
      origin.requests.map(({ at }) => at),
      expected.delayMs,
    ),
  )
  const requestsWhileClosed = hosts.flatMap((host) => whileClosed(host))
  const stored = await storedPosts(app)
  const guids = stored.map(({ sourceId, guid }) => `${sourceId} ${guid}`)
  return {
    requests: hosts.reduce((sum, { origin }) => sum + origin.requests.length, 0),
    posts: stored.length,
    spacingViolations,
    requestsWhileClosed,
    latePolls: hosts.flatMap((host) => tooLate(host, app, sourceIds, expected)),
    duplicates: seenBefore(guids),
    lost: await notStored(app, hosts, sourceIds, new Set(guids)),
  }
}

function seenBefore(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.filter((name) => seen.has(name) || !seen.add(name))
}

function tooClose(host: string, instants: readonly number[], delayMs: number): string[] {
  const wrong: string[] = []
  for (let index = 1; index < instants.length; index++) {
    const gap = (instants[index] ?? 0) - (instants[index - 1] ?? 0)
    if (gap < delayMs) wrong.push(`${host}: ${gap} ms before request ${index}`)
  }
  return wrong
}

function whileClosed({ origin, closedPeriods }: SimulatedHost): string[] {
  return closedPeriods.flatMap(({ at, until }) =>
    origin.requests
      .filter((request) => request.at > at && request.at < until)
      .map(
        (request) =>
          `${origin.host}: asked at ${new Date(request.at).toISOString()}, closed until ${new Date(until).toISOString()}`,
      ),
  )
}

/** Only healthy hosts are checked. On others, backoff and closed lanes make polls late. */
function tooLate(
  { origin, closedPeriods }: SimulatedHost,
  _app: App,
  sourceIds: ReadonlyMap<string, string>,
  { delayMs, tickMs }: Expectations,
): string[] {
  const byPath = Map.groupBy(origin.requests, ({ path }) => path)
  if (closedPeriods.length > 0 || isFailing(origin.host)) return []
  const laneMs = byPath.size * delayMs
  const wrong: string[] = []
  for (const [path, requests] of byPath) {
    if (!sourceIds.has(`${origin.url}${path}`)) continue
    const gaps = requests.slice(1).map(({ at }, index) => at - (requests[index]?.at ?? at))
    const usual = Math.min(...gaps)
    const worst = Math.max(...gaps)
    // The smallest gap is the interval. The rest must fit into one tick plus the time of the lane.
    if (worst - usual > tickMs + laneMs) wrong.push(`${origin.host}${path}: ${worst - usual} ms late`)
  }
  return wrong
}

/** Matches simulated-hosts.ts: every seventh host answers 503 for one hour out of five. */
function isFailing(host: string): boolean {
  return (Number(host.split('.').at(-1)) - 1) % 7 === 3
}

async function storedPosts(app: App): Promise<{ sourceId: string; guid: string | null }[]> {
  const posts: { sourceId: string; guid: string | null }[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<App['store']['listPosts']>> = await app.store.listPosts({
      podcastId: 'default',
      limit: 500,
      cursor,
    })
    posts.push(...page.items.map(({ sourceId, guid }) => ({ sourceId, guid })))
    cursor = page.nextCursor
  } while (cursor !== null)
  return posts
}

async function notStored(
  app: App,
  hosts: readonly SimulatedHost[],
  sourceIds: ReadonlyMap<string, string>,
  guids: ReadonlySet<string>,
): Promise<string[]> {
  const lost: string[] = []
  for (const { origin, entriesSent } of hosts) {
    for (const path of new Set(origin.requests.map((request) => request.path))) {
      const id = sourceIds.get(`${origin.url}${path}`)
      const source = id === undefined ? null : await app.store.getSource(id)
      if (!source?.lastSucceededAt) continue
      for (const instant of entriesSent(path)) {
        // Entries older than a week have been cleaned up.
        if (instant < app.clock.now() - 7 * 86_400_000) continue
        const second = Math.floor(instant / 1000) * 1000
        if (!guids.has(`${source.id} ${path}-${instant}`)) lost.push(`${path} ${new Date(second).toISOString()}`)
      }
    }
  }
  return lost
}
