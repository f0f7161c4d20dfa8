// A poll that is redirected to another host gives up its own lane before it is over, and nothing in the store shows that
// it is still under way. Meanwhile its source is planned a little ahead, so that no other process finds it due; if this
// process crashes, the source is due again by itself.
// See docs/decisions/0106-stale-reads-checked-before-acting.md
import { redirectLeaseUntil } from '../../domain/schedule.ts'
import type { Source } from '../../domain/source.ts'
import type { Clock } from '../../ports/clock.ts'
import type { PollingStore } from '../../ports/polling-store.ts'

export interface RedirectLeaseDeps {
  readonly clock: Clock
  readonly store: Pick<PollingStore, 'planSources'>
}

export class RedirectLease {
  readonly #deps: RedirectLeaseDeps
  readonly #source: Pick<Source, 'id' | 'nextPollAt'>
  /** The plan that keeps others away; null: none was written. */
  #leaseEndsAt: number | null = null

  constructor(deps: RedirectLeaseDeps, source: Pick<Source, 'id' | 'nextPollAt'>) {
    this.#deps = deps
    this.#source = source
  }

  /** Before a lane is given up. False: another process has changed the source's plan since it was read. */
  async begin(): Promise<boolean> {
    const { clock, store } = this.#deps
    const was = this.#leaseEndsAt ?? this.#source.nextPollAt
    const nextPollAt = redirectLeaseUntil(was, clock.now())
    if (nextPollAt === null) return true
    if ((await store.planSources([{ id: this.#source.id, nextPollAt, was }])) === 0) return false
    this.#leaseEndsAt = nextPollAt
    return true
  }

  /** The source with the plan that it is polled for. */
  asPlanned(source: Source): Source {
    const isOurs = this.#leaseEndsAt !== null && source.nextPollAt === this.#leaseEndsAt
    return isOurs ? { ...source, nextPollAt: this.#source.nextPollAt } : source
  }

  /** The poll is over. A plan that was made meanwhile stays. */
  async end(): Promise<void> {
    const { id, nextPollAt } = this.#source
    if (this.#leaseEndsAt !== null) {
      await this.#deps.store.planSources([{ id, nextPollAt, was: this.#leaseEndsAt }])
    }
    this.#leaseEndsAt = null
  }
}
