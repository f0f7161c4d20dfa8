// The spacing after visits whose end the store could not take. It outlives the work of a lane, and ends with this process.
import type { HostState } from '../../domain/host.ts'
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
    if (notBefore <= this.#clock.now()) this.#notBefore.delete(host.lane)
    const longest = Math.max(host.notBefore ?? 0, notBefore)
    return { ...host, notBefore: longest, delayType: null, spacedFor: null, othersNotBefore: null }
  }
}
