// Finds out what an address without a type is: a feed, a page with feeds, or a page to poll itself. A feed takes one GET.
// Usual feed paths are tried only when no linked feed works, each after the host's spacing.
import type { Source, SourceType } from '../../domain/source.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import type { Documents, FeedLink } from '../../ports/documents.ts'
import { type Readers, type ReadResult, readerOf, type Visit, type VisitResult } from '../../ports/reader.ts'
import { readFeedBody } from '../feed/feed-source.ts'
import { readPageBody } from '../website/website-source.ts'
import { type FeedFound, FeedSearch } from './feed-search.ts'
import { guessFeedPaths } from './guess-feed-paths.ts'
import { isSitePage } from './site-page.ts'

const MAX_LINKED_FEEDS = 3

export interface Discovered {
  readonly type: SourceType
  readonly url: string
  readonly read: ReadResult
  readonly feeds: readonly FeedLink[]
  /** What was not tried, in words. */
  readonly notes: readonly string[]
}

type Body = Extract<VisitResult, { kind: 'body' }>

export function createDiscover(documents: Documents, types: SourceTypes, readers: Readers) {
  return async (source: Source, type: SourceType | null, visit: Visit): Promise<Discovered> => {
    const { url } = source
    const known = type === null ? types.recognising(url) : types.of(type)
    if (known) {
      const read = await readerOf(readers, known.name).read(source, visit)
      return asGiven(known.name, url, read, known.document === 'feed')
    }
    const answer = await visit.fetch({ url, accept: 'any' })
    if (answer.kind === 'not-modified') return asGiven('website', url, { kind: 'unchanged', answer })
    if (answer.kind !== 'body') return asGiven('website', url, { kind: 'ended', by: answer })
    const feed = await readFeedBody(documents, { bodyHash: null, url }, answer)
    if (feed.kind === 'document') return asGiven('rss', url, feed, true)
    const search = await searchBehindPage(documents, visit, answer)
    if (search.found) return { type: 'rss', url: search.found.url, read: search.found.read, ...search }
    return { type: 'website', url, read: await readPageBody(documents, { bodyHash: null, url }, answer), ...search }
  }
}

/** The address itself is the source. If it is a feed, it is also the one feed found. */
function asGiven(type: SourceType, url: string, read: ReadResult, isFeed = false): Discovered {
  const feeds = isFeed && read.kind === 'document' ? [{ url: read.feedUrl ?? url, title: read.title ?? null }] : []
  return { type, url, read, feeds, notes: [] }
}

interface PageSearch extends Pick<Discovered, 'feeds' | 'notes'> {
  readonly found: FeedFound | null
}

async function searchBehindPage(documents: Documents, visit: Visit, page: Body): Promise<PageSearch> {
  const linked = await linkedFeeds(documents, page)
  const feedSearch = new FeedSearch(documents, visit)
  const announced = await feedSearch.findFirst(linked.slice(0, MAX_LINKED_FEEDS), { separate: false })
  const working = linked.filter(({ url }) => !feedSearch.isDead(url))
  if (announced) return { found: announced, feeds: working, notes: [] }
  const dead = linked
    .filter(({ url }) => feedSearch.isDead(url))
    .map(({ url }) => `No feed could be read at ${url}, which the page names as one`)
  const guesses = isSitePage(page.bytes, page.headers['content-type']) ? guessesFor(page.url) : []
  const found = await feedSearch.findFirst(guesses, { separate: true })
  if (found) return { found, feeds: [{ url: found.url, title: found.read.title ?? null }, ...working], notes: dead }
  const skipped = feedSearch.skippedNote(guesses)
  return { found, feeds: working, notes: skipped ? [...dead, skipped] : dead }
}

function guessesFor(url: string): FeedLink[] {
  return guessFeedPaths(url).map((guess) => ({ url: guess, title: null }))
}

async function linkedFeeds(documents: Documents, page: Body): Promise<readonly FeedLink[]> {
  const hint = { contentType: page.headers['content-type'], url: page.url, linkHeader: page.headers.link }
  const found = await documents.findFeeds(page.bytes, hint)
  return found.ok ? found.value.map(({ url, title }) => ({ url, title })) : []
}
