// Why a source was or was not polled, and when it will be: one stable code, one instant, one true sentence.
// The binding reason is the one that holds longest: the source's own plan, or what belongs to its host. What nobody
// can know (how long an outage lasts, whether a probe succeeds) has no instant, or the earliest that is possible.
import type { HostState } from './host.ts'
import { isNullLane } from './lane.ts'
import { spacingEndsFor } from './owner-spacing.ts'
import { isLimited, limitEndsAt } from './request-limit.ts'
import { type BackoffLimits, intervalMinutes, planWithReason, recheckAt } from './schedule.ts'
import type { Source } from './source.ts'
import { closedUntil } from './spacing.ts'
import type { Waiting } from './x-posts-limit.ts'

export const WHY_CODES = [
  'in-flight',
  'disabled',
  'no-plan',
  'outage',
  'breaker-open',
  'lane-closed',
  'lane-busy',
  'request-limit',
  'spacing',
  'due',
  'missing-key',
  'backing-off',
  'retry-after',
  'fresh',
  'not-due',
] as const
export type WhyCode = (typeof WHY_CODES)[number]

export interface Explanation {
  readonly due: boolean
  readonly nextPollAt: number | null
  readonly expectedAt: number | null
  readonly code: WhyCode
  readonly sentence: string
}

export interface Circumstances {
  readonly now: number
  readonly host: HostState | null
  /** The other host that its last poll was sent on to. */
  readonly target: HostState | null
  /** Its reader puts it off, because of a limit of our own. */
  readonly waiting: Waiting | null
  readonly limits: BackoffLimits
  readonly recheckDisabledDays: number
  readonly inFlight: boolean
  /** A poll of it waits at the head of its lane: asked for by a person, or a probe. */
  readonly queued: boolean
  /** What comes before it in its lane and has not begun: polls at the head, and sources that are due longer. */
  readonly aheadInLane: number
  /** A visit is under way. */
  readonly laneAtWork: boolean
  /** Another process visits the host. For which source, only that process knows. */
  readonly visitedElsewhere: boolean
  /** At work, or waiting for its spacing to end: it goes on without a tick. */
  readonly laneAwake: boolean
  /** Between two visits of the lane. */
  readonly delayMs: number
  /** See request-limit.ts. */
  readonly hostRequestsPerMinute: number
  /** The breaker of its host, or else of its target, is open, and the next probe is made with this source, due or not. */
  readonly isNextProbe: boolean
  /** A person made it due: its poll is the next probe of an open breaker, whenever that was due. */
  readonly isMadeDue: boolean
  readonly outageSince: number | null
  readonly nextTickAt: number | null
  /** Of anybody who works on this store; `isLate`: so long ago that nobody seems to. */
  readonly lastTick: { readonly at: number | null; readonly isLate: boolean }
}

type Say = (code: WhyCode, expectedAt: number | null, sentence: string) => Explanation

const iso = (at: number): string => new Date(at).toISOString()

export function explain(source: Source, now: Circumstances): Explanation {
  const due = source.enabled && source.nextPollAt !== null && source.nextPollAt <= now.now
  const say: Say = (code, expectedAt, sentence) => ({
    due,
    nextPollAt: source.nextPollAt,
    expectedAt,
    code,
    sentence,
  })
  if (now.inFlight) return say('in-flight', now.now, 'It is being polled now.')
  // A poll that somebody asked for does not wait for plan, breaker or outage, and not for being enabled; only for its host.
  if (now.queued) return byClosing(source, now, now.now, say) ?? inLane(source, now, say)
  if (!source.enabled) {
    const reason = source.disabledReason ?? 'by a person'
    const again = recheckAt(source, now.recheckDisabledDays)
    const asked = again === null ? '' : ` It is asked again at ${iso(Math.max(again, now.now))}, in case it works.`
    const at = again === null ? null : Math.max(again, now.now)
    return say('disabled', at, `Not polled: disabled (${reason}). Enable it to go on.${asked}`)
  }
  return (
    byOutage(now, say) ??
    (source.nextPollAt === null ? unplanned(source, now, say) : planned(source, source.nextPollAt, now, say))
  )
}

/** In a few words, what a poll that somebody asked for waits for. */
export function reasonToWait(code: WhyCode, host: Pick<HostState, 'closedReason'> | null): string {
  if (code === 'lane-closed') return `its host asked to be left alone (${host?.closedReason ?? 'Retry-After'})`
  if (code === 'lane-busy') return 'it waits its turn in the lane of its host'
  if (code === 'request-limit') return 'it waits for the limit of requests a minute to its host'
  if (code === 'spacing') return 'it waits for the spacing of its host'
  return 'it is being polled'
}

function byOutage({ outageSince }: Circumstances, say: Say): Explanation | null {
  if (outageSince === null) return null
  const since = iso(outageSince)
  return say('outage', null, `Not polled: our own connection seems down since ${since}; polling resumes by itself.`)
}

function unplanned(source: Source, now: Circumstances, say: Say): Explanation {
  const noPlan = 'Not polled yet: the next tick plans its first poll.'
  return byHost(source, now, now.nextTickAt ?? now.now, say) ?? say('no-plan', now.nextTickAt, noPlan)
}

function planned(source: Source, at: number, now: Circumstances, say: Say): Explanation {
  const ready = Math.max(at, now.now)
  return byHost(source, now, ready, say) ?? (at <= now.now ? inLane(source, now, say) : byPlan(source, at, now, say))
}

/** What belongs to the host, or to the one it leads to, and holds longer than the source's own plan. */
function byHost(source: Source, circumstances: Circumstances, ready: number, say: Say): Explanation | null {
  const { host, target } = circumstances
  return (
    byLimit(circumstances, ready, say) ??
    byBreaker(host, nameOf(source), circumstances, ready, say) ??
    byBreaker(target, ledThere(target), circumstances, ready, say) ??
    byClosing(source, circumstances, ready, say) ??
    byTargetClosing(circumstances, ready, say)
  )
}

/** Put off until that very instant, the plan holds as long: the reason is still the limit. */
function byLimit({ waiting }: Circumstances, ready: number, say: Say): Explanation | null {
  if (waiting === null || waiting.until < ready) return null
  return say('retry-after', waiting.until, `Not polled until ${iso(waiting.until)}, because ${waiting.reason}.`)
}

function byBreaker(
  host: HostState | null,
  name: string,
  circumstances: Circumstances,
  ready: number,
  say: Say,
): Explanation | null {
  const { now } = circumstances
  if (!host || host.breaker.state === 'closed') return null
  const { state, since, probeAt } = host.breaker
  // A probe waits for the host's own word too.
  const isMadeDue = circumstances.isMadeDue && state === 'open'
  const due = isMadeDue ? (circumstances.nextTickAt ?? now) : (probeAt ?? now)
  const tryAt = Math.max(due, closedUntil(host, now) ?? now, now)
  const isProbe = isMadeDue || (circumstances.isNextProbe && state === 'open')
  const next = `next try at ${iso(tryAt)}${isProbe ? ' with this one' : ''}`
  const probe = state === 'half-open' ? 'one is being tried now' : next
  const began = since === null ? '' : ` since ${iso(since)}`
  const sentence = `Not polled: ${name} fails for its sources${began}, so all of them wait, ${probe}.`
  return say('breaker-open', isProbe ? tryAt : Math.max(tryAt, ready), sentence)
}

function byClosing(source: Source, { host, now }: Circumstances, ready: number, say: Say): Explanation | null {
  const closed = host && closedUntil(host, now)
  if (closed === null || closed <= ready) return null
  return say('lane-closed', closed, leftAlone(nameOf(source), closed, host?.closedReason ?? null))
}

/** Put off until that very instant, the plan holds as long: the reason is still the target's word. */
function byTargetClosing({ target, now }: Circumstances, ready: number, say: Say): Explanation | null {
  const closed = target && closedUntil(target, now)
  if (closed === null || closed < ready) return null
  return say('lane-closed', closed, leftAlone(ledThere(target), closed, target?.closedReason ?? null))
}

function leftAlone(name: string, until: number, reason: string | null): string {
  return `Not polled: ${name} asked to be left alone until ${iso(until)}${reason ? ` (it ${reason})` : ''}.`
}

function ledThere(target: HostState | null): string {
  return `it leads to ${target?.lane ?? 'another host'}, which`
}

function nameOf({ host, lane }: Source): string {
  return host ?? (isNullLane(lane) ? 'no host at all' : lane)
}

/** Due or asked for, and only waiting for its turn in the lane. */
function inLane(source: Source, circumstances: Circumstances, say: Say): Explanation {
  const { host, now, queued, aheadInLane: ahead, laneAtWork, visitedElsewhere } = circumstances
  const { laneAwake, delayMs, nextTickAt } = circumstances
  const name = nameOf(source)
  const what = queued ? 'Asked for' : 'Due'
  const spaced = host ? spacingEndsFor(host, source.userId, now) : now
  const limited = limitedUntil(source, circumstances, 0)
  const free = Math.max(spaced, limited)
  // A lane without work is woken by the next tick.
  const start = laneAwake || nextTickAt === null ? free : Math.max(free, nextTickAt)
  const expected = Math.max(start + ahead * delayMs, limitedUntil(source, circumstances, ahead))
  if (limited > spaced) {
    const limit = `sources of users without admin rights may ask ${name} ${times(circumstances.hostRequestsPerMinute)} a minute`
    return say('request-limit', expected, `${what}: waiting until about ${iso(expected)}, because ${limit}.`)
  }
  // The visit under way comes before it too, but `free` includes it. Another process visits for one that is still due.
  const before = ahead + (laneAtWork && !visitedElsewhere ? 1 : 0)
  if (visitedElsewhere && before === 0) {
    const whom = queued ? '' : ', most likely for this source'
    return say('lane-busy', expected, `${what}: another process is asking ${name} just now${whom}.`)
  }
  if (before > 0) {
    const others = before === 1 ? 'one other source' : `${before} other sources`
    const turn = `waiting its turn behind ${others} of ${name}, at about ${iso(expected)}`
    return say('lane-busy', expected, `${what}: ${turn}.`)
  }
  if (free > now) {
    const quota = host?.quotaUntil && host.quotaUntil >= free ? host.quotaReason : null
    const because = quota ?? 'was visited a moment ago'
    return say('spacing', expected, `${what}: waiting until ${iso(free)}, because ${name} ${because}.`)
  }
  return say('due', expected, `${what}: ${laneAwake ? 'it comes next' : withNextTick(circumstances)}.`)
}

/** `ahead`: so many others go first. */
function limitedUntil(source: Source, { host, now, hostRequestsPerMinute }: Circumstances, ahead: number): number {
  return isLimited(source) ? limitEndsAt(host?.limitedRequests ?? null, hostRequestsPerMinute, now, ahead) : now
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

/** Whoever asks may be in the only process on this store. */
function withNextTick({ lastTick: { at, isLate } }: Circumstances): string {
  if (!isLate) return 'the next tick polls it'
  const none = at === null ? 'none yet' : `none since ${iso(at)}`
  return `the next tick polls it, but there was ${none}, so no scheduler seems to run`
}

function byPlan(source: Source, at: number, { limits, now }: Circumstances, say: Say): Explanation {
  const next = `next at ${iso(at)}`
  const plan = planWithReason(source, limits, now)
  const reason = plan?.reason
  const { consecutiveFailures: count, lastFailureReason, leadsTo } = source
  // By its own rules it would be due: it was spread after a gap.
  if (plan && plan.at <= now && reason !== 'retry-after') {
    return say('not-due', at, `Not polled: after a gap in polling not everything goes at once, ${next}.`)
  }
  if (count > 0 && source.permanentRun.at(-1) === 'missing-key') {
    const remedy = 'run "tidings key set x", and it is polled at once'
    return say('missing-key', at, `No X API key yet: ${remedy}; otherwise ${next}.`)
  }
  // What the host that answered last asked for itself has closed its lane.
  if (reason === 'retry-after' && leadsTo !== null) {
    return say('retry-after', at, `Not polled: put off until ${leadsTo}, where it leads, can be asked, ${next}.`)
  }
  // Most likely a limit of its owner, which was raised since.
  if (reason === 'retry-after' && count === 0) {
    return say('retry-after', at, `Not polled: put off when it could not be asked, ${next}; poll it to go on at once.`)
  }
  if (count > 0) {
    const failures = `${count} ${count === 1 ? 'failure' : 'failures'}`
    const because = `after ${failures} in a row (${lastFailureReason ?? 'unknown'})`
    if (reason !== 'retry-after') return say('backing-off', at, `Not polled: backing off ${because}, ${next}.`)
    return say('retry-after', at, `Not polled: asked to come back later, ${because}, ${next}.`)
  }
  if (reason === 'freshness') {
    return say('fresh', at, `Not polled: the server says that what we have stays fresh, ${next}.`)
  }
  const last = source.lastSucceededAt === null ? 'Not polled yet' : `Last polled well at ${iso(source.lastSucceededAt)}`
  return say('not-due', at, `${last}${silence(source)}, ${rhythmWords(source)}, ${next}.`)
}

/** How often it is asked, and by whose word. */
function rhythmWords(source: Source): string {
  const minutes = intervalMinutes(source)
  const every = minutes === 1 ? 'every minute' : `every ${minutes} minutes`
  if (!source.adaptive) return every
  return source.learnedIntervalMinutes === null
    ? `${every} until its own rhythm is known`
    : `${every} as learned from its own rhythm`
}

function silence({ quietSince, rhythm }: Source): string {
  if (quietSince === null) return ''
  const last = rhythm?.lastPublishedAt ?? null
  const published = last === null ? '' : `, last published at ${iso(last)}`
  return ` but quiet since ${iso(quietSince)}${published}`
}
