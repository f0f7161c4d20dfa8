// Asks for the text behind a post: robots.txt if nothing recent is known, then the page or transcript. Both are one
// visit. Where a page redirects, robots.txt counts for the target too: that of another host is asked before its page.
import { hostOf } from '../../domain/address.ts'
import { isBetter } from '../../domain/full-text.ts'
import type { TextBehindPost } from '../../domain/post.ts'
import type { Source } from '../../domain/source.ts'
import type { VisitResult } from '../../ports/reader.ts'
import type { PollVisit } from '../visit/visit.ts'
import { robotsWord } from './ask-robots.ts'
import { endOf, type FetchPageDeps, NOTHING_FOUND, obeyHost, type PageEnd } from './page-visit.ts'
import { readBehind } from './read-behind.ts'

/** The source as the visit needs it: in the lane of the page, with the delay of pages. */
export type AskedAs = { -readonly [K in keyof Source]: Source[K] }

export function askedAs(source: Source, { url, lane }: { readonly url: string; readonly lane: string }): AskedAs {
  const isOwnHost = source.lane === lane
  const pollDelaySeconds = isOwnHost ? source.pollDelaySeconds : null
  return { ...source, type: 'website', lane, host: hostOf(url), pollDelaySeconds, hasCredentials: false }
}

/** `body`: what the feed has. `keep`: the answer is kept, so that the first poll need not ask for the page again. */
export async function askForText(
  deps: FetchPageDeps,
  behind: TextBehindPost & { readonly body: string; readonly keep?: boolean },
  asked: AskedAs,
  visit: PollVisit,
): Promise<PageEnd> {
  const stated: (string | null)[] = []
  const ownDelay = asked.pollDelaySeconds
  const notAllowed = async (url: string): Promise<PageEnd | null> => {
    const robots = await robotsWord(deps, url, visit)
    if (robots.kind !== 'word') return robots
    stated.push(robots.usagePreferences)
    if (!robots.allowed) return { ...BLOCKED, usagePreferences: joined(...stated) }
    asked.pollDelaySeconds = hostOf(url) === asked.host ? ownDelay : null
    visit.leastDelayMs = robots.crawlDelaySeconds * 1000
    return null
  }
  const refused = await notAllowed(behind.url)
  if (refused) return refused
  const answer = await fetchAllowed(behind, visit, notAllowed)
  if ('end' in answer) return answer.end
  await obeyHost(deps, answer, visit)
  if (answer.kind !== 'body') return endOf(answer)
  if (behind.keep) deps.kept.keep(asked, behind.url, null, answer)
  const read = await readBehind(deps.documents, behind.kind, answer)
  if (!read.ok) return { kind: 'failure', failure: read.failure }
  const { text, html, image, language } = read.value
  const usagePreferences = joined(...stated, read.value.usagePreferences)
  if (!isBetter(text, behind.body)) return { ...NOT_BETTER, usagePreferences }
  return { kind: 'finished', state: 'fetched', reason: null, text, html, image, language, usagePreferences }
}

async function fetchAllowed(
  { url, kind }: TextBehindPost,
  visit: PollVisit,
  notAllowed: (url: string) => Promise<PageEnd | null>,
): Promise<VisitResult | { readonly end: PageEnd }> {
  let end: PageEnd | null = null
  const answer = await visit.fetch({
    url,
    accept: kind === 'page' ? 'page' : 'any',
    beforeRedirect: async (target) => {
      end = await notAllowed(target)
      return end === null
    },
  })
  return end ? { end } : answer
}

const BLOCKED = { ...NOTHING_FOUND, state: 'blocked', reason: 'robots.txt disallows the page' } as const

const NOT_BETTER = {
  ...NOTHING_FOUND,
  state: 'not-better',
  reason: 'the page has no more text than the feed',
} as const

function joined(...parts: (string | null)[]): string | null {
  return [...new Set(parts.filter((part) => part !== null))].join('; ') || null
}
