// Why a source was or was not polled, and when it will be: one code, one instant, one true sentence.
// The binding reason is the one that holds longest: the source's own plan, or what belongs to its host.
import type { HostState } from './host.ts'
import { type BackoffLimits, planWithReason } from './schedule.ts'
import type { Source } from './source.ts'
import { closedUntil, spacingEndsAt } from './spacing.ts'

export type WhyCode =
  | 'disabled'
  | 'in-flight'
  | 'no-plan'
  | 'outage'
  | 'breaker-open'
  | 'lane-closed'
  | 'spacing'
  | 'lane-busy'
  | 'due'
  | 'backing-off'
  | 'fresh'
  | 'retry-after'
  | 'not-due'

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
  /** Due sources of the same lane, this one included. */
  readonly dueInLane: number
  readonly laneAtWork: boolean
  readonly outageSince: number | null
  readonly nextTickAt: number | null
}

const iso = (at: number): string => new Date(at).toISOString()

export function explain(source: Source, now: Circumstances): Explanation {
  const due = source.enabled && source.nextPollAt !== null && source.nextPollAt <= now.now
  const say = (code: WhyCode, expectedAt: number | null, sentence: string): Explanation => ({
    due,
    nextPollAt: source.nextPollAt,
    expectedAt,
    code,
    sentence,
  })
  if (now.inFlight) return say('in-flight', now.now, 'It is being polled now.')
  if (!source.enabled) {
    return say(
      'disabled',
      null,
      `Not polled: disabled (${source.disabledReason ?? 'by a person'}). Enable it to go on.`,
    )
  }
  if (source.nextPollAt === null) {
    return say('no-plan', now.nextTickAt, 'Not polled yet: the next tick plans its first poll.')
  }
  const ready = Math.max(source.nextPollAt, now.now)
  return byHost(source, now, ready, say) ?? (due ? waiting(now, ready, say) : byPlan(source, now, say))
}

type Say = (code: WhyCode, expectedAt: number | null, sentence: string) => Explanation

/** Reasons of the host, where they last longer than the source's own plan. */
function byHost(
  source: Source,
  { host, now, outageSince }: Circumstances,
  ready: number,
  say: Say,
): Explanation | null {
  if (outageSince !== null) {
    return say(
      'outage',
      null,
      `Not polled: our own connection seems down since ${iso(outageSince)}; polling resumes by itself.`,
    )
  }
  if (!host) return null
  const name = source.host ?? source.lane
  const { breaker } = host
  if (breaker.state !== 'closed') {
    const since = breaker.since === null ? '' : ` since ${iso(breaker.since)}`
    const probe = breaker.probeAt === null ? '' : `, next try at ${iso(breaker.probeAt)}`
    const sentence = `Not polled: ${name} fails for its sources${since}, so all of them wait${probe}.`
    return say('breaker-open', breaker.probeAt === null ? null : Math.max(breaker.probeAt, ready), sentence)
  }
  const closed = closedUntil(host, now)
  if (closed !== null && closed > ready) {
    const because = host.closedReason ? ` (${host.closedReason})` : ''
    return say('lane-closed', closed, `Not polled: ${name} asked to be left alone until ${iso(closed)}${because}.`)
  }
  const spaced = spacingEndsAt(host, now)
  if (ready <= now && spaced > ready) {
    return say('spacing', spaced, `Due: waiting until ${iso(spaced)}, because ${name} was visited a moment ago.`)
  }
  return null
}

function waiting({ dueInLane, laneAtWork, nextTickAt, now }: Circumstances, ready: number, say: Say): Explanation {
  const ahead = Math.max(0, dueInLane - 1)
  if (laneAtWork && ahead > 0) {
    return say(
      'lane-busy',
      ready,
      `Due: waiting its turn among ${ahead} other due ${ahead === 1 ? 'source' : 'sources'} of its host.`,
    )
  }
  return say('due', nextTickAt === null ? ready : Math.max(now, nextTickAt), 'Due: the next tick polls it.')
}

function byPlan(source: Source, { limits, now }: Circumstances, say: Say): Explanation {
  const at = source.nextPollAt ?? now
  const next = `next at ${iso(at)}`
  const reason = planWithReason(source, limits, now)?.reason
  if (reason === 'backoff' || (reason === 'retry-after' && source.consecutiveFailures > 0)) {
    const failures = `${source.consecutiveFailures} ${source.consecutiveFailures === 1 ? 'failure' : 'failures'}`
    const asked = reason === 'retry-after' ? ' and a Retry-After' : ''
    const code = reason === 'retry-after' ? 'retry-after' : 'backing-off'
    return say(
      code,
      at,
      `Not polled: backing off after ${failures}${asked} (${source.lastFailureReason ?? 'unknown'}), ${next}.`,
    )
  }
  if (reason === 'retry-after')
    return say('retry-after', at, `Not polled: put off until its host can be asked, ${next}.`)
  if (reason === 'freshness')
    return say('fresh', at, `Not polled: the server says that what we have stays fresh, ${next}.`)
  const last = source.lastSucceededAt === null ? 'Not polled yet' : `Last polled well at ${iso(source.lastSucceededAt)}`
  return say('not-due', at, `${last}, every ${source.pollIntervalMinutes} minutes, ${next}.`)
}
