// A permit that stands in the host's row: its spacing, and its lease where there is one.
import type { HostState } from '../../domain/host.ts'
import type { HostPermit } from '../../ports/coordinator.ts'
import type { HostVisit, Lease, PollingStore } from '../../ports/polling-store.ts'

export interface StoredPermitOptions {
  readonly lane: string
  /** What was reserved; null: nothing is written before the first request. */
  readonly reserved: HostVisit | null
  readonly host: HostState | null
  readonly leasedBy: string | null
  readonly newLease: () => Lease | null
  readonly onEnd: () => void
}

export class StoredPermit implements HostPermit {
  readonly #store: Pick<PollingStore, 'extendLease' | 'releaseHost'>
  readonly #options: StoredPermitOptions
  #visit: HostVisit | null
  readonly leasedBy: string | null
  readonly host: HostState | null

  constructor(store: Pick<PollingStore, 'extendLease' | 'releaseHost'>, options: StoredPermitOptions) {
    this.#store = store
    this.#options = options
    this.#visit = options.reserved
    this.leasedBy = options.leasedBy
    this.host = options.host
  }

  async extend(visit: HostVisit): Promise<'granted' | 'overtaken'> {
    const { lane, newLease } = this.#options
    const lease = newLease()
    if (lease === null && !needsSpacing(visit)) return 'granted'
    return (await this.#store.extendLease(lane, visit, lease)) ? 'granted' : 'overtaken'
  }

  noteRequest(visit: HostVisit): void {
    this.#visit = visit
  }

  endRecorded(): void {
    this.#options.onEnd()
  }

  async giveBack(): Promise<void> {
    const { lane, onEnd } = this.#options
    try {
      if (this.#visit) await this.#store.releaseHost(lane, this.#visit, this.leasedBy)
    } finally {
      onEnd()
    }
  }
}

export function needsSpacing({ startedAt, notBefore, othersNotBefore }: HostVisit): boolean {
  return Math.max(notBefore, othersNotBefore ?? 0) > startedAt
}

/** For the lane without a host: there is nobody to ask for permission, and nobody to leave alone. */
export const NO_HOST_PERMIT: HostPermit = {
  leasedBy: null,
  host: null,
  extend: async () => 'granted',
  noteRequest: () => {},
  endRecorded: () => {},
  giveBack: async () => {},
}
