// What robots.txt says about a page. It is asked at most once a day for each host, as part of the page's visit.
import { hostOf } from '../../domain/address.ts'
import { laneOfUrl } from '../../domain/lane.ts'
import {
  knownRobots,
  MAX_CRAWL_DELAY_SECONDS,
  MAX_ROBOTS_BYTES,
  type RobotsAnswer,
  robotsKind,
} from '../../domain/robots.ts'
import { HOUR_MS } from '../../domain/schedule.ts'
import { closedUntil } from '../../domain/spacing.ts'
import type { VisitResult } from '../../ports/reader.ts'
import type { PollVisit } from '../visit/visit.ts'
import { endOf, type FetchPageDeps, obeyHost, type PageEnd } from './page-visit.ts'

export interface RobotsAllowance {
  readonly kind: 'word'
  readonly allowed: boolean
  readonly crawlDelaySeconds: number
  readonly usagePreferences: string | null
}

export async function robotsWord(
  deps: FetchPageDeps,
  url: string,
  visit: PollVisit,
): Promise<RobotsAllowance | PageEnd> {
  const host = hostOf(url) ?? ''
  const known = knownRobots(await deps.store.robotsOf(host), deps.clock.now())
  if (typeof known === 'number') return { kind: 'again', at: known }
  const answer = known === 'ask' ? await ask(deps, host, url, visit) : known
  return 'host' in answer ? wordOf(deps, answer, url) : answer
}

async function ask(deps: FetchPageDeps, host: string, url: string, visit: PollVisit): Promise<RobotsAnswer | PageEnd> {
  const answer = await visit.fetch({ url: new URL('/robots.txt', url).href, accept: 'any' })
  if (answer.kind === 'given-up' || answer.kind === 'put-off') return endOf(answer)
  await obeyHost(deps, answer, visit)
  const askedAt = deps.clock.now()
  const kind = robotsKind('status' in answer ? answer.status : null)
  const robots: RobotsAnswer = { host, askedAt, kind, text: kind === 'rules' ? textOf(answer) : null }
  await deps.store.putRobots(robots)
  if (kind === 'unavailable') return { kind: 'again', at: askedAt + HOUR_MS }
  return (await leftAlone(deps, laneOfUrl(url))) ?? robots
}

/** The answer may have closed the lane: then the page waits as well. */
async function leftAlone({ store, clock }: FetchPageDeps, lane: string): Promise<PageEnd | null> {
  const host = await store.hostState(lane)
  const until = host && closedUntil(host, clock.now())
  return until ? { kind: 'again', at: until } : null
}

function textOf(answer: VisitResult): string {
  return answer.kind === 'body' ? Buffer.from(answer.bytes.subarray(0, MAX_ROBOTS_BYTES)).toString() : ''
}

async function wordOf(deps: FetchPageDeps, { kind, text }: RobotsAnswer, url: string): Promise<RobotsAllowance> {
  const read = kind === 'rules' ? await deps.documents.readRobots(text ?? '', url) : null
  // Rules that cannot be read in time are obeyed as if they disallowed the page.
  if (read && !read.ok) return { kind: 'word', allowed: false, crawlDelaySeconds: 0, usagePreferences: null }
  const { allowed, crawlDelaySeconds, usagePreferences } = read?.value ?? ALLOWED
  return {
    kind: 'word',
    allowed,
    crawlDelaySeconds: Math.min(crawlDelaySeconds ?? 0, MAX_CRAWL_DELAY_SECONDS),
    usagePreferences,
  }
}

const ALLOWED = { allowed: true, crawlDelaySeconds: null, usagePreferences: null }
