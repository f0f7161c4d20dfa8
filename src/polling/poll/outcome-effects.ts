// What one outcome does to the source, its host, the record and the event rows: it only calls the rules.
// Called inside the transaction that writes it, with the rows as they are then.

import { hostOf } from '../../domain/address.ts'
import { type NewEvent, sourceEnabled } from '../../domain/event.ts'
import { freshUntil } from '../../domain/freshness.ts'
import { afterFailure, afterSuccess, GOOD_HEALTH } from '../../domain/health.ts'
import type { HostState } from '../../domain/host.ts'
import { laneLedTo } from '../../domain/lane.ts'
import type { AdaptiveBounds } from '../../domain/learned-interval.ts'
import { afterGoodPoll, mayMove, permanentTarget } from '../../domain/moved.ts'
import { classOf, NOTHING_SKIPPED, type PollRecord, type Trigger } from '../../domain/outcome.ts'
import type { VisitTally } from '../../domain/politeness.ts'
import type { PublishingHistory } from '../../domain/rhythm.ts'
import { planNextPoll } from '../../domain/schedule.ts'
import type { Source } from '../../domain/source.ts'
import type { Storm } from '../../domain/storm.ts'
import { retryHint } from '../../domain/throttle.ts'
import type { LaneDependants } from '../../ports/host-store.ts'
import type { PollEffects } from '../../ports/polling-store.ts'
import type { SourceChange } from '../../ports/source-store.ts'
import { type HostEffects, type HostRules, hostEffects, keptEffects, NO_HOST_EFFECTS } from '../hosts/host-effects.ts'
import type { Visited } from '../visit/visit.ts'
import type { PollOutcome } from './poll-outcome.ts'
import { rhythmEffects, rhythmEvents } from './rhythm-effects.ts'

export interface EffectRules extends HostRules {
  readonly adaptive: AdaptiveBounds
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
  readonly dependants: LaneDependants | null
  readonly storm: Storm | null
  readonly history: PublishingHistory | null
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

/** If a person changed what entries are chosen by during the poll, the next document is read even if it is the same. */
export function readAgainIfChanged(outcome: PollOutcome, polled: Source, now: Source): PollOutcome {
  const same =
    polled.categoryFilter === now.categoryFilter &&
    polled.backfillDays === now.backfillDays &&
    polled.podcastId === now.podcastId
  if (same || outcome.kind === 'failure') return outcome
  const answer = { ...outcome.answer, validators: { etag: null, lastModified: null } }
  return { ...outcome, answer, learned: outcome.learned && { ...outcome.learned, bodyHash: null } }
}

export function effectsOf(outcome: PollOutcome, facts: PollFacts, written: Written, rules: EffectRules): PollEffects {
  const { source } = written
  const { finishedAt: now } = facts
  const set = sourceEffects(outcome, facts, written, rules)
  const record = recordOf(outcome, facts, written)
  const gap = outcome.kind === 'success' ? (outcome.learned?.gap ?? null) : null
  const host = effectsOnHost(outcome, facts, written, rules)
  return {
    ...host,
    source: set,
    record,
    events: [...eventsOf(source, set, record, now), ...rhythmEvents(source, set, gap, now), ...host.events],
  }
}

function effectsOnHost(outcome: PollOutcome, facts: PollFacts, written: Written, rules: EffectRules): HostEffects {
  const { finishedAt: now, visited, keptFrom, tally } = facts
  if (visited) return hostEffects(outcome, { visited, tally }, written, rules, now)
  return keptFrom === null ? NO_HOST_EFFECTS : keptEffects(outcome, now)
}

function sourceEffects(outcome: PollOutcome, facts: PollFacts, written: Written, rules: EffectRules): SourceChange {
  const { source } = written
  const { finishedAt: now } = facts
  // Our own outage: the source is left as it is.
  if (!rules.counts) return {}
  const changed =
    outcome.kind === 'success'
      ? { ...good(outcome, written, now, rules), ...enabledBy(facts, source) }
      : bad(outcome, source, now, rules)
  const planned = { ...source, ...changed, lastPolled: now }
  return {
    ...changed,
    ...whereItLed(facts, planned),
    lastPolled: now,
    isMadeDue: false,
    nextPollAt: planNextPoll(planned, rules, now),
  }
}

/** A disabled source is probed only to see whether it works again. A poll by hand enables nothing. */
function enabledBy({ trigger }: PollFacts, { enabled, disabledReason }: Source): SourceChange {
  return trigger === 'probe' && !enabled && disabledReason !== null ? { ...GOOD_HEALTH, enabled: true } : {}
}

/** A poll that asked nobody, and read no kept answer, does not know. */
function whereItLed({ visited, keptFrom }: PollFacts, { lane }: Pick<Source, 'lane'>): SourceChange {
  const ended = visited?.lane ?? keptFrom
  return ended === null ? {} : { leadsTo: laneLedTo(ended, lane) }
}

function good(
  outcome: Extract<PollOutcome, { kind: 'success' }>,
  written: Written,
  now: number,
  rules: EffectRules,
): SourceChange {
  const { source, created } = written
  const { answer, learned } = outcome
  const rhythm = rhythmEffects(written, learned?.publications ?? null, created, rules.adaptive, now)
  // A document that was not read again says what it said before.
  const feedFreshness = learned ? outcome.freshness : source.feedFreshness
  const normal = planNextPoll(
    { ...source, ...rhythm, ...afterSuccess(source), lastPolled: now, freshUntil: null, retryAt: null },
    rules,
    now,
  )
  const fresh = freshUntil({ now, headers: answer.headers, feed: feedFreshness, plannedAt: normal ?? now })
  const redirect = afterGoodPoll(source.redirect, permanentTarget(answer.trail))
  return {
    ...afterSuccess(source),
    ...rhythm,
    lastSucceededAt: now,
    feedFreshness,
    freshUntil: fresh?.until ?? null,
    retryAt: null,
    redirect,
    // A 304 carries those it was asked with, refreshed; a 200 replaces them.
    validators: answer.validators,
    ...(learned && {
      lastSeenId: learned.lastSeenId,
      choosesAsFirst: learned.choosesAsFirst ?? false,
      bodyHash: learned.bodyHash,
      ...learned.stated,
    }),
    ...(learned?.feedUrl !== undefined && asksAt(learned.feedUrl)),
    ...moveTo(source, redirect, rules),
  }
}

/** A feed was found behind the page: from now on the feed is asked, in the lane of its host. */
function asksAt(feedUrl: string): SourceChange {
  const host = hostOf(feedUrl)
  return host === null ? { feedUrl } : { feedUrl, host, lane: host }
}

function moveTo(source: Source, redirect: Source['redirect'], rules: EffectRules): SourceChange {
  if (source.feedUrl !== null || rules.targetTaken || !mayMove(source, redirect, rules.sameDomain)) return {}
  const host = hostOf(redirect.url)
  if (host === null) return {}
  const typedHost = source.typedHost ?? hostOf(source.url)
  return { url: redirect.url, urlKey: rules.urlKeyOf(redirect.url), host, lane: host, typedHost, redirect: null }
}

function bad(
  outcome: Extract<PollOutcome, { kind: 'failure' }>,
  source: Source,
  now: number,
  rules: EffectRules,
): SourceChange {
  const hint = outcome.answer
    ? retryHint({ now, status: outcome.answer.status, headers: outcome.answer.headers })
    : null
  const after = afterFailure(source, outcome.failure, rules)
  return {
    ...after,
    ...(after.lastFailureType === 'permanent' && { lastPermanentAt: now }),
    ...(source.enabled && !after.enabled && { autoDisabledAt: now }),
    freshUntil: null,
    retryAt: hint,
  }
}

function recordOf(
  outcome: PollOutcome,
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
  if (outcome.kind === 'failure') {
    return {
      ...common,
      outcome: classOf(outcome.failure),
      httpStatus: outcome.failure.httpStatus ?? outcome.answer?.status ?? null,
      notModified: false,
      // Posts that were stored before something failed here.
      found: created,
      skipped: NOTHING_SKIPPED,
      gap: false,
      reason: outcome.failure.reason,
    }
  }
  return {
    ...common,
    outcome: 'success',
    httpStatus: outcome.answer.status,
    notModified: outcome.notModified,
    found: outcome.found,
    skipped: { ...outcome.skipped, duplicate: outcome.skipped.duplicate + lostToDuplicates },
    gap: Boolean(outcome.learned?.gap),
    reason: outcome.notes.length > 0 ? outcome.notes.join('; ') : null,
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
        lane: source.lane || null,
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
  if (!source.enabled && set.enabled) events.push(sourceEnabled({ ...source, url }, at, 'it works again'))
  if (set.url !== undefined) events.push({ ...about, type: 'source.moved', data: { url, from: source.url } })
  return events
}
