// Reads sources of type `youtube`: polls the Atom feed of the channel or playlist, whatever address the person gave. If
// the address does not contain the feed's id, the feed is looked up once, from the links of the page.
import type { Source } from '../../domain/source.ts'
import { youtubeFeedUrl } from '../../domain/youtube-address.ts'
import type { Documents } from '../../ports/documents.ts'
import type { ReadResult, SourceReader, Visit, VisitResult } from '../../ports/reader.ts'
import { type FeedReading, readFeedAt, readFeedOf } from '../feed/feed-source.ts'

type Body = Extract<VisitResult, { kind: 'body' }>

export function createYoutubeSource(reading: FeedReading): SourceReader {
  return {
    async read(source, visit) {
      if (source.feedUrl !== null) return readFeedAt(reading, source, source.feedUrl, visit)
      const known = youtubeFeedUrl(source.url)
      if (known?.kind === 'feed') return withFeedUrl(reading, source, known.feedUrl, visit)
      return lookUp(reading, source, known?.pageUrl ?? source.url, visit)
    },
  }
}

async function lookUp(reading: FeedReading, source: Source, pageUrl: string, visit: Visit): Promise<ReadResult> {
  const answer = await visit.fetch({ url: pageUrl, accept: 'page', validators: source.validators })
  if (answer.kind === 'not-modified') return { kind: 'unchanged', answer }
  if (answer.kind !== 'body') return { kind: 'ended', by: answer }
  // The address may lead to a feed on another host. Then it does so every time.
  const itself = await readFeedOf(reading, source, answer, { isLastUse: false })
  if (itself.kind === 'document' || itself.kind === 'unchanged') return itself
  const feedUrl = await feedLinkedFrom(reading.documents, answer)
  if (feedUrl !== null) return withFeedUrl(reading, source, feedUrl, visit)
  const reason = `no channel or playlist feed is linked from ${pageUrl}`
  return { kind: 'unreadable', answer, failure: { code: 'not-a-feed', httpStatus: answer.status, reason } }
}

async function feedLinkedFrom(documents: Documents, page: Body): Promise<string | null> {
  const hint = { contentType: page.headers['content-type'], url: page.url }
  const own = await documents.findYoutubeFeed(page.bytes, hint)
  if (own.ok && own.value !== null) return own.value
  const linked = await documents.findFeeds(page.bytes, { ...hint, linkHeader: page.headers.link })
  return linked.ok ? (linked.value[0]?.url ?? null) : null
}

async function withFeedUrl(reading: FeedReading, source: Source, feedUrl: string, visit: Visit): Promise<ReadResult> {
  const read = await readFeedAt(reading, source, feedUrl, visit)
  return read.kind === 'document' ? { ...read, feedUrl } : read
}
