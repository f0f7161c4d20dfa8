// One poll, one straight line with one exit: fetch -> read -> choose -> record. Whatever happens becomes one
// outcome value, and `recordPoll` writes it in one transaction.
import { speaksOfHost } from '../../domain/breaker-window.ts'
import { choose } from '../../domain/choose.ts'
import type { NewEvent } from '../../domain/event.ts'
import { laneOrNull, NULL_LANE } from '../../domain/lane.ts'
import { permanentTarget } from '../../domain/moved.ts'
import { failedOnTheWayOut, type HostOutcome } from '../../domain/outage-run.ts'
import type { Failure, PollRecord, SkipCounts, SkipRule, Trigger } from '../../domain/outcome.ts'
import { NOTHING_SKIPPED } from '../../domain/outcome.ts'
import type { Candidate, KnownEntry } from '../../domain/post.ts'
import { isStoreAway } from '../../domain/problem.ts'
import type { Source } from '../../domain/source.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SourceConfig } from '../../ports/config.ts'
import type { Log } from '../../ports/log.ts'
import type { PollEffects, PollWrite, PollWritten } from '../../ports/polling-store.ts'
import { type PutOff, type Readers, type ReadResult, readerOf } from '../../ports/reader.ts'
import type { Store } from '../../ports/store.ts'
import type { Holds } from '../coordination/host-leases.ts'
import type { OnTheWay } from '../coordination/redirect-lease.ts'
import { logHostEvents } from '../hosts/host-events.ts'
import { closeLane } from '../lanes/close-lane.ts'
import type { OutageWatch } from '../outage/outage-watch.ts'
import type { PollVisit } from '../visit/visit.ts'
import { type EffectRules, effectsOf, readAgainIfChanged } from './outcome-effects.ts'
import { logPoll } from './poll-log.ts'
import type { PollOutcome } from './poll-outcome.ts'

/** New posts that one transaction takes at most; what is beyond goes ahead of it, oldest first. */
const POSTS_PER_TRANSACTION = 1000

export interface PollDeps {
  readonly clock: Clock
  readonly log: Log
  readonly store: Store
  readonly types: Pick<SourceTypes, 'of' | 'recognising' | 'services'>
  readonly readers: Readers
  readonly rules: SourceConfig
  readonly sameDomain: (a: string, b: string) => boolean
  readonly urlKeyOf: (url: string) => string
  readonly outage: Pick<OutageWatch, 'tell' | 'mayDisable' | 'counts'>
  readonly holds: Pick<Holds, 'isShared'>
}

export type PollResult =
  | { readonly kind: 'recorded'; readonly record: PollRecord; readonly source: Source }
  | { readonly kind: 'source-changed' | 'source-gone' | 'overtaken' | 'aborted' }
  | ({ readonly kind: 'put-off' } & PutOff)

/** An outcome with what it found: what is written if the source is still what was polled. */
interface Findings {
  readonly outcome: PollOutcome
  readonly posts: readonly Candidate[]
  readonly tombstones: readonly KnownEntry[]
  readonly candidates: readonly Candidate[] | null
}

interface PollInHand {
  readonly trigger: Trigger
  readonly startedAt: number
  readonly visit: PollVisit
  readonly way: Pick<OnTheWay, 'asPlanned'>
  /** What went ahead of the last transaction: it stays, whatever becomes of the rest, and is told of with it. */
  readonly ahead: { offered: number; stored: number }
}

/** How the writing ended, for those who tell of it. */
interface Recorded {
  readonly result: PollResult
  readonly outcome: PollOutcome
  readonly events: readonly NewEvent[]
  readonly counted: boolean
}

export async function pollSource(
  deps: PollDeps,
  source: Source,
  trigger: Trigger,
  visit: PollVisit,
  way: Pick<OnTheWay, 'asPlanned'>,
): Promise<PollResult> {
  const startedAt = deps.clock.now()
  const read = await readSafely(deps, source, visit)
  if (read.kind === 'ended' && read.by.kind === 'aborted') return { kind: 'aborted' }
  if (read.kind === 'ended' && read.by.kind === 'put-off') return read.by
  const poll = { trigger, startedAt, visit, way, ahead: { offered: 0, stored: 0 } }
  const { result, outcome, events, counted } = await findingsOf(deps, source, read, startedAt)
    .then((findings) => record(deps, source, findings, poll))
    // What this document did to us must not be asked for again at every tick: a failure, so that it backs off.
    .catch((error: unknown) => record(deps, source, failedHere(deps, source, unlessAway(error)), poll))
  if (result.kind === 'recorded') {
    logHostEvents(deps.log, events)
    const disabled = events.some(({ type }) => type === 'source.disabled')
    logPoll(deps.log, result.source, result.record, outcome, { counted, disabled })
  } else if (outcome.kind === 'failure' && outcome.answer) {
    await closeLane(deps, visit.visited?.lane ?? NULL_LANE, outcome.answer)
  }
  return result
}

/** A reader's bug fails its own source, in words, and nobody else's. */
async function readSafely(deps: PollDeps, source: Source, visit: PollVisit): Promise<ReadResult> {
  try {
    const read = await visit.unlessGivenUp(readerOf(deps.readers, source.type).read(source, visit))
    return read === 'aborted' ? { kind: 'ended', by: { kind: 'aborted' } } : read
  } catch (error) {
    return { kind: 'impossible', failure: faultHere(deps, source, unlessAway(error)) }
  }
}

/** That the database cannot be reached is no fault of a source: nothing is told of this poll, and it stays due. */
function unlessAway(error: unknown): unknown {
  if (isStoreAway(error)) throw error
  return error
}

/** A connection may be lost at any time, and the next one is there at once. Twice is once: the first gave the host back. */
async function againIfAway<T>(write: () => Promise<T>): Promise<T> {
  return write().catch((error: unknown) => {
    if (isStoreAway(error)) return write()
    throw error
  })
}

function faultHere(deps: PollDeps, source: Source, error: unknown): Failure {
  deps.log.error({ err: error, url: source.url }, `[Polling] ${source.url} could not be polled because of a fault here`)
  const reason = `unexpected error: ${error instanceof Error ? error.message : String(error)}`
  return { code: 'unexpected', httpStatus: null, reason }
}

async function findingsOf(deps: PollDeps, source: Source, read: ReadResult, startedAt: number): Promise<Findings> {
  switch (read.kind) {
    case 'document':
      return chosenFrom(deps, source, read, startedAt)
    case 'unchanged':
      return nothingNew({
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
      return nothingNew({ kind: 'failure', failure: read.failure, answer: read.answer })
    case 'impossible':
      return nothingNew({ kind: 'failure', failure: read.failure, answer: null })
    case 'ended':
      return nothingNew(failedVisit(read.by))
  }
}

function failedVisit(by: Extract<ReadResult, { kind: 'ended' }>['by']): PollOutcome {
  if (by.kind === 'status') return { kind: 'failure', failure: by.failure, answer: by }
  const failure: Failure =
    by.kind === 'failed'
      ? by.failure
      : { code: 'unexpected', httpStatus: null, reason: `the visit ended without an answer (${by.kind})` }
  return { kind: 'failure', failure, answer: null }
}

function failedHere(deps: PollDeps, source: Source, error: unknown): Findings {
  return nothingNew({ kind: 'failure', failure: faultHere(deps, source, error), answer: null })
}

function nothingNew(outcome: PollOutcome): Findings {
  return { outcome, posts: [], tombstones: [], candidates: null }
}

async function chosenFrom(
  deps: PollDeps,
  source: Source,
  read: Extract<ReadResult, { kind: 'document' }>,
  startedAt: number,
): Promise<Findings> {
  const { candidates } = read
  const podcast = await deps.store.getPodcast(source.podcastId)
  const known = await deps.store.knownEntries(source.id, {
    guids: [...new Set(candidates.flatMap((candidate) => candidate.guid ?? []))],
    hashes: [...new Set(candidates.map((candidate) => candidate.contentHash))],
    urls: [...new Set(candidates.map((candidate) => candidate.url))],
  })
  const chosen = choose(candidates, known, source, {
    newEntries: deps.types.of(source.type).newEntries,
    maxArticleAgeDays: podcast?.maxArticleAgeDays ?? deps.rules.maxArticleAgeDays,
    lateArrivalHours: deps.rules.lateArrivalHours,
    startedAt,
  })
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
    },
  }
  return { outcome, posts: chosen.posts, tombstones: chosen.tombstones, candidates }
}

function countByRule(rules: readonly SkipRule[]): SkipCounts {
  const counts = { ...NOTHING_SKIPPED }
  for (const rule of rules) counts[rule]++
  return counts
}

async function record(deps: PollDeps, source: Source, findings: Findings, poll: PollInHand): Promise<Recorded> {
  const { store, clock } = deps
  const { visit, ahead } = poll
  const { outcome } = findings
  const changed = await storeAhead(deps, source, findings.posts, poll)
  if (changed !== null) return { result: { kind: changed }, outcome, events: [], counted: false }
  const finishedAt = clock.now()
  const lane = laneOrNull(visit.visited?.lane)
  const result = resultOf(outcome, lane)
  // Heard before it is written: what the run has to give back is known by then.
  if (lane !== null) await deps.outage.tell({ lane, result, at: finishedAt, source })
  const { wireBytes, visited, keptFrom, tally } = visit
  const facts = { ...poll, finishedAt, wireBytes, visited, keptFrom, tally }
  let effects: PollEffects | null = null
  let counted = true
  const write: PollWrite = {
    sourceId: source.id,
    version: source.version,
    posts: findings.posts.slice(ahead.offered),
    tombstones: findings.tombstones,
    carried: carriedBy(findings.candidates),
    at: finishedAt,
    lane: lane ?? keptFrom,
    leasedBy: visit.leasedBy,
    ...(deps.holds.isShared && isAsPlanned(poll, lane) && { lastPolled: source.lastPolled }),
    moveTo: moveTargetOf(deps, outcome),
    countLane: outcome.kind === 'failure' && speaksOfHost(outcome.failure),
    decide: (now) => {
      const moment = { ...now, source: poll.way.asPlanned(now.source) }
      const created = moment.created + ahead.stored
      const lostToDuplicates = moment.lostToDuplicates + ahead.offered - ahead.stored
      // The outage is asked here, in the transaction: what is written after it was judged is not counted.
      const isExtra = poll.trigger === 'probe' && (moment.source.nextPollAt ?? finishedAt) > poll.startedAt
      counted = deps.outage.counts(result, isExtra)
      const judged = { mayDisable: deps.outage.mayDisable(result), counts: counted }
      const rules = { ...effectRules(deps), ...judged, targetTaken: moment.moveTaken }
      effects = effectsOf(
        readAgainIfChanged(outcome, source, moment.source),
        facts,
        { ...moment, created, lostToDuplicates },
        rules,
      )
      return effects
    },
  }
  const written = await (visit.leasedBy === null ? store.recordPoll(write) : againIfAway(() => store.recordPoll(write)))
  return { result: written, outcome, events: (effects as PollEffects | null)?.events ?? [], counted }
}

/** A plan is carried out once, also where its lane was given up on the way, and a probe that held no host counts once. */
function isAsPlanned({ trigger }: PollInHand, lane: string | null): boolean {
  return trigger === 'tick' || (trigger === 'probe' && lane === null)
}

/** What asked nobody, for want of a key, say, got no further than what failed on the way out. */
function resultOf(outcome: PollOutcome, lane: string | null): HostOutcome['result'] {
  if (outcome.kind === 'success') return 'success'
  return lane === null || failedOnTheWayOut(outcome.failure) ? 'way-out' : 'other'
}

/** Slices before the last one: each its own transaction, so that nobody waits for thousands of rows. */
async function storeAhead(
  deps: PollDeps,
  source: Source,
  posts: readonly Candidate[],
  { ahead, visit }: PollInHand,
): Promise<Exclude<PollWritten['kind'], 'recorded'> | null> {
  const held = { lane: laneOrNull(visit.visited?.lane), leasedBy: visit.leasedBy }
  while (posts.length - ahead.offered > POSTS_PER_TRANSACTION) {
    const slice = posts.slice(ahead.offered, ahead.offered + POSTS_PER_TRANSACTION)
    const added = await deps.store.addPosts(source.id, source.version, slice, deps.clock.now(), held)
    if (typeof added === 'string') return added
    ahead.offered += slice.length
    ahead.stored += added
  }
  return null
}

function carriedBy(candidates: readonly Candidate[] | null): { guids: Set<string>; hashes: Set<string> } | null {
  if (candidates === null) return null
  return {
    guids: new Set(candidates.flatMap((candidate) => candidate.guid ?? [])),
    hashes: new Set(candidates.map((candidate) => candidate.contentHash)),
  }
}

/** The key of the URL that a permanent redirect leads to: looked up in the transaction that may take it over. */
function moveTargetOf(deps: PollDeps, outcome: PollOutcome): string | null {
  const target = outcome.kind === 'success' ? permanentTarget(outcome.answer.trail) : null
  return target === null ? null : deps.urlKeyOf(target)
}

function effectRules(deps: PollDeps): Omit<EffectRules, 'mayDisable' | 'counts' | 'targetTaken'> {
  return {
    maxBackoffHours: deps.rules.maxBackoffHours,
    maxFailures: deps.rules.maxFailures,
    breaker: deps.rules.breaker,
    sameDomain: deps.sameDomain,
    urlKeyOf: deps.urlKeyOf,
  }
}
