// Asks auto-disabled sources now and then whether they work again (`recheck-disabled-days`). A recheck is a probe of its
// source; its success enables the source. A host that is left alone for now is not asked.
import { recheckAt, recheckPolledBefore } from '../../domain/schedule.ts'
import { closedUntil } from '../../domain/spacing.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SourceConfig } from '../../ports/config.ts'
import type { Store } from '../../ports/store.ts'
import type { Polls } from '../poll/polls.ts'
import { unlessGone } from './probes.ts'

/** Of one tick, so that turning it on does not ask thousands at once. */
const AT_ONCE = 20

export interface RecheckDeps {
  readonly clock: Clock
  readonly store: Pick<Store, 'disabledPolledBefore' | 'hostState'>
  readonly rules: Pick<SourceConfig, 'recheckDisabledDays'>
  readonly polls: () => Polls
}

export async function recheckDisabled({ clock, store, rules, polls }: RecheckDeps, now: number): Promise<void> {
  const { recheckDisabledDays: days } = rules
  if (days === 0) return
  const lanes = new Set<string>()
  for (const source of await store.disabledPolledBefore(recheckPolledBefore(days, now), AT_ONCE)) {
    const host = await store.hostState(source.lane)
    const isLeftAlone = host !== null && (host.breaker.state !== 'closed' || closedUntil(host, now) !== null)
    // One of a host at a time: the others wait for the next tick.
    if (isLeftAlone || lanes.has(source.lane)) continue
    lanes.add(source.lane)
    const isStillDue = async (current: typeof source) => (recheckAt(current, days) ?? Infinity) <= clock.now()
    await unlessGone(polls().request(source.id, 'probe', isStillDue))
  }
}
