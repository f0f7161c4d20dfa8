// How long a host is left alone after a request of a visit.
import { hostOf } from '../../domain/address.ts'
import { isNullLane, isOwnerLane, laneToAsk } from '../../domain/lane.ts'
import { atLeast, type VisitDelay } from '../../domain/owner-spacing.ts'
import type { Source } from '../../domain/source.ts'
import { configuredDelay, type DelayRules, resolveDelay } from '../../domain/spacing.ts'

const MOST_FOR_A_GUESS_SECONDS = 1

/** A service with a lane for each owner is one host to people and to overrides, wherever its API answers. */
export function hostAsked(url: string, { lane, host }: Pick<Source, 'lane' | 'host'>): string | null {
  if (isNullLane(laneToAsk(lane, url))) return null
  return isOwnerLane(lane) ? host : hostOf(url)
}

/**
 * Around a guess the host gets the spacing of pages, up to a second: nobody knows yet that the address is a feed, and
 * somebody waits for the result.
 */
export function delayAt(host: string | null, isGuess: boolean, source: Source, rules: DelayRules): VisitDelay {
  if (host === null) return { ownMs: null, othersMs: 0, type: null }
  const { type, pollDelaySeconds: own } = source
  const othersMs = configuredDelay(type, host, rules).seconds * 1000
  const delay = { ownMs: own === null ? null : own * 1000, othersMs, type }
  if (!isGuess) return delay
  const asPage = resolveDelay({ ...source, type: 'website' }, host, rules).seconds
  return atLeast(delay, Math.min(asPage, MOST_FOR_A_GUESS_SECONDS) * 1000)
}
