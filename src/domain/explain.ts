// Why a source was or was not polled, and when it will be: one stable code, one instant, one true sentence.
// The binding reason is the one that holds longest: the source's own plan, or what belongs to its host. What nobody
// can know (how long an outage lasts, whether a probe succeeds) has no instant, or the earliest that is possible.
import type { HostState } from './host.ts'
import { type BackoffLimits, planWithReason } from './schedule.ts'
import type { Source } from './source.ts'
import { closedUntil, spacingEndsAt } from './spacing.ts'

export const WHY_CODES = [
  'in-flight',
  'disabled',
  'no-plan',
  'outage',
  'breaker-open',
  'lane-closed',
  'lane-busy',
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
  readonly limits: BackoffLimits
  readonly inFlight: boolean
  /** Due sources of the same lane that come before this one. */
  readonly aheadInLane: number
  readonly laneAtWork: boolean
  /** Between two visits of the lane. */
  readonly delayMs: number
  readonly outageSince: number | null
  readonly nextTickAt: number | null
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
  if (!source.enabled) {
    const reason = source.disabledReason ?? 'by a person'
    return say('disabled', null, `Not polled: disabled (${reason}). Enable it to go on.`)
  }
  return (
    byOutage(now, say) ??
    (source.nextPollAt === null
      ? say('no-plan', now.nextTickAt, 'Not polled yet: the next tick plans its first poll.')
      : planned(source, source.nextPollAt, now, say))
  )
}

function byOutage({ outageSince }: Circumstances, say: Say): Explanation | null {
  if (outageSince === null) return null
  const since = iso(outageSince)
  return say('outage', null, `Not polled: our own connection seems down since ${since}; polling resumes by itself.`)
}

function planned(source: Source, at: number, now: Circumstances, say: Say): Explanation {
  const ready = Math.max(at, now.now)
  return byHost(source, now, ready, say) ?? (at <= now.now ? inLane(source, now, say) : byPlan(source, at, now, say))
}

/** What belongs to the host and holds longer than the source's own plan. */
function byHost(source: Source, { host, now }: Circumstances, ready: number, say: Say): Explanation | null {
  if (!host) return null
  const name = source.host ?? source.lane
  const { breaker } = host
  if (breaker.state !== 'closed') {
    const since = breaker.since === null ? '' : ` since ${iso(breaker.since)}`
    const isOut = breaker.state === 'half-open'
    const probe = isOut
      ? ', one is being tried now'
      : breaker.probeAt === null
        ? ''
        : `, next try at ${iso(breaker.probeAt)}`
    const sentence = `Not polled: ${name} fails for its sources${since}, so all of them wait${probe}.`
    return say('breaker-open', breaker.probeAt === null ? null : Math.max(breaker.probeAt, ready), sentence)
  }
  const closed = closedUntil(host, now)
  if (closed === null || closed <= ready) return null
  const because = host.closedReason ? ` (it ${host.closedReason})` : ''
  return say('lane-closed', closed, `Not polled: ${name} asked to be left alone until ${iso(closed)}${because}.`)
}

/** Due, and nothing holds the lane but the lane itself. */
function inLane(source: Source, circumstances: Circumstances, say: Say): Explanation {
  const { host, now, aheadInLane: ahead, laneAtWork, delayMs, nextTickAt } = circumstances
  const name = source.host ?? source.lane
  const free = host ? spacingEndsAt(host, now) : now
  // A lane that rests is woken by the next tick.
  const start = laneAtWork || nextTickAt === null ? free : Math.max(free, nextTickAt)
  const expected = start + ahead * delayMs
  if (ahead > 0) {
    const others = ahead === 1 ? 'one other source' : `${ahead} other sources`
    return say('lane-busy', expected, `Due: waiting its turn behind ${others} of ${name}, at about ${iso(expected)}.`)
  }
  if (laneAtWork) return say('lane-busy', expected, `Due: ${name} is being visited for another source; it comes next.`)
  if (free > now) {
    return say('spacing', expected, `Due: waiting until ${iso(free)}, because ${name} was visited a moment ago.`)
  }
  return say('due', expected, 'Due: the next tick polls it.')
}

function byPlan(source: Source, at: number, { limits, now }: Circumstances, say: Say): Explanation {
  const next = `next at ${iso(at)}`
  const reason = planWithReason(source, limits, now)?.reason
  const { consecutiveFailures: count, lastFailureReason } = source
  if (count > 0 && source.permanentRun.at(-1) === 'missing-key') {
    const remedy = 'storing one has it polled at once'
    return say('missing-key', at, `Not polled: its owner has no X API key (${remedy}), ${next}.`)
  }
  if (count > 0) {
    const failures = `${count} ${count === 1 ? 'failure' : 'failures'}`
    const because = `after ${failures} in a row (${lastFailureReason ?? 'unknown'})`
    if (reason !== 'retry-after') return say('backing-off', at, `Not polled: backing off ${because}, ${next}.`)
    return say('retry-after', at, `Not polled: asked to come back later, ${because}, ${next}.`)
  }
  if (reason === 'retry-after') {
    return say('retry-after', at, `Not polled: put off until the host it leads to can be asked, ${next}.`)
  }
  if (reason === 'freshness') {
    return say('fresh', at, `Not polled: the server says that what we have stays fresh, ${next}.`)
  }
  const last = source.lastSucceededAt === null ? 'Not polled yet' : `Last polled well at ${iso(source.lastSucceededAt)}`
  return say('not-due', at, `${last}, every ${source.pollIntervalMinutes} minutes, ${next}.`)
}
