// What full text would give: the texts that a poll would ask for, and one of them, that of the newest such post. It is
// asked like every page, but at the head of its lane and within the time that a test fetch has.

import { wantedTexts } from '../../domain/full-text.ts'
import { laneOfUrl, NULL_LANE } from '../../domain/lane.ts'
import { visitorFor } from '../../domain/owner-spacing.ts'
import type { Candidate, TextBehindPost } from '../../domain/post.ts'
import type { Source } from '../../domain/source.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import type { PreviewPost, TestFetch } from '../../ports/engine.ts'
import { Turn } from '../lanes/turn.ts'
import { PollVisit } from '../visit/visit.ts'
import { askedAs, askForText } from './ask-for-text.ts'
import type { ContentRules } from './content-rules.ts'
import { type FetchPageDeps, heldBack, type PageEnd } from './page-visit.ts'

export interface PreviewTextDeps extends FetchPageDeps {
  readonly types: Pick<SourceTypes, 'of'>
  readonly content: ContentRules
}

/** What was found at the address, without full texts. */
interface Previewed extends Pick<Source, 'type' | 'url'> {
  readonly posts: readonly Candidate[]
}

export async function withPreviewedText(
  deps: PreviewTextDeps,
  { type, url: sourceUrl, posts }: Previewed,
  probe: Source,
  { fullText, signal }: Pick<TestFetch, 'fullText' | 'signal'>,
  withinMs: number,
): Promise<readonly PreviewPost[]> {
  if (fullText === undefined || !deps.types.of(type).hasPagesBehindPosts) return posts
  const { maxPagesPerPoll } = deps.content
  const policy = fullText === 'configured' ? deps.content.fullText : fullText
  const wanted = wantedTexts(posts, { policy, maxPagesPerPoll, sourceUrl })
  const newest = wanted.findLastIndex(({ behind }) => behind !== null)
  const end = await textOf(deps, posts[newest], wanted[newest]?.behind, probe, { withinMs, signal })
  return posts.map((post, index) => {
    const { state, reason } = wanted[index] ?? {}
    const asked = { ...post, fullTextState: state ?? 'none', fullTextReason: reason ?? null }
    return index === newest && end ? { ...asked, ...shown(post, end) } : asked
  })
}

async function textOf(
  deps: PreviewTextDeps,
  post: Candidate | undefined,
  behind: TextBehindPost | null | undefined,
  probe: Source,
  { withinMs, signal }: { readonly withinMs: number; readonly signal: AbortSignal | undefined },
): Promise<PageEnd | null> {
  if (!post || !behind) return null
  const asked = askedAs(probe, { url: behind.url, lane: laneOfUrl(behind.url) })
  const nowhere = new Turn(NULL_LANE, null)
  nowhere.leave()
  const visit = new PollVisit(deps, asked, nowhere, {
    visitor: visitorFor(asked),
    ...{ targetWithinMs: Math.max(withinMs, 0), basicAuth: null, blocked: null, useKept: false, onWait: () => {} },
    ifHostTaken: 'try-briefly',
    poll: { meanwhile: async () => null, leaveLane: async () => 'ok' },
    gate: (lane) => heldBack(deps, lane),
    signal: signal ?? null,
  })
  try {
    const asking = askForText(deps, { ...behind, body: post.body, keep: true }, asked, visit)
    return await visit.unlessGivenUp(asking, () => ({ kind: 'given-up' as const }))
  } finally {
    await visit.leave(false)
  }
}

type Shown = Pick<PreviewPost, 'fullText' | 'fullTextState' | 'fullTextReason' | 'image' | 'language'>

function shown(post: Candidate, end: PageEnd): Shown & Pick<PreviewPost, 'usagePreferences'> {
  switch (end.kind) {
    case 'finished':
      return {
        ...{ fullText: end.text, fullTextState: end.state, fullTextReason: end.reason },
        ...{ image: post.image ?? end.image, language: post.language ?? end.language },
        usagePreferences: end.usagePreferences ?? post.usagePreferences ?? null,
      }
    case 'failure':
      return { fullTextState: 'failed', fullTextReason: end.failure.reason }
    case 'again':
      return { fullTextState: 'pending', fullTextReason: 'the host of the page cannot be asked right now' }
    case 'given-up':
      return { fullTextState: 'pending', fullTextReason: 'it was not asked for in time' }
  }
}
