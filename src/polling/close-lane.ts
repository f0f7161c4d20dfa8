// A host that asks to be left alone is left alone, whoever heard it: also a test fetch, and a poll whose source was
// removed or changed before it could be recorded.
import { backoffCapMs } from '../domain/schedule.ts'
import { closingAfter } from '../domain/spacing.ts'
import { retryHint } from '../domain/throttle.ts'
import type { Clock } from '../ports/clock.ts'
import type { SourceConfig } from '../ports/config.ts'
import type { Store } from '../ports/store.ts'
import type { AnswerFacts } from './attempt.ts'

export interface CloseLaneDeps {
  readonly clock: Clock
  readonly store: Pick<Store, 'changeHost'>
  readonly rules: Pick<SourceConfig, 'maxBackoffHours'>
}

export async function closeLane(
  { clock, store, rules }: CloseLaneDeps,
  lane: string,
  { status, headers }: Pick<AnswerFacts, 'status' | 'headers'>,
): Promise<void> {
  if (lane === '') return
  const now = clock.now()
  const hint = retryHint({ now, status, headers })
  const capMs = backoffCapMs({ maxBackoffHours: null }, rules)
  await store.changeHost(lane, (host) => closingAfter(host, { status, hint }, now, capMs))
}
