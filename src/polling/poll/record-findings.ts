// Writes what a poll found, in one transaction; of thousands of new posts all but the last slice go ahead of it.
import { isOpenByStorm } from '../../domain/breaker.ts'
import { speaksOfHost } from '../../domain/breaker-window.ts'
import type { NewEvent } from '../../domain/event.ts'
import { laneOrNull } from '../../domain/lane.ts'
import { permanentTarget } from '../../domain/moved.ts'
import { failedOnTheWayOut, type HostOutcome } from '../../domain/outage-run.ts'
import { classOf, type Trigger } from '../../domain/outcome.ts'
import type { Candidate } from '../../domain/post.ts'
import type { Source } from '../../domain/source.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SourceConfig } from '../../ports/config.ts'
import type { CoordinatedPoll } from '../../ports/coordinator.ts'
import type { PollEffects, PollMoment, PollWrite, PollWritten } from '../../ports/polling-store.ts'
import type { Store } from '../../ports/store.ts'
import type { OutageWatch } from '../outage/outage-watch.ts'
import type { PollVisit } from '../visit/visit.ts'
import type { Findings } from './findings.ts'
import { type EffectRules, effectsOf, readAgainIfChanged } from './outcome-effects.ts'
import type { PollOutcome } from './poll-outcome.ts'

/** New posts that one transaction takes at most; what is beyond goes ahead of it, oldest first. */
const POSTS_PER_TRANSACTION = 1000

export interface RecordDeps {
  readonly clock: Clock
  readonly store: Pick<Store, 'addPosts'>
  readonly rules: SourceConfig
  readonly sameDomain: (a: string, b: string) => boolean
  readonly urlKeyOf: (url: string) => string
  readonly outage: Pick<OutageWatch, 'tell' | 'mayDisable' | 'counts'>
}

export interface PollInHand {
  readonly source: Source
  readonly trigger: Trigger
  readonly startedAt: number
  readonly visit: PollVisit
  readonly coordinated: CoordinatedPoll
  /** Posts that went ahead of the last transaction: they stay, whatever becomes of the rest, and are reported with it. */
  readonly ahead: { offered: number; stored: number }
}

/** How the writing ended, for those who report it. */
export interface Recorded {
  readonly result: PollWritten
  readonly outcome: PollOutcome
  readonly events: readonly NewEvent[]
  /** False: a failure of our own outage, which left the source as it was. */
  readonly counted: boolean
}

export async function recordFindings(deps: RecordDeps, poll: PollInHand, findings: Findings): Promise<Recorded> {
  const { source, visit, ahead } = poll
  const { outcome } = findings
  const refused = await storeAhead(deps, poll, findings.posts)
  if (refused !== null) return { result: { kind: refused }, outcome, events: [], counted: false }
  const finishedAt = deps.clock.now()
  const lane = laneOrNull(visit.visited?.lane)
  const result = resultOf(outcome, lane)
  // Before it is written: if this turns out to be our own outage, the rollback knows of this poll too.
  if (lane !== null) await deps.outage.tell({ lane, result, at: finishedAt, source })
  let effects: PollEffects | null = null
  let counted = true
  const write: PollWrite = {
    sourceId: source.id,
    version: source.version,
    posts: findings.posts.slice(ahead.offered),
    tombstones: findings.tombstones,
    carried: carriedBy(findings.candidates),
    at: finishedAt,
    lane: lane ?? visit.keptFrom,
    leasedBy: visit.leasedBy,
    asRead: { source, host: visit.leasedHost },
    moveTo: moveTargetOf(deps, outcome),
    countStorm: outcome.kind === 'failure' && classOf(outcome.failure) === 'permanent',
    countLane: outcome.kind === 'failure' && speaksOfHost(outcome.failure),
    decide: (moment) => {
      // The outage is asked here, in the transaction: what is written after it was judged is not counted.
      const isExtra = poll.trigger === 'probe' && (moment.source.nextPollAt ?? finishedAt) > poll.startedAt
      counted = deps.outage.counts(result, isExtra)
      const isStormy = moment.host !== null && isOpenByStorm(moment.host.breaker, deps.rules.breaker)
      const judged = { mayDisable: !isStormy && deps.outage.mayDisable(result), counts: counted }
      effects = decideEffects(deps, poll, outcome, moment, { finishedAt, judged })
      return effects
    },
  }
  const written = await poll.coordinated.record(write)
  return { result: written, outcome, events: (effects as PollEffects | null)?.events ?? [], counted }
}

function decideEffects(
  deps: RecordDeps,
  poll: PollInHand,
  outcome: PollOutcome,
  moment: PollMoment,
  { finishedAt, judged }: { finishedAt: number; judged: Pick<EffectRules, 'mayDisable' | 'counts'> },
): PollEffects {
  const { ahead, visit } = poll
  const { wireBytes, visited, keptFrom, tally } = visit
  const created = moment.created + ahead.stored
  const lostToDuplicates = moment.lostToDuplicates + ahead.offered - ahead.stored
  return effectsOf(
    readAgainIfChanged(outcome, poll.source, moment.source),
    { trigger: poll.trigger, startedAt: poll.startedAt, finishedAt, wireBytes, visited, keptFrom, tally },
    { ...moment, created, lostToDuplicates },
    { ...effectRules(deps), ...judged, targetTaken: moment.moveTaken },
  )
}

/** A poll that asked nobody, for want of a key, say, got no further than one that failed on the way out. */
function resultOf(outcome: PollOutcome, lane: string | null): HostOutcome['result'] {
  if (outcome.kind === 'success') return 'success'
  return lane === null || failedOnTheWayOut(outcome.failure) ? 'way-out' : 'other'
}

/** Slices before the last one: each its own transaction, so that nobody waits for thousands of rows. */
async function storeAhead(
  deps: RecordDeps,
  { source, ahead, visit }: PollInHand,
  posts: readonly Candidate[],
): Promise<Exclude<PollWritten['kind'], 'recorded'> | null> {
  const lease = { lane: laneOrNull(visit.visited?.lane), leasedBy: visit.leasedBy }
  while (posts.length - ahead.offered > POSTS_PER_TRANSACTION) {
    const slice = posts.slice(ahead.offered, ahead.offered + POSTS_PER_TRANSACTION)
    const added = await deps.store.addPosts(source.id, source.version, slice, deps.clock.now(), lease)
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
function moveTargetOf(deps: RecordDeps, outcome: PollOutcome): string | null {
  const target = outcome.kind === 'success' ? permanentTarget(outcome.answer.trail) : null
  return target === null ? null : deps.urlKeyOf(target)
}

function effectRules(deps: RecordDeps): Omit<EffectRules, 'mayDisable' | 'counts' | 'targetTaken'> {
  return {
    maxBackoffHours: deps.rules.maxBackoffHours,
    maxFailures: deps.rules.maxFailures,
    breaker: deps.rules.breaker,
    adaptive: deps.rules.adaptive,
    sameDomain: deps.sameDomain,
    urlKeyOf: deps.urlKeyOf,
  }
}
