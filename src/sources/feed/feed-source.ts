// Source type `rss`: one conditional GET. The body is read in a worker thread unless it is the same as last time.
import type { Candidate } from '../../domain/post.ts'
import type { Source } from '../../domain/source.ts'
import type { Documents } from '../../ports/documents.ts'
import type { EarlierPage, ReadResult, SourceReader, Visit } from '../../ports/reader.ts'
import { statedByAnswer, withStated } from '../answer-facts.ts'
import { bodyHashOf } from '../body-hash.ts'

export function createFeedSource(documents: Documents): SourceReader {
  return {
    read: (source, visit) => readFeedAt(documents, source, source.feedUrl ?? source.url, visit),
    readEarlier: (url, source, visit) => readEarlierPage(documents, url, source, visit),
  }
}

export async function readFeedAt(documents: Documents, source: Source, url: string, visit: Visit): Promise<ReadResult> {
  const answer = await visit.fetch({ url, accept: 'feed', validators: source.validators })
  if (answer.kind === 'not-modified') return { kind: 'unchanged', answer }
  if (answer.kind !== 'body') return { kind: 'ended', by: answer }
  return readFeedBody(documents, source, answer)
}

/** Without redirects: a page that has moved to another host is not worth a turn in its lane. */
async function readEarlierPage(documents: Documents, url: string, source: Source, visit: Visit): Promise<EarlierPage> {
  const answer = await visit.fetch({ url, accept: 'feed', followRedirects: false })
  if (answer.kind === 'status') return { kind: 'refused', answer }
  if (answer.kind !== 'body') return { kind: 'unreadable' }
  const read = await readFeedBody(documents, { bodyHash: null, url: source.url }, answer)
  if (read.kind !== 'document') return { kind: 'unreadable' }
  return { kind: 'page', candidates: read.candidates, earlierUrl: read.earlierUrl ?? null }
}

/** Reads the body of an answer. Also for answers that discovery has already fetched. */
export async function readFeedBody(
  documents: Documents,
  source: Pick<Source, 'bodyHash' | 'url'>,
  answer: Extract<Awaited<ReturnType<Visit['fetch']>>, { kind: 'body' }>,
): Promise<ReadResult> {
  const bodyHash = await bodyHashOf(answer.bytes)
  if (bodyHash === source.bodyHash) return { kind: 'unchanged', answer }
  const hint = { contentType: answer.headers['content-type'], url: answer.url }
  const read = await documents.readFeed(answer.bytes, hint)
  if (!read.ok) return { kind: 'unreadable', answer, failure: read.failure }
  const { title, siteUrl, language, freshness, notes, earlierUrl } = read.value
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
