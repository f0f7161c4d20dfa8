// From what was read to what is to be written: the outcome of the poll, and which candidates become posts.
import { type Chosen, choose } from '../../domain/choose.ts'
import { wantedTexts } from '../../domain/full-text.ts'
import type { Failure, SkipCounts, SkipRule } from '../../domain/outcome.ts'
import { NOTHING_SKIPPED } from '../../domain/outcome.ts'
import { type Candidate, NO_FULL_TEXT, type Tombstone } from '../../domain/post.ts'
import { type Gap, gapOf, publicationsOf } from '../../domain/rhythm.ts'
import { type Source, type StatedByDocument, URL_CHARACTERS } from '../../domain/source.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import type { SourceConfig } from '../../ports/config.ts'
import type { Documents } from '../../ports/documents.ts'
import type { ReadResult } from '../../ports/reader.ts'
import type { Store } from '../../ports/store.ts'
import type { ContentRules } from '../pages/content-rules.ts'
import { withCleanHtml } from './clean-contents.ts'
import type { PollOutcome } from './poll-outcome.ts'

export interface FindingsDeps {
  readonly store: Pick<Store, 'getPodcast' | 'knownEntries'>
  readonly types: Pick<SourceTypes, 'of'>
  readonly rules: Pick<SourceConfig, 'maxArticleAgeDays' | 'lateArrivalHours'>
  readonly documents: Pick<Documents, 'cleanHtml'>
  readonly content: ContentRules
}

/** An outcome with what was found: all of it is written if the source is still what was polled. */
export interface Findings {
  readonly outcome: PollOutcome
  readonly posts: readonly Candidate[]
  readonly tombstones: readonly Tombstone[]
  readonly candidates: readonly Candidate[] | null
}

export async function findingsOf(
  deps: FindingsDeps,
  source: Source,
  read: ReadResult,
  startedAt: number,
): Promise<Findings> {
  switch (read.kind) {
    case 'document':
      return chosenFrom(deps, source, read, startedAt)
    case 'unchanged':
      return withoutPosts({
        kind: 'success',
        answer: read.answer,
        notModified: true,
        freshness: null,
        found: 0,
        skipped: NOTHING_SKIPPED,
        notes: [],
        learned: null,
      })
    case 'unreadable':
      return withoutPosts({ kind: 'failure', failure: read.failure, answer: read.answer })
    case 'impossible':
      return failedWith(read.failure)
    case 'ended':
      return withoutPosts(failedVisit(read.by))
  }
}

export function failedWith(failure: Failure): Findings {
  return withoutPosts({ kind: 'failure', failure, answer: null })
}

function failedVisit(by: Extract<ReadResult, { kind: 'ended' }>['by']): PollOutcome {
  if (by.kind === 'status') return { kind: 'failure', failure: by.failure, answer: by }
  const failure: Failure =
    by.kind === 'failed'
      ? by.failure
      : { code: 'unexpected', httpStatus: null, reason: `the visit ended without an answer (${by.kind})` }
  return { kind: 'failure', failure, answer: null }
}

function withoutPosts(outcome: PollOutcome): Findings {
  return { outcome, posts: [], tombstones: [], candidates: null }
}

async function chosenFrom(
  deps: FindingsDeps,
  source: Source,
  read: Extract<ReadResult, { kind: 'document' }>,
  startedAt: number,
): Promise<Findings> {
  const { candidates } = read
  const { chosen, gap } = await chooseFrom(deps, source, candidates, startedAt)
  const outcome: PollOutcome = {
    kind: 'success',
    answer: read.answer,
    notModified: false,
    freshness: read.freshness,
    found: candidates.length,
    skipped: countByRule(chosen.dropped.map((dropped) => dropped.rule)),
    notes: read.notes,
    learned: {
      lastSeenId: read.mark ?? chosen.lastSeenId,
      bodyHash: read.bodyHash,
      ...(read.feedUrl !== undefined && { feedUrl: read.feedUrl }),
      publications: publicationsOf(candidates, chosen),
      gap,
      stated: statedIn(read),
    },
  }
  return {
    outcome,
    posts: withWantedTexts(deps, source, await withCleanHtml(deps.documents, chosen.posts)),
    tombstones: chosen.tombstones,
    candidates,
  }
}

function withWantedTexts(deps: FindingsDeps, source: Source, posts: readonly Candidate[]): readonly Candidate[] {
  if (!deps.types.of(source.type).hasPagesBehindPosts) return posts
  const { fullText, maxPagesPerPoll } = deps.content
  const wanted = wantedTexts(posts, { policy: source.fullText ?? fullText, maxPagesPerPoll, sourceUrl: source.url })
  return posts.map((post, index) => ({ ...post, wantedText: wanted[index] ?? NO_FULL_TEXT }))
}

export async function chooseFrom(
  deps: FindingsDeps,
  source: Source,
  candidates: readonly Candidate[],
  startedAt: number,
): Promise<{ readonly chosen: Chosen; readonly gap: Gap | null }> {
  const podcast = await deps.store.getPodcast(source.podcastId)
  const known = await deps.store.knownEntries(source.id, {
    guids: [...new Set(candidates.flatMap((candidate) => candidate.guid ?? []))],
    hashes: [...new Set(candidates.map((candidate) => candidate.contentHash))],
    urls: [...new Set(candidates.map((candidate) => candidate.url))],
  })
  const { newEntries } = deps.types.of(source.type)
  const chosen = choose(candidates, known, source, {
    newEntries,
    maxArticleAgeDays: podcast?.maxArticleAgeDays ?? deps.rules.maxArticleAgeDays,
    lateArrivalHours: deps.rules.lateArrivalHours,
    startedAt,
  })
  return { chosen, gap: newEntries === 'by-date' ? gapOf(candidates, chosen, source, startedAt) : null }
}

const MAX_TITLE_CHARACTERS = 500
const MAX_LANGUAGE_CHARACTERS = 35

/** Blank text states nothing, and no document may fill the source's row. */
function statedIn({ title, siteUrl, language }: Extract<ReadResult, { kind: 'document' }>): StatedByDocument {
  const cut = (text: string | null | undefined, most: number) =>
    text?.trim().slice(0, most).toWellFormed().trim() || null
  return {
    title: cut(title, MAX_TITLE_CHARACTERS),
    siteUrl: siteUrl && siteUrl.length <= URL_CHARACTERS ? siteUrl : null,
    language: cut(language, MAX_LANGUAGE_CHARACTERS),
  }
}

function countByRule(rules: readonly SkipRule[]): SkipCounts {
  const counts = { ...NOTHING_SKIPPED }
  for (const rule of rules) counts[rule]++
  return counts
}
