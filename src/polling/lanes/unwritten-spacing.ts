// The spacing after visits whose end the store could not take. It outlives the work of a lane, and ends with this process.
import type { HostState } from '../../domain/host.ts'
import { AT_ONCE_MS, LONGEST_DELAY_MS, spacingEndsAt } from '../../domain/spacing.ts'
import type { Clock } from '../../ports/clock.ts'

interface Unwritten {
  readonly notBefore: number
  readonly keptAt: number
}

export class UnwrittenSpacing {
  readonly #clock: Clock
  readonly #byLane = new Map<string, Unwritten>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  keep(lane: string, notBefore: number): void {
    const keptAt = this.#clock.now()
    // A longer one would count as one from before the clock was set back, which is over.
    this.#byLane.set(lane, { notBefore: Math.min(notBefore, keptAt + LONGEST_DELAY_MS), keptAt })
  }

  /** The host as it would be if the store had taken it. */
  added(host: HostState): HostState {
    const notBefore = this.#endOf(host.lane)
    if (notBefore === null) return host
    const now = this.#clock.now()
    if (notBefore <= now) this.#byLane.delete(host.lane)
    // What the store has may be from before the clock was set back, and counts as over. What it could not take does not.
    const reserved = spacingEndsAt(host, now)
    const lastRequestAt = Math.min(host.lastRequestAt ?? now, now)
    const spacing = { notBefore: Math.max(reserved, notBefore), lastRequestAt }
    return { ...host, ...spacing, delayType: null, spacedFor: null, othersNotBefore: null }
  }

  /** When the clock was set back meanwhile, the spacing counts anew from now: nobody knows how much of it is over. */
  #endOf(lane: string): number | null {
    const kept = this.#byLane.get(lane)
    if (!kept) return null
    if (kept.keptAt <= this.#clock.now() + AT_ONCE_MS) return kept.notBefore
    this.keep(lane, this.#clock.now() + kept.notBefore - kept.keptAt)
    return this.#endOf(lane)
  }
}
