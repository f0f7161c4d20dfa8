/** What the headers of an answer state about the document: its language, and how it may be used. */
import type { Candidate } from '../domain/post.ts'
import { languageTag } from './text/language-tag.ts'

export interface AnswerFacts {
  readonly language: string | null
  readonly usagePreferences: string | null
}

const MAX_CHARS = 500

export function statedByAnswer(headers: Readonly<Record<string, string>>): AnswerFacts {
  const usage = headers['content-usage']?.trim().slice(0, MAX_CHARS)
  // A header with several languages names those of the readers, not that of the text.
  const language = headers['content-language'] ?? ''
  return { language: language.includes(',') ? null : languageTag(language), usagePreferences: usage || null }
}

/** What the entry or the document states itself comes first. */
export function withStated(candidate: Candidate, stated: AnswerFacts): Candidate {
  const language = candidate.language ?? stated.language
  const usagePreferences = joined(candidate.usagePreferences ?? null, stated.usagePreferences)
  return { ...candidate, language, usagePreferences }
}

function joined(one: string | null, other: string | null): string | null {
  return [one, other].filter((text) => text !== null).join('; ') || null
}
