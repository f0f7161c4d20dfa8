// `why` says when a source is expected to be polled. What happens must agree: no scheduled poll comes sooner, and in calm
// times none comes later than the next tick and the sources of its lane explain. Whatever intervenes (a person, a crash,
// a clock that jumps, a write that fails) ends what was said before.
import type { WhyCode } from '../../src/domain/explain.ts'
import { MINUTE_MS } from '../../src/domain/schedule.ts'
import type { PollingEngine } from '../../src/polling/engine.ts'
import type { Row } from '../../src/storage/database/db.ts'

/** Said of sources that are well: only what intervenes in them ends it. */
const OF_WELL: ReadonlySet<string> = new Set<WhyCode>(['not-due', 'fresh'])
/**
 * Said of sources that fail or wait. A host that is back plans its sources again, and so do the beginning and the end of
 * an outage of our own: these end it, too.
 */
const OF_TROUBLED: ReadonlySet<string> = new Set<WhyCode>([
  'backing-off',
  'retry-after',
  'lane-closed',
  'breaker-open',
  'outage',
  'disabled',
])

interface Promised {
  readonly code: string
  /** Infinity: not at all, as things are. */
  readonly expectedAt: number
  readonly sentence: string
}

export class Promises {
  readonly #report: (violation: string) => void
  readonly #promised = new Map<string, Promised>()
  /** How often each reason was given and then compared with what happened. */
  readonly compared = new Map<string, number>()

  constructor(report: (violation: string) => void) {
    this.#report = report
  }

  async ask(engine: Pick<PollingEngine, 'why'>, sourceId: string): Promise<void> {
    const { code, expectedAt, sentence } = await engine.why(sourceId)
    if (!OF_WELL.has(code) && !OF_TROUBLED.has(code)) return
    // Whether its own host still leads to another one is known only when it is asked.
    if (/\bleads\b/.test(sentence)) return
    this.#promised.set(sourceId, { code, expectedAt: expectedAt ?? Number.POSITIVE_INFINITY, sentence })
  }

  keep(record: Row): void {
    const id = String(record.source_id)
    const promised = this.#promised.get(id)
    // A poll by hand, or a probe, is no scheduled poll; but it plans the next one.
    this.#promised.delete(id)
    if (!promised || record.cause !== 'tick') return
    this.compared.set(promised.code, (this.compared.get(promised.code) ?? 0) + 1)
    const early = promised.expectedAt - Number(record.started_at)
    if (early > 0) this.#report(`why: ${record.url} was polled ${early} ms before "${promised.sentence}"`)
  }

  /**
   * Only in calm times. `lateMs`: what the tick and the sources of its lane explain. `turnsMs`: a tick for each source. Those
   * that are redirected to a host take turns with its own as probes. If they do not lead there any more, they tell nothing
   * of it, and the next tick sends the next one.
   */
  checkLate(now: number, lateMs: number, turnsMs: number): void {
    for (const [id, { code, expectedAt, sentence }] of this.#promised) {
      const allowedMs = lateMs + (code === 'breaker-open' ? turnsMs : 0)
      if (now <= expectedAt + allowedMs) continue
      this.#report(`why: ${id} was not polled within ${allowedMs / MINUTE_MS} minutes of "${sentence}"`)
    }
  }

  forget(sourceId: string | null): void {
    if (sourceId === null) this.#promised.clear()
    else this.#promised.delete(sourceId)
  }

  /** A host is back, or our own connection is: its sources are planned again. */
  forgetTroubled(): void {
    for (const [id, { code }] of this.#promised) if (OF_TROUBLED.has(code)) this.#promised.delete(id)
  }
}
