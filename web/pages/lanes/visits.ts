// Visits as the picture shows them, from records of polls and from events.
import type { LiveEvent, PollOfSource } from '../../api/types.ts'
import { durationWords, inFull } from '../../parts/time.tsx'
import type { Visit } from './lane.ts'

export function visitOfPoll({ id, startedAt, durationMs, outcome, created, url, reason }: PollOfSource): Visit {
  const from = Date.parse(startedAt)
  return visit({ id, from, durationMs, outcome, created, url, reason })
}

export function visitOfEvent(event: LiveEvent): Visit {
  const { id, at, durationMs = 0, outcome = 'success', created = 0, url = '', reason = null } = event
  return visit({ id, from: Date.parse(at) - durationMs, durationMs, outcome, created, url, reason })
}

interface Poll {
  readonly id: string
  readonly from: number
  readonly durationMs: number
  readonly outcome: 'success' | 'transient' | 'permanent'
  readonly created: number
  readonly url: string
  readonly reason: string | null
}

function visit({ id, from, durationMs, outcome, created, url, reason }: Poll): Visit {
  const result = outcome === 'success' ? `${created} new` : `${outcome} failure, ${reason ?? ''}`
  return {
    ...{ id, from, to: from + durationMs },
    kind: outcome === 'success' ? (created > 0 ? 'new' : 'success') : outcome,
    words: () => `${inFull(from)}, ${durationWords(durationMs)}: ${result}\n${url}`,
  }
}
