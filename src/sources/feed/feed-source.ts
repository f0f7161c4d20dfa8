// Source type `rss`: one conditional GET. The body is read in a worker thread unless it is the same as last time.
import { newEntriesFrom } from '../../domain/choose.ts'
import type { Candidate } from '../../domain/post.ts'
import type { Source } from '../../domain/source.ts'
import type { Documents, FeedHint } from '../../ports/documents.ts'
import type { EarlierPage, ReadResult, SourceReader, Visit } from '../../ports/reader.ts'
import { statedByAnswer, withStated } from '../answer-facts.ts'
import { languageTag } from '../text/language-tag.ts'

export interface FeedReading {
  readonly documents: Documents
  readonly lateArrivalHours: number
}

export function createFeedSource(reading: FeedReading): SourceReader {
  return {
    read: (source, visit) => readFeedAt(reading, source, source.feedUrl ?? source.url, visit),
    readEarlier: (url, source, visit) => readEarlierPage(reading, url, source, visit),
  }
}

export async function readFeedAt(reading: FeedReading, source: Source, url: string, visit: Visit): Promise<ReadResult> {
  const answer = await visit.fetch({ url, accept: 'feed', validators: source.validators })
  if (answer.kind === 'not-modified') return { kind: 'unchanged', answer }
  if (answer.kind !== 'body') return { kind: 'ended', by: answer }
  return readFeedOf(reading, source, answer, { isLastUse: !visit.keepsBodies })
}

/** As readFeedBody, with the HTML of entries that may become posts of the source. */
export function readFeedOf(
  { documents, lateArrivalHours }: FeedReading,
  source: Source,
  answer: Body,
  { isLastUse }: Pick<FeedHint, 'isLastUse'>,
): Promise<ReadResult> {
  return readFeedBody(documents, source, answer, { newFrom: newEntriesFrom(source, lateArrivalHours), isLastUse })
}

/** Without redirects: a page that has moved to another host is not worth a turn in its lane. */
async function readEarlierPage(reading: FeedReading, url: string, source: Source, visit: Visit): Promise<EarlierPage> {
  const answer = await visit.fetch({ url, accept: 'feed', followRedirects: false })
  if (answer.kind === 'status') return { kind: 'refused', answer }
  if (answer.kind !== 'body') return { kind: 'unreadable' }
  const read = await readFeedOf(reading, { ...source, bodyHash: null }, answer, { isLastUse: !visit.keepsBodies })
  if (read.kind !== 'document') return { kind: 'unreadable' }
  return { kind: 'page', candidates: read.candidates, earlierUrl: read.earlierUrl ?? null }
}

type Body = Extract<Awaited<ReturnType<Visit['fetch']>>, { kind: 'body' }>

/** Discovery stores no posts, and looks at the same answer again. */
const FOR_DISCOVERY = { newFrom: Number.POSITIVE_INFINITY, isLastUse: false }

/** Reads the body of an answer. Also for answers that discovery has already fetched. */
export async function readFeedBody(
  documents: Documents,
  source: Pick<Source, 'bodyHash' | 'url'>,
  answer: Body,
  use: Pick<FeedHint, 'newFrom' | 'isLastUse'> = FOR_DISCOVERY,
): Promise<ReadResult> {
  const hint = { contentType: answer.headers['content-type'], url: answer.url, lastHash: source.bodyHash, ...use }
  const read = await documents.readFeed(answer.bytes, hint)
  if (!read.ok) return { kind: 'unreadable', answer, failure: read.failure }
  if (read.value.kind === 'same-bytes') return { kind: 'unchanged', answer }
  const { title, siteUrl, freshness, notes, bodyHash, earlierUrl } = read.value
  const language = languageTag(read.value.language)
  const stated = statedByAnswer(answer.headers)
  const candidates = leadingToSource(read.value.candidates, answer.url, source.url).map((one) =>
    withStated(one, stated),
  )
  return { kind: 'document', answer, candidates, freshness, notes, bodyHash, title, siteUrl, language, earlierUrl }
}

/** An entry without a link gets the URL of the source, which stays the same if the feed moves. */
function leadingToSource(candidates: readonly Candidate[], feedUrl: string, sourceUrl: string): readonly Candidate[] {
  if (feedUrl === sourceUrl) return candidates
  return candidates.map((candidate) => (candidate.url === feedUrl ? { ...candidate, url: sourceUrl } : candidate))
}
