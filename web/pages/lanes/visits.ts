// Visits as the picture shows them, from records of polls and from events.
import type { LiveEvent, PollOfSource } from '../../api/types.ts'
import { count } from '../../parts/time.tsx'
import type { LaneVisit } from './lane.ts'

export function visitOfPoll(poll: PollOfSource): LaneVisit {
  const { id, sourceId, startedAt, durationMs, outcome, created, url, reason } = poll
  const lane = poll.lane ?? poll.host ?? ''
  return visit({ id, sourceId, lane, url, from: Date.parse(startedAt), durationMs, outcome, created, reason })
}

export function visitOfEvent(event: LiveEvent): LaneVisit {
  const { id, at, durationMs = 0, outcome = 'success', created = 0, url = '', sourceId = '', reason = null } = event
  const lane = event.lane ?? event.host ?? ''
  return visit({ id, sourceId, lane, url, from: Date.parse(at) - durationMs, durationMs, outcome, created, reason })
}

interface Poll {
  readonly id: string
  readonly sourceId: string
  readonly lane: string
  readonly url: string
  readonly from: number
  readonly durationMs: number
  readonly outcome: 'success' | 'transient' | 'permanent'
  readonly created: number
  readonly reason: string | null
}

function visit({ durationMs, outcome, created, reason, ...rest }: Poll): LaneVisit {
  const isNew = created > 0
  const success = isNew ? count(created, 'new post') : 'Nothing new'
  return {
    ...rest,
    to: rest.from + durationMs,
    kind: outcome === 'success' ? (isNew ? 'new' : 'success') : outcome,
    result: outcome === 'success' ? success : `${outcome} failure: ${reason ?? 'no reason was recorded'}`,
  }
}
