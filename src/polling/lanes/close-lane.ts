// A host that asks to be left alone is left alone, whoever heard it: also a test fetch, and a poll whose source was
// removed or changed before it could be recorded.
import type { HostState } from '../../domain/host.ts'
import { isNullLane } from '../../domain/lane.ts'
import { quotaWord } from '../../domain/quota.ts'
import { backoffCapMs } from '../../domain/schedule.ts'
import { type Closing, closingAfter, closingByQuota } from '../../domain/spacing.ts'
import { retryHint } from '../../domain/throttle.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SourceConfig } from '../../ports/config.ts'
import type { Store } from '../../ports/store.ts'
import type { AnswerFacts } from '../poll/poll-outcome.ts'

export interface CloseLaneDeps {
  readonly clock: Clock
  readonly store: Pick<Store, 'changeHost'>
  readonly rules: Pick<SourceConfig, 'maxBackoffHours'>
}

type Word = Pick<AnswerFacts, 'status' | 'headers'>

export async function closeLane({ clock, store, rules }: CloseLaneDeps, lane: string, word: Word): Promise<void> {
  if (isNullLane(lane)) return
  const now = clock.now()
  const capMs = backoffCapMs({ maxBackoffHours: null }, rules)
  await store.changeHost(lane, (host) => closedBy(word, host, capMs, now))
}

/** What an answer changes in the lane of its host; null: nothing. A quota that is spent closes it after any answer. */
export function closedBy({ status, headers }: Word, host: HostState, capMs: number, now: number): Closing | null {
  const throttled = closingAfter(host, { status, hint: retryHint({ now, status, headers }) }, now, capMs)
  const quota = throttled ? null : quotaWord(headers, now)
  return quota?.kind === 'leave-alone' ? closingByQuota(host, quota, now, capMs) : throttled
}
