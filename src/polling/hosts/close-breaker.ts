// Closes a breaker although its host has not answered: a person reset it, breakers were turned off, or the host has no
// sources any more. It is announced like every other transition. Sources keep their failures and plans; those that were
// put off because of the breaker get their own plans back, and will show whether the host works. Nobody else remembers
// what the host's failures disabled, so that is enabled again.
// See docs/decisions/0212-reset-enables-what-the-host-disabled.md
import type { HostClosedReason } from '../../domain/event.ts'
import { CLOSED_BREAKER } from '../../domain/host.ts'
import { type BackoffLimits, ownPlans, recoveryPlans } from '../../domain/schedule.ts'
import type { Clock } from '../../ports/clock.ts'
import type { HostRecovery } from '../../ports/host-store.ts'
import type { Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'
import { hostClosed, logHostEvents } from './host-events.ts'

export interface CloseBreakerDeps {
  readonly clock: Clock
  readonly log: Log
  readonly store: Pick<Store, 'recoverHost'>
  readonly rules: BackoffLimits
}

/** If it is closed already, only its window is cleared, and nothing is announced. */
export async function closeBreaker(
  { clock, log, store, rules }: CloseBreakerDeps,
  lane: string,
  because: HostClosedReason,
): Promise<void> {
  let events: HostRecovery['events'] = []
  await store.recoverHost(lane, (host, { sources }) => {
    const now = clock.now()
    const isClosed = host.breaker.state === 'closed'
    events = isClosed ? [] : [hostClosed(host, because, sources, now)]
    if (isClosed) return { host: { breaker: CLOSED_BREAKER }, recover: null, events }
    return {
      host: { breaker: CLOSED_BREAKER },
      recover: null,
      release: (led) => ownPlans(led, rules, now),
      enableSince: host.lastSucceededAt,
      restore: (disabled) => recoveryPlans(disabled, rules, now),
      events,
    }
  })
  logHostEvents(log, events)
}
