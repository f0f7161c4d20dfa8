// The spacing after visits whose end the store could not take. It outlives the work of a lane, and ends with this process.
import type { HostState } from '../../domain/host.ts'
import { spacingEndsAt } from '../../domain/spacing.ts'
import type { Clock } from '../../ports/clock.ts'

export class UnwrittenSpacing {
  readonly #clock: Clock
  /** By lane. */
  readonly #notBefore = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  keep(lane: string, notBefore: number): void {
    this.#notBefore.set(lane, notBefore)
  }

  /** The host as it would be if the store had taken it. */
  added(host: HostState): HostState {
    const notBefore = this.#notBefore.get(host.lane)
    if (notBefore === undefined) return host
    const now = this.#clock.now()
    if (notBefore <= now) this.#notBefore.delete(host.lane)
    // What the store has may be from before the clock was set back, and counts as over. What it could not take does not.
    const reserved = spacingEndsAt(host, now)
    const lastRequestAt = Math.min(host.lastRequestAt ?? now, now)
    const spacing = { notBefore: Math.max(reserved, notBefore), lastRequestAt }
    return { ...host, ...spacing, delayType: null, spacedFor: null, othersNotBefore: null }
  }
}
