// What a row tells about its source, in words.
import { address, time } from './element.js'

/** `hostUntil`: until when its host is left alone; null where it is not. */
export function factsOf(source, hostUntil) {
  return [
    ...(source.label ? [address(source.url), ' · '] : []),
    `every ${interval(source.effectivePollIntervalMinutes)} · polled `,
    // A new one has a made-up last poll, which spreads the first polls.
    time(source.health === 'new' ? null : source.lastPolled, 'never'),
    ' · next ',
    ...next(source, hostUntil),
    ` · ${source.postCount} ${source.postCount === 1 ? 'post' : 'posts'}`,
  ]
}

export function problemOf({ disabledReason, lastFailureReason, consecutiveFailures }) {
  return disabledReason ?? (lastFailureReason ? `${lastFailureReason} (${consecutiveFailures} in a row)` : '')
}

function next({ enabled, nextPollAt }, hostUntil) {
  if (!enabled) return ['never']
  const planned = nextPollAt === null ? null : Date.parse(nextPollAt)
  // Whichever holds longer: its own plan, or what holds its host back.
  if (hostUntil !== null && (planned ?? 0) < Math.max(hostUntil, Date.now())) {
    return ['when its host is asked again, ', time(later(hostUntil), 'soon')]
  }
  return [planned !== null && planned <= Date.now() ? 'now' : time(nextPollAt, 'soon')]
}

function later(at) {
  return at > Date.now() ? new Date(at).toISOString() : null
}

function interval(minutes) {
  if (minutes % 1440 === 0) return minutes === 1440 ? 'day' : `${minutes / 1440} days`
  if (minutes % 60 === 0) return minutes === 60 ? 'hour' : `${minutes / 60} hours`
  return `${minutes} min`
}
