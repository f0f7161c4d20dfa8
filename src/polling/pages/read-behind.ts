// Reads what a page or a transcript behind a post has to say.
import type { DocumentResult, Documents } from '../../ports/documents.ts'
import type { PageResult, PageToFetch } from '../../ports/page-store.ts'
import type { VisitResult } from '../../ports/reader.ts'

type Found = Pick<PageResult, 'html' | 'image' | 'language' | 'usagePreferences'> & { readonly text: string }

const USAGE_CHARACTERS = 500

export async function readBehind(
  documents: Pick<Documents, 'readPage' | 'readTranscript'>,
  kind: PageToFetch['kind'],
  answer: Extract<VisitResult, { kind: 'body' }>,
): Promise<DocumentResult<Found>> {
  const hint = { contentType: answer.headers['content-type'], url: answer.url }
  const usage = answer.headers['content-usage']?.trim().slice(0, USAGE_CHARACTERS) || null
  if (kind === 'transcript') {
    const read = await documents.readTranscript(answer.bytes, hint)
    if (!read.ok) return read
    return { ok: true, value: { text: read.value, html: null, image: null, language: null, usagePreferences: usage } }
  }
  const read = await documents.readPage(answer.bytes, hint)
  if (!read.ok) return read
  const { body, html = null, image = null, language = null, usagePreferences = null } = read.value.candidate
  const stated = [usage, usagePreferences].filter((part) => part !== null).join('; ') || null
  return { ok: true, value: { text: body, html, image, language, usagePreferences: stated } }
}
