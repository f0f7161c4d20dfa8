// Counts events. A field that a row of an earlier version lacks counts as nothing.
// See docs/decisions/0073-metrics-are-counted-from-events.md
import type { NewEvent, StoredEvent } from '../domain/event.ts'
import { SKIP_RULES } from '../domain/outcome.ts'
import type { SourceTypes } from '../domain/source-type.ts'
import type { BodySizes } from './body-sizes.ts'
import type { Meters } from './meters.ts'

const OUTCOMES = ['success', 'transient', 'permanent']
const TRIGGERS = ['tick', 'manual', 'create', 'probe']

export interface Counting {
  readonly meters: Meters
  readonly sizes: BodySizes
  readonly types: Pick<SourceTypes, 'names'>
}

export async function countEvent(counting: Counting, event: NewEvent | StoredEvent): Promise<void> {
  const { meters } = counting
  switch (event.type) {
    case 'poll.finished':
      return countPoll(counting, event)
    case 'source.disabled':
      return meters.disabled.inc()
    case 'source.quiet':
      return meters.quiet.inc()
    case 'source.gap':
      return meters.gaps.inc()
    case 'host.opened':
      return meters.breakerChanges.inc({ to: 'open' })
    case 'host.closed':
      return meters.breakerChanges.inc({ to: 'closed' })
    case 'outage.started':
      return meters.outages.inc()
  }
}

async function countPoll(
  { meters, sizes, types }: Counting,
  { sourceId, data }: NewEvent<'poll.finished'> | StoredEvent<'poll.finished'>,
): Promise<void> {
  // Labels stay within their closed sets, whatever a row holds.
  const type = oneOf(types.names, data.type)
  const labels = { type, outcome: oneOf(OUTCOMES, data.outcome), trigger: oneOf(TRIGGERS, data.trigger) }
  meters.polls.inc(labels)
  meters.pollSeconds.observe({ type }, numberIn(data.durationMs) / 1000)
  if (typeof data.lagMs === 'number') meters.lagSeconds.observe(data.lagMs / 1000)
  meters.answers.inc({ answer: answerOf(data.httpStatus) })
  meters.receivedBytes.inc(numberIn(data.bytes))
  if (numberIn(data.created) > 0) meters.posts.inc({ type }, numberIn(data.created))
  for (const rule of SKIP_RULES) {
    const dropped = numberIn(data.skipped?.[rule])
    if (dropped > 0) meters.dropped.inc({ rule }, dropped)
  }
  if (sourceId === null) return
  if (data.httpStatus === 304) meters.savedBytes.inc(await sizes.of(sourceId))
  else if (data.outcome === 'success' && data.notModified !== true) sizes.remember(sourceId, numberIn(data.bytes))
}

function answerOf(status: unknown): string {
  if (typeof status !== 'number') return 'none'
  return status === 304 || status === 429 ? String(status) : `${Math.floor(status / 100)}xx`
}

function numberIn(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0
}

function oneOf(names: readonly string[], value: unknown): string {
  return names.find((name) => name === value) ?? 'unknown'
}
