// Whether our clock is in doubt, kept in the store, and which hosts have said since then that it is right.
import { clockDoubtedSince, clocksAgree } from '../../domain/clock-doubt.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { PollingStore } from '../../ports/polling-store.ts'

export const DOUBTED_SINCE = 'clock-doubted-since'
export const LAST_TICK_AT = 'last-tick-at'

export interface ClockDoubtDeps {
  readonly clock: Clock
  readonly log: Log
  readonly store: Pick<PollingStore, 'readMeta' | 'writeMeta'>
}

export class ClockDoubt {
  readonly #deps: ClockDoubtDeps
  readonly #agreeing = new Set<string>()

  constructor(deps: ClockDoubtDeps) {
    this.#deps = deps
  }

  /** With every tick: false while nothing may be deleted by age. */
  async isTrusted(lastTickAt: number | null, now: number): Promise<boolean> {
    const { store, log } = this.#deps
    const written = await store.readMeta(DOUBTED_SINCE)
    const doubtedSince = written ? Number(written) : null
    const since = clockDoubtedSince({ lastTickAt, doubtedSince, agreeing: this.#agreeing.size }, now)
    if (since === doubtedSince) return since === null
    await store.writeMeta(DOUBTED_SINCE, since === null ? '' : String(since))
    if (since === null) {
      log.info({}, '[Polling] the clock is trusted again: old posts and articles are cleaned up as usual')
      return true
    }
    // What hosts said about the clock before it jumped does not count.
    this.#agreeing.clear()
    const last = lastTickAt === null ? 'never' : new Date(lastTickAt).toISOString()
    const until = 'nothing is deleted by age until two hosts state the same time, or for a day'
    log.warn({ lastTickAt: last }, `[Polling] the last tick was at ${last}: in case the clock is wrong, ${until}`)
    return false
  }

  /** Between two ticks too: a clock that jumped since the last one is in doubt. */
  async isInDoubt(): Promise<boolean> {
    const { store, clock } = this.#deps
    const [written, last] = [await store.readMeta(DOUBTED_SINCE), await store.readMeta(LAST_TICK_AT)]
    const facts = { lastTickAt: last ? Number(last) : null, doubtedSince: written ? Number(written) : null }
    return clockDoubtedSince({ ...facts, agreeing: this.#agreeing.size }, clock.now()) !== null
  }

  /** The Date header of an answer. */
  heard(lane: string, stated: string | undefined): void {
    if (stated === undefined) return
    if (clocksAgree(stated, this.#deps.clock.now())) this.#agreeing.add(lane)
    else this.#agreeing.delete(lane)
    // Two are enough: the set must not grow with the hosts.
    if (this.#agreeing.size > 2) this.#agreeing.delete([...this.#agreeing][0] ?? '')
  }
}
