// One page behind a post, in its turn: robots.txt if nothing recent is known, then the page. Both are one visit. What
// happens never counts for or against the source or a breaker; a host that asks to be left alone is left alone.
// See docs/decisions/0121-pages-behind-posts-are-work-of-lanes.md
import { hostOf } from '../../domain/address.ts'
import { afterFailure, isBetter } from '../../domain/full-text.ts'
import { HOUR_MS, MINUTE_MS } from '../../domain/schedule.ts'
import type { Source } from '../../domain/source.ts'
import { resolveDelay } from '../../domain/spacing.ts'
import type { PageResult, PageToFetch } from '../../ports/page-store.ts'
import type { PutOff } from '../../ports/reader.ts'
import type { Turn } from '../lanes/lanes.ts'
import { PollVisit } from '../visit/visit.ts'
import { robotsWord } from './ask-robots.ts'
import { endOf, type FetchPageDeps, obeyHost, type PageEnd } from './page-visit.ts'
import { readBehind } from './read-behind.ts'

/** How long others leave a page alone that is being asked at the host it was redirected to. */
const AWAY_MS = 3 * MINUTE_MS
const TARGET_WITHIN_MS = 60_000

export async function fetchPage(deps: FetchPageDeps, page: PageToFetch, turn: Turn): Promise<void> {
  const hold = { dueAt: page.dueAt }
  const asked = askedAs(page)
  const visit = visitFor(deps, page, asked, turn, hold)
  try {
    const end = await visit.unlessGivenUp(askAndRead(deps, page, asked, visit), () => ({ kind: 'given-up' as const }))
    await record(deps, page, hold.dueAt, end)
  } finally {
    await visit.leave(false)
  }
}

/** The source as the visit needs it: in the lane of the page, with the delay of pages. */
type AskedAs = { -readonly [K in keyof Source]: Source[K] }

function askedAs({ source, url, lane }: PageToFetch): AskedAs {
  const isOwnHost = source.lane === lane
  const pollDelaySeconds = isOwnHost ? source.pollDelaySeconds : null
  return { ...source, type: 'website', lane, host: hostOf(url), pollDelaySeconds, hasCredentials: false }
}

function visitFor(
  deps: FetchPageDeps,
  { post, tries }: PageToFetch,
  asked: Source,
  turn: Turn,
  hold: { dueAt: number },
): PollVisit {
  const moveTo = async (dueAt: number): Promise<boolean> => {
    const moved = await deps.store.movePage({ postId: post.id, dueAt: hold.dueAt }, { dueAt, tries })
    if (moved) hold.dueAt = dueAt
    return moved
  }
  return new PollVisit(deps, asked, turn, {
    ...{ targetWithinMs: TARGET_WITHIN_MS, basicAuth: null, blocked: null, useKept: false, signal: null },
    ifHostTaken: 'step-back',
    onWait: () => {},
    poll: {
      meanwhile: async () => null,
      leaveLane: async () => ((await moveTo(deps.clock.now() + AWAY_MS)) ? 'ok' : 'overtaken'),
    },
    gate: (lane) => heldBack(deps, lane),
  })
}

/** A host whose breaker is not closed is not asked for pages. */
async function heldBack({ store, clock }: FetchPageDeps, lane: string): Promise<PutOff | null> {
  const host = await store.hostState(lane)
  if (!host || host.breaker.state === 'closed') return null
  return { until: clock.now() + HOUR_MS, reason: `${lane} does not answer`, lane, because: 'breaker' }
}

async function askAndRead(deps: FetchPageDeps, page: PageToFetch, asked: AskedAs, visit: PollVisit): Promise<PageEnd> {
  const robots = await robotsWord(deps, page.url, visit)
  if (robots.kind !== 'word') return robots
  if (!robots.allowed) return { ...NOTHING_FOUND, state: 'blocked', reason: 'robots.txt disallows the page' }
  const delay = resolveDelay(asked, asked.host, deps.delays).seconds
  asked.pollDelaySeconds = Math.max(delay, robots.crawlDelaySeconds)
  const answer = await visit.fetch({ url: page.url, accept: page.kind === 'page' ? 'page' : 'any' })
  await obeyHost(deps, answer, visit)
  if (answer.kind !== 'body') return endOf(answer)
  const read = await readBehind(deps.documents, page.kind, answer)
  if (!read.ok) return { kind: 'failure', failure: read.failure }
  const { text, html, image, language } = read.value
  const usagePreferences = joined(robots.usagePreferences, read.value.usagePreferences)
  if (!isBetter(text, page.post.body)) {
    return {
      ...NOTHING_FOUND,
      usagePreferences,
      state: 'not-better',
      reason: 'the page has no more text than the feed',
    }
  }
  return { kind: 'finished', state: 'fetched', reason: null, text, html, image, language, usagePreferences }
}

const NOTHING_FOUND = {
  kind: 'finished',
  text: null,
  html: null,
  image: null,
  language: null,
  usagePreferences: null,
} as const

function joined(...parts: (string | null)[]): string | null {
  return [...new Set(parts.filter((part) => part !== null))].join('; ') || null
}

async function record(deps: FetchPageDeps, page: PageToFetch, dueAt: number, end: PageEnd): Promise<void> {
  const { store, clock, log } = deps
  const { post, tries } = page
  const asRead = { postId: post.id, dueAt }
  const now = clock.now()
  if (end.kind === 'given-up') {
    // It was put off while it was away, so that others leave it alone.
    if (dueAt !== page.dueAt) await store.movePage(asRead, { dueAt: page.dueAt, tries })
    return
  }
  if (end.kind === 'again') {
    await store.movePage(asRead, { dueAt: Math.max(end.at, now + 1000), tries })
    return
  }
  const next = end.kind === 'failure' ? afterFailure(end.failure, tries, now) : null
  if (next?.kind === 'again') {
    await store.movePage(asRead, { dueAt: next.at, tries: tries + 1 })
    return
  }
  const result =
    end.kind === 'failure' ? { ...NOTHING_FOUND, state: 'failed' as const, reason: end.failure.reason } : end
  await store.finishPage(asRead, { ...result, events: eventsOf(page, result.state, now) })
  log.debug({ url: page.url, state: result.state }, `[Polling] ${page.url} full text: ${result.state}`)
}

function eventsOf({ post, source }: PageToFetch, state: PageResult['state'], at: number): PageResult['events'] {
  if (state !== 'fetched') return []
  const { id: sourceId, userId, podcastId, host, url } = source
  return [{ type: 'posts.completed', at, userId, podcastId, sourceId, host, data: { url, postIds: [post.id] } }]
}
