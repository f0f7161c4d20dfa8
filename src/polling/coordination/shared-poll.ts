// One poll on a store that other processes poll on too: each plan is carried out once, whichever process finds it due.
import type { PollRecord, Trigger } from '../../domain/outcome.ts'
import { isStoreAway } from '../../domain/problem.ts'
import type { Source } from '../../domain/source.ts'
import type { CoordinatedPoll } from '../../ports/coordinator.ts'
import type { PollWrite, PollWritten } from '../../ports/polling-store.ts'
import type { Store } from '../../ports/store.ts'
import { RedirectLease, type RedirectLeaseDeps } from './redirect-lease.ts'
import { isUntouched, sourceMeanwhile } from './source-meanwhile.ts'

export interface SharedPollDeps extends RedirectLeaseDeps {
  readonly store: Pick<Store, 'getSource' | 'recordPoll' | 'planSources'>
}

export class SharedPoll implements CoordinatedPoll {
  readonly #deps: SharedPollDeps
  readonly #source: Source
  readonly #trigger: Trigger
  readonly #polledSince: ((now: Source) => Promise<PollRecord | null>) | null
  readonly #redirectLease: RedirectLease

  /** `polledSince`: set when somebody asked for the poll; tells what another process recorded since then. */
  constructor(
    deps: SharedPollDeps,
    source: Source,
    trigger: Trigger,
    polledSince: ((now: Source) => Promise<PollRecord | null>) | null,
  ) {
    this.#deps = deps
    this.#source = source
    this.#trigger = trigger
    this.#polledSince = polledSince
    this.#redirectLease = new RedirectLease(deps, source)
  }

  async meanwhile(): Promise<PollWritten | null> {
    const now = await sourceMeanwhile(this.#deps.store, this.#source)
    if (now.kind !== 'same') return now
    const { source } = now
    if (!this.#polledSince) return isUntouched(this.asPlanned(source), this.#source) ? null : { kind: 'overtaken' }
    const record = await this.#polledSince(source)
    return record && { kind: 'recorded', record, source }
  }

  /** Somebody who asked for a poll gets it, whatever becomes of the plan. */
  async leaveLane(): Promise<'ok' | 'overtaken'> {
    const isOurs = await this.#redirectLease.begin()
    return isOurs || this.#trigger !== 'tick' ? 'ok' : 'overtaken'
  }

  asPlanned(source: Source): Source {
    return this.#redirectLease.asPlanned(source)
  }

  async record(write: PollWrite): Promise<PollWritten> {
    const guarded: PollWrite = {
      ...write,
      ...(this.#isRecordedOnce(write) && { lastPolled: this.#source.lastPolled }),
      decide: (moment) => write.decide({ ...moment, source: this.asPlanned(moment.source) }),
    }
    const { store } = this.#deps
    return write.leasedBy ? againIfAway(() => store.recordPoll(guarded)) : store.recordPoll(guarded)
  }

  /** A plan is carried out once, even if its lane was left for another one; so is a probe that had no host leased. */
  #isRecordedOnce({ leasedBy }: PollWrite): boolean {
    return this.#trigger === 'tick' || (this.#trigger === 'probe' && !leasedBy)
  }

  /** If the store cannot be told, the source is due again by itself a little later. */
  end(): Promise<void> {
    return this.#redirectLease.end()
  }
}

/**
 * A lost connection is replaced at once, so one more try is worth it. Nothing is recorded twice: the first write gave the
 * lease back, and the second is refused without it.
 */
async function againIfAway<T>(write: () => Promise<T>): Promise<T> {
  return write().catch((error: unknown) => {
    if (isStoreAway(error)) return write()
    throw error
  })
}
