// A poll that is led to another host gives up its own lane and is not over yet: nothing tells other processes on the same
// store of it. Its source is planned a little ahead meanwhile, so that none of them finds it due; if the process is gone,
// it is due again by itself.
import { MINUTE_MS } from '../../domain/schedule.ts'
import type { Source } from '../../domain/source.ts'
import type { Clock } from '../../ports/clock.ts'
import type { PollingStore } from '../../ports/polling-store.ts'
import type { Holds } from './host-leases.ts'

/** Longer than the next host keeps it waiting and answers. */
const ON_THE_WAY_MS = 3 * MINUTE_MS

export interface OnTheWayDeps {
  readonly clock: Clock
  readonly store: Pick<PollingStore, 'planSources'>
  readonly holds: Pick<Holds, 'isShared'>
}

export class OnTheWay {
  readonly #deps: OnTheWayDeps
  readonly #source: Pick<Source, 'id' | 'nextPollAt'>
  /** The plan that stands for being on the way; null: none was written. */
  #plan: number | null = null

  constructor(deps: OnTheWayDeps, source: Pick<Source, 'id' | 'nextPollAt'>) {
    this.#deps = deps
    this.#source = source
  }

  /** Before a lane is given up. False: another process has been at the source's plan since it was read. */
  async leaves(): Promise<boolean> {
    const { clock, store, holds } = this.#deps
    const was = this.#plan ?? this.#source.nextPollAt
    const nextPollAt = clock.now() + ON_THE_WAY_MS
    if (!holds.isShared || was === null || was >= nextPollAt) return true
    if ((await store.planSources([{ id: this.#source.id, nextPollAt, was }])) === 0) return false
    this.#plan = nextPollAt
    return true
  }

  /** The source with the plan that it is polled for. */
  asPlanned(source: Source): Source {
    const isOurs = this.#plan !== null && source.nextPollAt === this.#plan
    return isOurs ? { ...source, nextPollAt: this.#source.nextPollAt } : source
  }

  /** The poll is over. What was planned anew by then stays. */
  async ends(): Promise<void> {
    const { id, nextPollAt } = this.#source
    if (this.#plan !== null) await this.#deps.store.planSources([{ id, nextPollAt, was: this.#plan }])
    this.#plan = null
  }
}
