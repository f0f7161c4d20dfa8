// What a row says about its source.
/** @import { SourceView } from './types.d.ts' */
import { address, time } from './element.js'

/**
 * @param {SourceView} source
 * @param {string | null} hostFreeAt when its host may be asked again; null when it may be asked now
 */
export function factsOf(source, hostFreeAt) {
  return [
    ...(source.label ? [address(source.url), ' · '] : []),
    `every ${interval(source.effectivePollIntervalMinutes)} · polled `,
    // A new source has a random last poll, which spreads the first polls.
    time(source.health === 'new' ? null : source.lastPolled, 'never'),
    ' · next ',
    ...next(source, hostFreeAt),
    ` · ${source.postCount} ${source.postCount === 1 ? 'post' : 'posts'}`,
  ]
}

/** @param {SourceView} source */
export function problemOf({ disabledReason, lastFailureReason, consecutiveFailures }) {
  return disabledReason ?? (lastFailureReason ? `${lastFailureReason} (${consecutiveFailures} in a row)` : '')
}

/** @param {SourceView} source @param {string | null} hostFreeAt */
function next({ enabled, nextPollAt }, hostFreeAt) {
  if (!enabled) return ['never']
  const planned = nextPollAt === null ? 0 : Date.parse(nextPollAt)
  // The later one holds: the source's own plan, or its host's.
  if (hostFreeAt !== null && planned < Math.max(Date.parse(hostFreeAt), Date.now())) {
    return ['when its host is asked again, ', soonOrTime(hostFreeAt)]
  }
  return [nextPollAt !== null && planned <= Date.now() ? 'now' : time(nextPollAt, 'soon')]
}

/** "soon" for an instant that has passed. @param {string} iso */
export function soonOrTime(iso) {
  return time(Date.parse(iso) > Date.now() ? iso : null, 'soon')
}

/** @param {number} minutes */
function interval(minutes) {
  if (minutes % 1440 === 0) return minutes === 1440 ? 'day' : `${minutes / 1440} days`
  if (minutes % 60 === 0) return minutes === 60 ? 'hour' : `${minutes / 60} hours`
  return `${minutes} min`
}
