// How long a host is left alone after a request of a visit.
import { hostOf } from '../../domain/address.ts'
import { isNullLane, isOwnerLane, laneToAsk } from '../../domain/lane.ts'
import type { Source } from '../../domain/source.ts'
import { type DelayRules, resolveDelay } from '../../domain/spacing.ts'

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
export function delayMsAt(host: string | null, isGuess: boolean, source: Source, rules: DelayRules): number {
  const { seconds } = resolveDelay(source, host, rules)
  const asPage = isGuess ? resolveDelay({ ...source, type: 'website' }, host, rules).seconds : 0
  return Math.max(seconds, Math.min(asPage, MOST_FOR_A_GUESS_SECONDS)) * 1000
}
