// What one attempt does to the source, its host, the record and the event rows: rules put together, nothing else.
// Called inside the transaction that writes it, with the rows as they are then.
import type { NewEvent } from '../../domain/event.ts'
import { freshUntil } from '../../domain/freshness.ts'
import { afterFailure, afterSuccess } from '../../domain/health.ts'
import { type HostState, hostOf, ledTo } from '../../domain/host.ts'
import { afterGoodPoll, mayMove, permanentTarget } from '../../domain/moved.ts'
import { classOf, NOTHING_SKIPPED, type PollRecord, type Trigger } from '../../domain/outcome.ts'
import type { VisitTally } from '../../domain/politeness.ts'
import { planNextPoll } from '../../domain/schedule.ts'
import type { Source } from '../../domain/source.ts'
import { retryHint } from '../../domain/throttle.ts'
import type { LaneCrowd } from '../../ports/host-store.ts'
import type { PollEffects } from '../../ports/polling-store.ts'
import type { SourceChange } from '../../ports/source-store.ts'
import { type HostEffects, type HostRules, hostEffects, keptEffects, NO_HOST_EFFECTS } from '../hosts/host-effects.ts'
import type { Visited } from '../visit/visit.ts'
import type { Attempt } from './attempt.ts'

export interface EffectRules extends HostRules {
  readonly maxFailures: number
  readonly mayDisable: boolean
  readonly sameDomain: (a: string, b: string) => boolean
  readonly urlKeyOf: (url: string) => string
  /** Whether another source of the podcast has the redirect's target as its URL. */
  readonly targetTaken: boolean
}

export interface Written {
  readonly source: Source
  readonly host: HostState | null
  readonly crowd: LaneCrowd | null
  /** Stored in earlier slices and in this transaction. */
  readonly created: number
  readonly lostToDuplicates: number
}

export interface PollFacts {
  readonly trigger: Trigger
  readonly startedAt: number
  readonly finishedAt: number
  readonly wireBytes: number
  readonly visited: Visited | null
  readonly keptFrom: string | null
  readonly tally: VisitTally | null
}

/** What was chosen by settings that a person has changed meanwhile is chosen again from the next document, same or not. */
export function readAgainIfChanged(attempt: Attempt, polled: Source, now: Source): Attempt {
  const same =
    polled.categoryFilter === now.categoryFilter &&
    polled.backfillDays === now.backfillDays &&
    polled.podcastId === now.podcastId
  if (same || attempt.kind === 'failure') return attempt
  const answer = { ...attempt.answer, validators: { etag: null, lastModified: null } }
  return { ...attempt, answer, learned: attempt.learned && { ...attempt.learned, bodyHash: null } }
}

export function effectsOf(attempt: Attempt, facts: PollFacts, written: Written, rules: EffectRules): PollEffects {
  const { source } = written
  const { finishedAt: now } = facts
  const set = sourceEffects(attempt, facts, source, rules)
  const record = recordOf(attempt, facts, written)
  const host = effectsOnHost(attempt, facts, written, rules)
  return { ...host, source: set, record, events: [...eventsOf(source, set, record, now), ...host.events] }
}

function effectsOnHost(attempt: Attempt, facts: PollFacts, written: Written, rules: EffectRules): HostEffects {
  const { finishedAt: now, visited, keptFrom, tally } = facts
  if (visited) return hostEffects(attempt, { visited, tally }, written, rules, now)
  return keptFrom === null ? NO_HOST_EFFECTS : keptEffects(attempt, now)
}

function sourceEffects(attempt: Attempt, facts: PollFacts, source: Source, rules: EffectRules): SourceChange {
  const { finishedAt: now } = facts
  // Our own outage: the source is left as it is.
  if (!rules.counts) return {}
  const changed = attempt.kind === 'success' ? good(attempt, source, now, rules) : bad(attempt, source, now, rules)
  const planned = { ...source, ...changed, lastPolled: now }
  return { ...changed, ...whereItLed(facts, planned), lastPolled: now, nextPollAt: planNextPoll(planned, rules, now) }
}

/** What asked nobody, now or before, tells nothing of it. */
function whereItLed({ visited, keptFrom }: PollFacts, { lane }: Pick<Source, 'lane'>): SourceChange {
  const ended = visited?.lane ?? keptFrom
  return ended === null ? {} : { leadsTo: ledTo(ended, lane) }
}

function good(
  attempt: Extract<Attempt, { kind: 'success' }>,
  source: Source,
  now: number,
  rules: EffectRules,
): SourceChange {
  const { answer, learned } = attempt
  // What was not read again says what it said before.
  const feedFreshness = learned ? attempt.freshness : source.feedFreshness
  const normal = planNextPoll(
    { ...source, ...afterSuccess(source), lastPolled: now, freshUntil: null, retryAt: null },
    rules,
    now,
  )
  const fresh = freshUntil({ now, headers: answer.headers, feed: feedFreshness, plannedAt: normal ?? now })
  const redirect = afterGoodPoll(source.redirect, permanentTarget(answer.trail))
  return {
    ...afterSuccess(source),
    lastSucceededAt: now,
    feedFreshness,
    freshUntil: fresh?.until ?? null,
    retryAt: null,
    redirect,
    // A 304 carries those it was asked with, refreshed; a 200 replaces them.
    validators: answer.validators,
    ...(learned && { lastSeenId: learned.lastSeenId, bodyHash: learned.bodyHash }),
    ...(learned?.feedUrl !== undefined && asksAt(learned.feedUrl)),
    ...moveTo(source, redirect, rules),
  }
}

/** Found behind the page that the source names: from now on the feed is asked, in the lane of its host. */
function asksAt(feedUrl: string): SourceChange {
  const host = hostOf(feedUrl)
  return host === null ? { feedUrl } : { feedUrl, host, lane: host }
}

function moveTo(source: Source, redirect: Source['redirect'], rules: EffectRules): SourceChange {
  if (source.feedUrl !== null || rules.targetTaken || !mayMove(source, redirect, rules.sameDomain)) return {}
  const host = hostOf(redirect.url)
  if (host === null) return {}
  return { url: redirect.url, urlKey: rules.urlKeyOf(redirect.url), host, lane: host, redirect: null }
}

function bad(
  attempt: Extract<Attempt, { kind: 'failure' }>,
  source: Source,
  now: number,
  rules: EffectRules,
): SourceChange {
  const hint = attempt.answer
    ? retryHint({ now, status: attempt.answer.status, headers: attempt.answer.headers })
    : null
  return { ...afterFailure(source, attempt.failure, rules), freshUntil: null, retryAt: hint }
}

function recordOf(
  attempt: Attempt,
  facts: PollFacts,
  { source, created, lostToDuplicates }: Written,
): Omit<PollRecord, 'id'> {
  const common = {
    sourceId: source.id,
    startedAt: facts.startedAt,
    durationMs: Math.max(0, facts.finishedAt - facts.startedAt),
    trigger: facts.trigger,
    bytes: facts.wireBytes,
    created,
  }
  if (attempt.kind === 'failure') {
    return {
      ...common,
      outcome: classOf(attempt.failure),
      httpStatus: attempt.failure.httpStatus ?? attempt.answer?.status ?? null,
      notModified: false,
      // Those that were stored before a fault here came in between.
      found: created,
      skipped: NOTHING_SKIPPED,
      reason: attempt.failure.reason,
    }
  }
  return {
    ...common,
    outcome: 'success',
    httpStatus: attempt.answer.status,
    notModified: attempt.notModified,
    found: attempt.found,
    skipped: { ...attempt.skipped, duplicate: attempt.skipped.duplicate + lostToDuplicates },
    reason: attempt.notes.length > 0 ? attempt.notes.join('; ') : null,
  }
}

function eventsOf(source: Source, set: SourceChange, record: Omit<PollRecord, 'id'>, at: number): readonly NewEvent[] {
  const url = set.url ?? source.url
  const about = { at, userId: source.userId, podcastId: source.podcastId, sourceId: source.id, host: source.host }
  const events: NewEvent[] = [
    {
      ...about,
      type: 'poll.finished',
      data: {
        url,
        type: source.type,
        outcome: record.outcome,
        httpStatus: record.httpStatus,
        notModified: record.notModified,
        created: record.created,
        skipped: record.skipped,
        bytes: record.bytes,
        durationMs: record.durationMs,
        lagMs:
          record.trigger === 'tick' ? Math.max(0, record.startedAt - (source.nextPollAt ?? record.startedAt)) : null,
        trigger: record.trigger,
        reason: record.reason,
      },
    },
  ]
  if (record.created > 0) events.push({ ...about, type: 'posts.created', data: { url, count: record.created } })
  if (source.enabled && set.enabled === false) {
    events.push({ ...about, type: 'source.disabled', data: { url, reason: set.disabledReason ?? null } })
  }
  if (set.url !== undefined) events.push({ ...about, type: 'source.moved', data: { url, from: source.url } })
  return events
}
