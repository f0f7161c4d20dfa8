// One page behind a post, in its turn. What happens never counts for or against the source or a breaker; a host that asks to be left alone is left alone.
// See docs/decisions/0121-pages-behind-posts-are-work-of-lanes.md
import { afterFailure } from '../../domain/full-text.ts'
import { visitorFor } from '../../domain/owner-spacing.ts'
import { MINUTE_MS } from '../../domain/schedule.ts'
import type { Source } from '../../domain/source.ts'
import type { PageResult, PageToFetch } from '../../ports/page-store.ts'
import type { Turn } from '../lanes/turn.ts'
import { PollVisit } from '../visit/visit.ts'
import { askedAs, askForText } from './ask-for-text.ts'
import { type FetchPageDeps, heldBack, NOTHING_FOUND, type PageEnd } from './page-visit.ts'

/** How long others leave a page alone that is being asked at the host it was redirected to. */
const AWAY_MS = 3 * MINUTE_MS
const TARGET_WITHIN_MS = 60_000

export async function fetchPage(deps: FetchPageDeps, page: PageToFetch, turn: Turn): Promise<void> {
  const hold = { dueAt: page.dueAt }
  const asked = askedAs(page.source, page)
  const visit = visitFor(deps, page, asked, turn, hold)
  try {
    const asking = askForText(deps, { url: page.url, kind: page.kind, body: page.post.body }, asked, visit)
    const end = await visit.unlessGivenUp(asking, () => ({ kind: 'given-up' as const }))
    await record(deps, page, hold.dueAt, end)
  } finally {
    await visit.leave(false)
  }
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
    ...{ targetWithinMs: TARGET_WITHIN_MS, basicAuth: null, blocked: null, useKept: true, signal: null },
    visitor: visitorFor(asked),
    ifHostTaken: 'step-back',
    onWait: () => {},
    poll: {
      meanwhile: async () => null,
      leaveLane: async () => ((await moveTo(deps.clock.now() + AWAY_MS)) ? 'ok' : 'overtaken'),
    },
    gate: (lane) => heldBack(deps, lane),
  })
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
