// Kills a polling process again and again, at chosen points and at random moments, and then looks at what is left: every
// entry that was shown is stored once, the database is whole, nobody is punished, and no host was asked too soon.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createTidings } from '../../src/index.ts'
import type { Database } from '../../src/storage/database/db.ts'
import { openMigratedDatabase } from '../../src/storage/open-store.ts'
import { type Origin, startOrigin } from '../../test/support/origin.ts'
import { rss } from '../../test/support/product.ts'
import { type Chance, streamOf, wholeBetween } from '../seeded.ts'
import { CRASH_POINTS } from './crash-points.ts'

const CHILD = fileURLToPath(new URL('polling-child.ts', import.meta.url))
const HOOK = new URL('crash-points.ts', import.meta.url).href
const DELAY_SECONDS = 0.2
const ENTRIES_PER_ANSWER = 3
/** Two clocks of one machine may differ by a few milliseconds. */
const CLOCKS_DIFFER_MS = 5
/**
 * The spacing after a visit that a kill cut short counts from its reservation. From then until its request arrives, a
 * process that has just started on a busy machine may take so long.
 */
const SENDING_MS = 100
/** A process that does not come to its point by then is killed where it is. */
const LONGEST_LIFE_MS = 30_000

export interface Crashes {
  readonly url: string
  readonly kills: number
  readonly seed?: number
  readonly onKill?: (kill: number, where: string) => void
}

export interface CrashReport {
  readonly requests: number
  readonly posts: number
  /** Kills at each point. */
  readonly at: Readonly<Record<string, number>>
  readonly broken: readonly string[]
}

export async function runCrashes({ url, kills, seed = 1, onKill = () => {} }: Crashes): Promise<CrashReport> {
  const chance = streamOf(seed, 'crashes')
  const origins = await Promise.all(['127.0.0.2', '127.0.0.3'].map((host) => startOrigin({ host })))
  const shown = new Set<string>()
  const lives = new Map(origins.map((origin) => [origin, [] as number[]]))
  for (const [origin, askedIn] of lives) publish(origin, shown, () => askedIn.push(kill))
  let kill = 0
  const at: Record<string, number> = {}
  try {
    for (; kill < kills; kill++) {
      const where = await oneLife(url, origins, chance, kill)
      at[where] = (at[where] ?? 0) + 1
      await endLeases(url)
      onKill(kill, where)
    }
    const broken = await findBroken(url, lives, shown)
    const requests = origins.reduce((sum, origin) => sum + origin.requests.length, 0)
    return { requests, posts: shown.size, at, broken }
  } finally {
    await Promise.all(origins.map((origin) => origin.close()))
  }
}

/** Each answer carries entries that no earlier one had, and all that came before. */
function publish(origin: Origin, shown: Set<string>, onAsked: () => void): void {
  let count = 0
  origin.route('/feed', (_request, response) => {
    onAsked()
    count += ENTRIES_PER_ANSWER
    const guids = Array.from({ length: count }, (_, n) => `${origin.host}-${n}`)
    for (const guid of guids) shown.add(guid)
    response.end(rss(guids.toReversed().map((guid) => ({ title: `Entry ${guid}`, guid }))))
  })
}

/** Returns where it ended. */
async function oneLife(url: string, origins: readonly Origin[], chance: Chance, kill: number): Promise<string> {
  const point = kill % 3 === 2 ? null : CRASH_POINTS[Math.floor(chance() * CRASH_POINTS.length)]
  const after = wholeBetween(chance, 1, 4)
  const feeds = origins.map((origin) => `${origin.url}/feed`)
  const child = spawn(process.execPath, ['--import', HOOK, CHILD, url, String(DELAY_SECONDS), ...feeds], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CRASH_AT: point?.name ?? '', CRASH_AFTER: String(after) },
  })
  const ended = once(child, 'exit')
  const ready = once(child.stdout, 'data')
  await Promise.race([ready, ended])
  const timer = new AbortController()
  const limit = sleep(point ? LONGEST_LIFE_MS : between(chance), undefined, { signal: timer.signal }).catch(() => {})
  await Promise.race([ended, limit])
  timer.abort()
  const wasAtPoint = child.signalCode === 'SIGKILL'
  child.kill('SIGKILL')
  const [code] = await ended
  if (code !== null) throw new Error(`the process ended by itself with ${code}`)
  return point && wasAtPoint ? point.name : 'anywhere'
}

function between(chance: Chance): number {
  return wholeBetween(chance, 20, 700)
}

/** The lease of a dead process ends after 30 s by itself; the workers' simulation waits for that, this one does not. */
async function endLeases(url: string): Promise<void> {
  const { db } = await openMigratedDatabase(url)
  await db.run('UPDATE hosts SET held_by = NULL, held_until = NULL')
  await db.close()
}

async function findBroken(
  url: string,
  lives: ReadonlyMap<Origin, readonly number[]>,
  shown: ReadonlySet<string>,
): Promise<string[]> {
  const lived = [...lives.keys()].map(({ requests }) => requests.length)
  await using tidings = await createTidings({
    config: {
      database: { url },
      http: { allowPrivateNetworks: ['127.0.0.0/8'] },
      source: { pollDelaySeconds: { rss: DELAY_SECONDS } },
    },
  })
  for (const { id } of (await tidings.catalogue.sources.list('default')).items) await tidings.poll(id)
  const { db } = await openMigratedDatabase(url)
  try {
    return [
      ...(await brokenRows(db, shown)),
      ...[...lives].flatMap(([origin, askedIn]) => tooSoon(origin, askedIn)),
      ...lived.filter((count) => count === 0).map(() => 'a host was never asked'),
    ]
  } finally {
    await db.close()
  }
}

async function brokenRows(db: Database, shown: ReadonlySet<string>): Promise<string[]> {
  const posts = (await db.all('SELECT guid FROM posts')).map(({ guid }) => String(guid))
  const stored = new Set(posts)
  const broken = [...shown].filter((guid) => !stored.has(guid)).map((guid) => `lost: ${guid}`)
  if (stored.size !== posts.length) broken.push(`${posts.length - stored.size} posts are stored twice`)
  for (const { url, consecutive_failures: failures, post_count: count, id } of await db.all('SELECT * FROM sources')) {
    if (Number(failures) !== 0) broken.push(`punished: ${url} has ${failures} failures`)
    const [row] = await db.all('SELECT count(*) AS n FROM posts WHERE source_id = ?', [String(id)])
    if (Number(row?.n) !== Number(count)) broken.push(`counts: ${url} says ${count} posts and has ${row?.n}`)
  }
  const [failed] = await db.all("SELECT count(*) AS n FROM polls WHERE outcome <> 'success'")
  if (Number(failed?.n) > 0) broken.push(`punished: ${failed?.n} polls are recorded as failures`)
  if (db.dialect.engine === 'sqlite') {
    const [whole] = await db.all('PRAGMA integrity_check')
    if (whole?.integrity_check !== 'ok') broken.push(`integrity: ${JSON.stringify(whole)}`)
    const [loose] = await db.all('PRAGMA foreign_key_check')
    if (loose) broken.push(`foreign keys: ${JSON.stringify(loose)}`)
  }
  return broken
}

/** As the origin sees it. `askedIn`: in which life each request was made. */
function tooSoon({ host, requests }: Origin, askedIn: readonly number[]): string[] {
  return requests.slice(1).flatMap(({ at }, index) => {
    const gap = at - (requests[index]?.at ?? 0)
    const isSameLife = askedIn[index] === askedIn[index + 1]
    const leastMs = DELAY_SECONDS * 1000 - (isSameLife ? CLOCKS_DIFFER_MS : SENDING_MS)
    return gap < leastMs ? [`spacing: ${host} was asked after ${gap} ms`] : []
  })
}
