// What stands behind an address that a person gave without saying what it is: a feed, a page with feeds, or a
// page to be read itself. One GET when the address is a feed; guessed paths only when no feed that is linked lives,
// each with spacing before it.
import type { Source, SourceType } from '../../domain/source.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import type { Documents, FeedLink } from '../../ports/documents.ts'
import { type Readers, type ReadResult, readerOf, type Visit, type VisitResult } from '../../ports/reader.ts'
import { readFeedBody } from '../feed/feed-source.ts'
import { readPageBody } from '../website/website-source.ts'
import { type FeedFound, FeedSearch } from './feed-search.ts'
import { guessFeedPaths } from './guess-feed-paths.ts'
import { isSitePage } from './site-page.ts'

const LINKED_FEEDS_TRIED = 3

export interface Discovered {
  readonly type: SourceType
  readonly url: string
  readonly read: ReadResult
  readonly feeds: readonly FeedLink[]
  /** What was not looked at, in words. */
  readonly notes: readonly string[]
}

type Body = Extract<VisitResult, { kind: 'body' }>

export function createDiscover(documents: Documents, types: SourceTypes, readers: Readers) {
  return async (source: Source, type: SourceType | null, visit: Visit): Promise<Discovered> => {
    const { url } = source
    const known = type === null ? types.recognising(url) : types.of(type)
    if (known) {
      const read = await readerOf(readers, known.name).read(source, visit)
      return itself(known.name, url, read, known.document === 'feed')
    }
    const answer = await visit.fetch({ url, accept: 'any' })
    if (answer.kind === 'not-modified') return itself('website', url, { kind: 'unchanged', answer })
    if (answer.kind !== 'body') return itself('website', url, { kind: 'ended', by: answer })
    const feed = await readFeedBody(documents, { bodyHash: null, url }, answer)
    if (feed.kind === 'document') return itself('rss', url, feed, true)
    const behind = await behindPage(documents, visit, answer)
    if (behind.found) return { type: 'rss', url: behind.found.url, read: behind.found.read, ...behind }
    return { type: 'website', url, read: await readPageBody(documents, { bodyHash: null, url }, answer), ...behind }
  }
}

/** An address that is a feed has that feed to offer. */
function itself(type: SourceType, url: string, read: ReadResult, isFeed = false): Discovered {
  const feeds = isFeed && read.kind === 'document' ? [{ url: read.feedUrl ?? url, title: read.title ?? null }] : []
  return { type, url, read, feeds, notes: [] }
}

interface BehindPage extends Pick<Discovered, 'feeds' | 'notes'> {
  readonly found: FeedFound | null
}

async function behindPage(documents: Documents, visit: Visit, page: Body): Promise<BehindPage> {
  const linked = await linkedFeeds(documents, page)
  const search = new FeedSearch(documents, visit)
  const announced = await search.first(linked.slice(0, LINKED_FEEDS_TRIED), { separate: false })
  const living = linked.filter(({ url }) => !search.isDead(url))
  if (announced) return { found: announced, feeds: living, notes: [] }
  const dead = linked
    .filter(({ url }) => search.isDead(url))
    .map(({ url }) => `No feed could be read at ${url}, which the page names as one`)
  const guesses = isSitePage(page.bytes, page.headers['content-type']) ? guessesFor(page.url) : []
  const found = await search.first(guesses, { separate: true })
  if (found) return { found, feeds: [{ url: found.url, title: found.read.title ?? null }, ...living], notes: dead }
  const leftOut = search.leftOut(guesses)
  return { found, feeds: living, notes: leftOut ? [...dead, leftOut] : dead }
}

function guessesFor(url: string): FeedLink[] {
  return guessFeedPaths(url).map((guess) => ({ url: guess, title: null }))
}

async function linkedFeeds(documents: Documents, page: Body): Promise<readonly FeedLink[]> {
  const hint = { contentType: page.headers['content-type'], url: page.url, linkHeader: page.headers.link }
  const found = await documents.findFeeds(page.bytes, hint)
  return found.ok ? found.value.map(({ url, title }) => ({ url, title })) : []
}
