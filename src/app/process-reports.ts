// Tells the store every ten seconds that this process polls, and how it goes. Real time, as all that limits or watches
// processes.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../ports/clock.ts'
import type { Engine } from '../ports/engine.ts'
import type { ProcessReport, Store } from '../ports/store.ts'

const REPORT_EVERY_MS = 10_000
const MINUTE_MS = 60_000

export interface ProcessReportsParts {
  readonly store: Pick<Store, 'reportProcess' | 'removeProcess'>
  readonly engine: Pick<Engine, 'status'>
  readonly clock: Pick<Clock, 'now'>
  readonly version: string
}

export class ProcessReports {
  readonly #parts: ProcessReportsParts
  readonly #id = randomUUID()
  /** How many polls there were at which moment of the last minute, oldest first. */
  #counts: { readonly at: number; readonly polls: number }[] = []
  #timer: NodeJS.Timeout | null = null
  #startedAt = 0
  #reporting: Promise<void> = Promise.resolve()

  constructor(parts: ProcessReportsParts) {
    this.#parts = parts
  }

  start(kind: ProcessReport['kind']): void {
    if (this.#timer) return
    this.#startedAt = this.#parts.clock.now()
    this.#report(kind)
    this.#timer = setInterval(() => this.#report(kind), REPORT_EVERY_MS).unref()
  }

  async stop(): Promise<void> {
    if (!this.#timer) return
    clearInterval(this.#timer)
    this.#timer = null
    this.#counts = []
    await this.#reporting
    await this.#parts.store.removeProcess(this.#id).catch(() => {})
  }

  #report(kind: ProcessReport['kind']): void {
    const { store, engine, clock, version } = this.#parts
    const { hostsInHand, polls } = engine.status()
    const pollsPerMinute = this.#perMinute(polls)
    const report = { id: this.#id, kind, version, startedAt: this.#startedAt, lastSeenAt: clock.now() }
    // A store that is away is told at the next time.
    this.#reporting = store.reportProcess({ ...report, hostsInHand, pollsPerMinute }).catch(() => {})
  }

  #perMinute(polls: number): number {
    const at = performance.now()
    this.#counts = [...this.#counts.filter((count) => at - count.at < MINUTE_MS), { at, polls }]
    const [first] = this.#counts
    if (!first || at === first.at) return 0
    return Math.max(0, Math.round(((polls - first.polls) * MINUTE_MS) / (at - first.at)))
  }
}
