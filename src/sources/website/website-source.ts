// Source type `website`: one page gives one candidate.
// The candidate has neither guid nor date, so only its text decides whether it is new.
import type { Source } from '../../domain/source.ts'
import type { Documents } from '../../ports/documents.ts'
import type { ReadResult, SourceReader, Visit } from '../../ports/reader.ts'
import { statedByAnswer, withStated } from '../answer-facts.ts'
import { bodyHashOf } from '../body-hash.ts'

export function createWebsiteSource(documents: Documents): SourceReader {
  return {
    async read(source, visit) {
      const answer = await visit.fetch({ url: source.url, accept: 'page', validators: source.validators })
      if (answer.kind === 'not-modified') return { kind: 'unchanged', answer }
      if (answer.kind !== 'body') return { kind: 'ended', by: answer }
      return readPageBody(documents, source, answer)
    },
  }
}

/** Reads the body of a page response. Discovery also calls it, for a response that it has already fetched. */
export async function readPageBody(
  documents: Documents,
  source: Pick<Source, 'bodyHash' | 'url'>,
  answer: Extract<Awaited<ReturnType<Visit['fetch']>>, { kind: 'body' }>,
): Promise<ReadResult> {
  const bodyHash = await bodyHashOf(answer.bytes)
  if (bodyHash === source.bodyHash) return { kind: 'unchanged', answer }
  const read = await documents.readPage(answer.bytes, { contentType: answer.headers['content-type'], url: answer.url })
  if (!read.ok) return { kind: 'unreadable', answer, failure: read.failure }
  const { candidate, title, language, statedAt, notes } = read.value
  return {
    kind: 'document',
    answer,
    candidates: [withStated({ ...candidate, url: source.url }, statedByAnswer(answer.headers))],
    freshness: null,
    notes,
    bodyHash,
    title,
    siteUrl: source.url,
    language,
    statedAt,
  }
}
