// The last polls of a source as a row of bars, and its posts by day as a small line.
import type { Activity, PollView } from '../api/types.ts'
import { durationWords, inFull } from './time.tsx'

const SHOWN = 30

export function heartbeatWords(polls: readonly PollView[]): string {
  if (polls.length === 0) return 'No polls yet'
  const failed = polls.filter(({ outcome }) => outcome !== 'success').length
  const what = polls.length === 1 ? 'Last poll' : `Last ${polls.length} polls`
  return `${what}: ${polls.length - failed} succeeded, ${failed} failed`
}

/** Polls come newest first; the newest stands on the right. */
export function Heartbeat({ polls }: { readonly polls: readonly PollView[] }) {
  const shown = polls.slice(0, SHOWN)
  return (
    <span class="heartbeat" role="img" aria-label={heartbeatWords(shown)}>
      {Array.from({ length: SHOWN - shown.length }, (_, index) => (
        <i key={`none-${index}`} />
      ))}
      {shown.toReversed().map((poll) => (
        <i key={poll.id} class={barClass(poll)} title={barTitle(poll)} />
      ))}
    </span>
  )
}

function barClass({ outcome, created }: PollView): string {
  if (outcome !== 'success') return outcome
  return created > 0 ? 'new' : 'success'
}

function barTitle({ startedAt, outcome, created, durationMs, reason }: PollView): string {
  const what = outcome === 'success' ? `${created} new` : `${outcome} failure: ${reason ?? ''}`
  return `${inFull(startedAt)}: ${what}, ${durationWords(durationMs)}`
}

const WIDTH = 96
const HEIGHT = 24

export function Rhythm({ days }: { readonly days: readonly Activity[] }) {
  const total = days.reduce((sum, { created }) => sum + created, 0)
  const most = Math.max(1, ...days.map(({ created }) => created))
  const step = WIDTH / Math.max(1, days.length)
  return (
    <svg
      class="rhythm"
      role="img"
      aria-label={`${total} posts in ${days.length} days`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      height={HEIGHT}
      preserveAspectRatio="none"
    >
      {days.map(({ at, created }, index) => (
        <rect
          key={at}
          x={index * step}
          width={Math.max(1, step - 1)}
          y={HEIGHT - Math.max(1, (created / most) * HEIGHT)}
          height={Math.max(1, (created / most) * HEIGHT)}
          class={created > 0 ? 'some' : ''}
        />
      ))}
    </svg>
  )
}
