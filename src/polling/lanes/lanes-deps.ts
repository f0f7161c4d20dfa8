// What lanes need from the rest of the engine.
import type { HostState } from '../../domain/host.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Coordinator } from '../../ports/coordinator.ts'
import type { Log } from '../../ports/log.ts'
import type { LaneSeen } from '../../ports/polling-store.ts'
import type { TakeScheduled } from './turn.ts'

export interface LanesDeps {
  readonly clock: Clock
  readonly log: Log
  readonly maxConcurrentHosts: number
  /** Of the sources of users without admin rights, to one host. */
  readonly hostRequestsPerMinute: number
  readonly look: (lane: string) => Promise<LaneSeen>
  readonly takeScheduled: TakeScheduled
  /** Whether there is a due source or page. */
  readonly hasScheduled: (lane: string, seen: LaneSeen) => Promise<boolean>
  /** False while nothing scheduled may go out: own outage, or a host whose breaker is not closed. */
  readonly scheduledAllowed: (host: HostState) => boolean
  /** The lane has nothing left to do, or may not go on. */
  readonly onLaneEnded?: (lane: string) => void
  readonly coordinator: Pick<Coordinator, 'visitedElsewhereUntil' | 'isClaimedElsewhere' | 'claimNextTurn'>
}
