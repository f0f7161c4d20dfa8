// What stands behind an address that a person gave without saying what it is: a feed, a page with feeds, or a
// page to be read itself. One GET when the address is a feed; guessed paths only when nothing is linked, each
// with the host's spacing before it.
import type { Source, SourceType } from '../../domain/source.ts'
import type { Documents, FeedLink } from '../../ports/documents.ts'
import type { ReadResult, SourceReader, Visit, VisitResult } from '../../ports/reader.ts'
import { readFeedBody } from '../feed/feed-source.ts'
import { readPageBody } from '../website/website-source.ts'
import { youtubeFeedUrl } from '../youtube/youtube-address.ts'
import { guessFeedPaths } from './guess-feed-paths.ts'

const LINKED_FEEDS_TRIED = 3

export interface Discovered {
  readonly type: SourceType
  readonly url: string
  readonly read: ReadResult
  readonly feeds: readonly FeedLink[]
}

type Body = Extract<VisitResult, { kind: 'body' }>

export function createDiscover(documents: Documents, readers: Readonly<Record<SourceType, SourceReader>>) {
  return async (source: Source, type: SourceType | null, visit: Visit): Promise<Discovered> => {
    const known = type ?? (youtubeFeedUrl(source.url) === null ? null : 'youtube')
    if (known !== null)
      return { type: known, url: source.url, read: await readers[known].read(source, visit), feeds: [] }
    const answer = await visit.fetch({ url: source.url, accept: 'any' })
    if (answer.kind === 'not-modified') return website(source, { kind: 'unchanged', answer }, [])
    if (answer.kind !== 'body') return website(source, { kind: 'ended', by: answer }, [])
    const itself = await readFeedBody(documents, { bodyHash: null, url: source.url }, answer)
    if (itself.kind === 'document') return { type: 'rss', url: source.url, read: itself, feeds: [] }
    const linked = await linkedFeeds(documents, answer)
    const found =
      (await firstFeed(documents, visit, linked.slice(0, LINKED_FEEDS_TRIED), linked, false)) ??
      (linked.length > 0 ? null : await firstFeed(documents, visit, guesses(answer.url), [], true))
    return found ?? website(source, await readPageBody(documents, { bodyHash: null, url: source.url }, answer), linked)
  }
}

function website(source: Source, read: ReadResult, feeds: readonly FeedLink[]): Discovered {
  return { type: 'website', url: source.url, read, feeds }
}

function guesses(url: string): FeedLink[] {
  return guessFeedPaths(url).map((guess) => ({ url: guess, title: null }))
}

async function linkedFeeds(documents: Documents, page: Body): Promise<readonly FeedLink[]> {
  const hint = { contentType: page.headers['content-type'], url: page.url, linkHeader: page.headers.link }
  const found = await documents.findFeeds(page.bytes, hint)
  return found.ok ? found.value.map(({ url, title }) => ({ url, title })) : []
}

async function firstFeed(
  documents: Documents,
  visit: Visit,
  tried: readonly FeedLink[],
  linked: readonly FeedLink[],
  separate: boolean,
): Promise<Discovered | null> {
  for (const { url, title } of tried) {
    const answer = await visit.fetch({ url, accept: 'feed', separate })
    // A host that is not free or has had enough is not asked for more guesses.
    if (answer.kind === 'put-off' || answer.kind === 'aborted') return null
    if (answer.kind === 'status' && (answer.status === 429 || answer.status === 503)) return null
    if (answer.kind !== 'body') continue
    const read = await readFeedBody(documents, { bodyHash: null, url }, answer)
    if (read.kind !== 'document') continue
    const feeds = linked.length > 0 ? linked : [{ url, title: title ?? read.title ?? null }]
    return { type: 'rss', url, read, feeds }
  }
  return null
}
