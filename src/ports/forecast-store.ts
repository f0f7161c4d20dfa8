// What a forecast reads. A store may have a million sources, so it reads few columns, and a sample where there are many.
import type { HostState } from '../domain/host.ts'
import type { Source } from '../domain/source.ts'

export type ForecastSource = Pick<
  Source,
  | 'id'
  | 'userId'
  | 'trusted'
  | 'type'
  | 'lane'
  | 'enabled'
  | 'pollIntervalMinutes'
  | 'adaptive'
  | 'learnedIntervalMinutes'
  | 'maxBackoffHours'
  | 'consecutiveFailures'
  | 'honourFreshness'
  | 'lastPolled'
  | 'nextPollAt'
  | 'isMadeDue'
  | 'feedFreshness'
  | 'freshUntil'
  | 'retryAt'
>

export interface LaneSize {
  readonly lane: string
  /** Of all users, disabled ones too. */
  readonly sources: number
}

/** `userId`: null for the sources of all users. Sources that are disabled or have no host are left out. */
export interface ForecastStore {
  countSources(userId: string | null): Promise<number>
  /** About this share of them (1: all), the same ones each time and without regard to host, age or plan. */
  sampleSources(userId: string | null, share: number): Promise<readonly ForecastSource[]>
  /** By name. */
  lanesAfter(lane: string, limit: number): Promise<readonly LaneSize[]>
  sourcesOfLanes(userId: string | null, lanes: readonly string[]): Promise<readonly ForecastSource[]>
  /** Those of these lanes that are closed or have a breaker that is not. */
  hostsLeftAlone(lanes: readonly string[], now: number): Promise<readonly HostState[]>
}
