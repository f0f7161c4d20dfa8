// The only place that decides *which* candidates become posts. Rules in this order; what is dropped is
// counted under the rule's name, and found = created + the sum of what was skipped:
//   1 unreadable      neither title nor body
//   2 filtered        by the category filter
//   3 notNew / late   older than the newest seen so far; late when it was never seen before
//   4 tooOld          older than the age limit
//   5 beforeCreated   first poll, or the first since the backfill was raised, and older than the source less its backfill
//   6 edited          a known entry with another body
//   7 duplicate       a body that was stored before
// By hash (pages) only 1 and 7 apply; by a mark (X) 1, 4, 5 and 7.
import type { SkipRule } from './outcome.ts'
import type { Candidate, KnownEntry, Tombstone } from './post.ts'
import { DAY_MS, HOUR_MS } from './schedule.ts'

export interface ChoosingSource {
  readonly lastSeenId: string | null
  readonly choosesAsFirst?: boolean
  readonly lastSucceededAt: number | null
  readonly createdAt: number
  readonly backfillDays: number
  readonly categoryFilter: string | null
}

/**
 * How new entries are told from old ones: by their date, by a mark that the reader keeps (it reads only what is newer),
 * or by the hash of their text alone.
 */
export type NewEntries = 'by-date' | 'by-mark' | 'by-hash'

export interface ChoosingRules {
  readonly newEntries: NewEntries
  readonly maxArticleAgeDays: number
  readonly lateArrivalHours: number
  /** The poll's start. */
  readonly startedAt: number
}

export interface Dropped {
  readonly candidate: Candidate
  readonly rule: SkipRule
}

export interface Chosen {
  /** Oldest first; undated ones before the dated. */
  readonly posts: readonly Candidate[]
  readonly dropped: readonly Dropped[]
  /** What must be remembered of entries dropped for their age. */
  readonly tombstones: readonly Tombstone[]
  /** Of feeds: the newest instant read, never later than the poll's start and never moving back. */
  readonly lastSeenId: string | null
}

export function choose(
  candidates: readonly Candidate[],
  known: readonly KnownEntry[],
  source: ChoosingSource,
  rules: ChoosingRules,
): Chosen {
  const memory = remember(candidates, known)
  const terms = rules.newEntries === 'by-date' ? filterTerms(source.categoryFilter) : []
  const posts: Candidate[] = []
  const dropped: Dropped[] = []
  const aged = new Map<string, Tombstone>()
  let newest = seenUntil(source)
  for (const candidate of candidates) {
    const rule = dropRule(candidate, memory, source, rules, terms)
    if (rule !== 'filtered' && candidate.publishedAt !== null) {
      newest = Math.max(newest, Math.min(candidate.publishedAt, rules.startedAt))
    }
    if (rule === null) {
      memory.hashes.add(candidate.contentHash)
      posts.push(candidate)
      continue
    }
    dropped.push({ candidate, rule })
    if (rule === 'tooOld' || rule === 'beforeCreated') bury(aged, candidate, rule === 'beforeCreated')
  }
  // Only now: an old entry must not make a fresh one with the same body a duplicate, whichever comes first.
  const tombstones = [...aged.values()].filter((entry) => !memory.hashes.has(entry.contentHash))
  const lastSeenId =
    rules.newEntries === 'by-date' && Number.isFinite(newest) ? new Date(newest).toISOString() : source.lastSeenId
  return { posts: oldestFirst(posts), dropped, tombstones, lastSeenId }
}

/** Of entries with one body the newest counts: it is the first to become new when the backfill is raised. */
function bury(aged: Map<string, Tombstone>, candidate: Candidate, isBeforeCreated: boolean): void {
  const other = aged.get(candidate.contentHash)
  if (other && (other.publishedAt ?? 0) >= (candidate.publishedAt ?? 0)) return
  aged.set(candidate.contentHash, { ...candidate, isBeforeCreated })
}

function dropRule(
  candidate: Candidate,
  memory: Memory,
  source: ChoosingSource,
  rules: ChoosingRules,
  terms: readonly string[],
): SkipRule | null {
  if (candidate.title.trim() === '' && candidate.body.trim() === '') return 'unreadable'
  if (!passesFilter(candidate, terms)) return 'filtered'
  if (rules.newEntries !== 'by-hash' && candidate.publishedAt !== null) {
    const byAge = dropByAge(candidate, candidate.publishedAt, memory, source, rules)
    if (byAge !== null) return byAge
  }
  if (rules.newEntries === 'by-date' && isEdit(candidate, memory)) return 'edited'
  return memory.hashes.has(candidate.contentHash) ? 'duplicate' : null
}

function dropByAge(
  candidate: Candidate,
  publishedAt: number,
  memory: Memory,
  source: ChoosingSource,
  rules: ChoosingRules,
): SkipRule | null {
  const keepsToMark = rules.newEntries === 'by-date' && !source.choosesAsFirst
  if (keepsToMark && publishedAt < seenUntil(source) - rules.lateArrivalHours * HOUR_MS) {
    const guidSeen = candidate.guid !== null && memory.byGuid.has(candidate.guid)
    const seen = guidSeen || memory.hashes.has(candidate.contentHash)
    return seen ? 'notNew' : 'late'
  }
  if (publishedAt < rules.startedAt - rules.maxArticleAgeDays * DAY_MS) return 'tooOld'
  if (isFirstPoll(source) && publishedAt < backfillStart(source)) return 'beforeCreated'
  return null
}

/** No entry dated before this instant becomes a post of a source whose new entries are told by their date. */
export function newEntriesFrom(source: ChoosingSource, lateArrivalHours: number): number {
  const mark = source.choosesAsFirst ? Number.NEGATIVE_INFINITY : seenUntil(source) - lateArrivalHours * HOUR_MS
  return isFirstPoll(source) ? Math.max(mark, backfillStart(source)) : mark
}

/** A source is on its first poll until one succeeded: jitter fills lastPolled, failures do too. */
export function isFirstPoll(source: Pick<ChoosingSource, 'lastSucceededAt' | 'choosesAsFirst'>): boolean {
  return source.lastSucceededAt === null || source.choosesAsFirst === true
}

/** The start of the window that a first poll takes posts from. */
export function backfillStart(source: Pick<ChoosingSource, 'createdAt' | 'backfillDays'>): number {
  return source.createdAt - source.backfillDays * DAY_MS
}

/** The same entry as a known one, but with another body. */
function isEdit(candidate: Candidate, memory: Memory): boolean {
  const same = sameEntries(candidate, memory)
  return same.length > 0 && same.every((entry) => entry.contentHash !== candidate.contentHash)
}

function sameEntries(candidate: Candidate, memory: Memory): readonly KnownEntry[] {
  if (candidate.guid !== null) {
    if ((memory.guidsHere.get(candidate.guid) ?? 0) > 1) return []
    return (memory.byGuid.get(candidate.guid) ?? []).filter((entry) => sameDateOrNone(entry, candidate))
  }
  if ((memory.urlsHere.get(candidate.url) ?? 0) > 1 || candidate.publishedAt === null) return []
  return (memory.byUrl.get(candidate.url) ?? []).filter((entry) => entry.publishedAt === candidate.publishedAt)
}

function sameDateOrNone(a: KnownEntry, b: Candidate): boolean {
  return a.publishedAt === null || b.publishedAt === null || a.publishedAt === b.publishedAt
}

interface Memory {
  readonly hashes: Set<string>
  readonly byGuid: ReadonlyMap<string, readonly KnownEntry[]>
  readonly byUrl: ReadonlyMap<string, readonly KnownEntry[]>
  /** How often each guid and url stands in this document: one that stands twice identifies nothing. */
  readonly guidsHere: ReadonlyMap<string, number>
  readonly urlsHere: ReadonlyMap<string, number>
}

function remember(candidates: readonly Candidate[], known: readonly KnownEntry[]): Memory {
  return {
    hashes: new Set(known.map((entry) => entry.contentHash)),
    byGuid: Map.groupBy(
      known.filter((entry) => entry.guid !== null),
      (entry) => entry.guid ?? '',
    ),
    byUrl: Map.groupBy(known, (entry) => entry.url),
    guidsHere: countBy(candidates, (candidate) => candidate.guid),
    urlsHere: countBy(candidates, (candidate) => candidate.url),
  }
}

function countBy(candidates: readonly Candidate[], key: (candidate: Candidate) => string | null): Map<string, number> {
  const counts = new Map<string, number>()
  for (const candidate of candidates) {
    const value = key(candidate)
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return counts
}

function seenUntil(source: ChoosingSource): number {
  const at = Date.parse(source.lastSeenId ?? '')
  return Number.isNaN(at) ? Number.NEGATIVE_INFINITY : at
}

function filterTerms(filter: string | null): readonly string[] {
  return (filter ?? '')
    .split(',')
    .map((term) => term.trim().toLowerCase())
    .filter((term) => term !== '')
}

function passesFilter(candidate: Candidate, terms: readonly string[]): boolean {
  if (terms.length === 0 || candidate.categories.length === 0) return true
  const categories = candidate.categories.map((category) => category.toLowerCase())
  return terms.some((term) => categories.some((category) => category.includes(term)))
}

/** Documents list newest first, so the reversed order is the order of appearance; dates decide where there are any. */
function oldestFirst(posts: readonly Candidate[]): readonly Candidate[] {
  const instant = (post: Candidate): number => post.publishedAt ?? Number.MIN_SAFE_INTEGER
  return posts.toReversed().sort((a, b) => instant(a) - instant(b))
}
