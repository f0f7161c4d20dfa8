// Polls that no plan asks for: of hosts whose breaker is open, and for the outage watch. The enabled sources of a host, and
// those that are redirected to it, take turns; if there are none, those that were auto-disabled with it. A probe waits at the head of the lane like a poll by hand, and is dropped
// when it is not needed any more.
// See docs/decisions/0100-redirected-sources-wait-for-the-target-host.md
import { abandonProbe, mayProbe, nextToProbe, skipInRotation, underRules } from '../../domain/breaker.ts'
import type { BreakerState, HostState } from '../../domain/host.ts'
import { Problem } from '../../domain/problem.ts'
import type { Source } from '../../domain/source.ts'
import { closedUntil } from '../../domain/spacing.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SourceConfig } from '../../ports/config.ts'
import type { Coordinator } from '../../ports/coordinator.ts'
import type { Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'
import type { SentProbe } from '../outage/outage-watch.ts'
import type { Polls } from '../poll/polls.ts'
import { closeBreaker } from './close-breaker.ts'

export interface ProbesDeps {
  readonly clock: Clock
  readonly log: Log
  readonly store: Store
  readonly rules: Pick<SourceConfig, 'breaker' | 'maxBackoffHours'>
  readonly polls: () => Polls
  readonly coordinator: Pick<Coordinator, 'isProbeLost'>
}

export class Probes {
  readonly #deps: ProbesDeps
  /** Since when this process polls. */
  readonly #startedAt: number

  constructor(deps: ProbesDeps) {
    this.#deps = deps
    this.#startedAt = deps.clock.now()
  }

  /**
   * One probe for each open lane whose breaker has waited long enough. After a restart under other rules, breakers are
   * closed if they were turned off, and wait no longer than the rules say now.
   */
  async ofBreakers(now: number): Promise<void> {
    const { store, rules } = this.#deps
    for (const host of await store.troubledHosts()) {
      const { lane } = host
      if (rules.breaker.failures === 0) {
        await closeBreaker(this.#deps, lane, 'breakers are turned off')
        continue
      }
      const breaker = await this.#currentBreaker(host, now)
      if (closedUntil(host, now) !== null) continue
      const id = await this.#nextOf(lane, breaker, now)
      if (id === undefined) continue
      if (id !== null) await this.#probe(lane, id, now)
      else await this.#closeIfWithoutSources(lane)
    }
  }

  /** undefined: nobody's turn has come. null: there is nobody. What a person made due need not wait for the probe's time. */
  async #nextOf(lane: string, breaker: BreakerState, now: number): Promise<string | null | undefined> {
    const { store } = this.#deps
    const madeDue = breaker.state === 'open' ? await store.nextMadeDue(lane, now) : null
    if (madeDue !== null) return madeDue
    if (!mayProbe(breaker, now)) return undefined
    return nextToProbe(breaker, await store.probeRotation(lane, breaker.probedBy))
  }

  async #probe(lane: string, sourceId: string, now: number): Promise<void> {
    const { store, polls } = this.#deps
    if (await this.#canStart(lane, sourceId, now)) {
      await unlessGone(polls().request(sourceId, 'probe', (source) => this.#mayProbeStill(lane, source)))
    } else await store.changeHost(lane, ({ breaker }) => ({ breaker: skipInRotation(breaker, sourceId) }))
  }

  /** A source that is redirected there starts at a host of its own, which may not be asked now either. */
  async #canStart(lane: string, sourceId: string, now: number): Promise<boolean> {
    const { store } = this.#deps
    const source = await store.getSource(sourceId)
    if (!source || source.lane === lane) return true
    const start = await store.hostState(source.lane)
    return !start || (start.breaker.state === 'closed' && closedUntil(start, now) === null)
  }

  /** The breaker, without a probe that was lost in a crash, and under the present rules. */
  async #currentBreaker(kept: HostState, now: number): Promise<BreakerState> {
    const { coordinator } = this.#deps
    const current = (host: HostState): BreakerState => {
      const breaker = coordinator.isProbeLost(host, this.#startedAt) ? abandonProbe(host.breaker, now) : host.breaker
      return underRules(breaker, this.#deps.rules.breaker)
    }
    if (current(kept) === kept.breaker) return kept.breaker
    return (await this.#deps.store.changeHost(kept.lane, (host) => ({ breaker: current(host) }))).breaker
  }

  /** Without sources nobody would ever ask whether the host is back. Disabled sources may be enabled again. */
  async #closeIfWithoutSources(lane: string): Promise<void> {
    if (!(await this.#deps.store.hasSources(lane))) await closeBreaker(this.#deps, lane, 'it has no sources any more')
  }

  /** Through this lane, with the source that is due soonest or else the first. null: it has none. */
  async through(lane: string, stillNeeded: () => boolean): Promise<SentProbe | null> {
    const { store, clock, polls } = this.#deps
    const [first] = await store.enabledRotation(lane, null)
    const due = await store.nextDueOf(lane, clock.now(), [])
    const source = due ?? (first === undefined ? null : await store.getSource(first))
    if (!source) return null
    const sent = await unlessGone(polls().request(source.id, 'probe', async ({ enabled }) => enabled && stillNeeded()))
    return sent && { source, finished: sent.finished }
  }

  async #mayProbeStill(lane: string, source: Source): Promise<boolean> {
    const { store, clock } = this.#deps
    const host = await store.hostState(lane)
    // A person's word holds. One that was auto-disabled with all the others is in turn itself.
    if (host === null || isDisabledByPerson(source)) return false
    const isMadeDue = host.breaker.state === 'open' && source.isMadeDue
    return isMadeDue || mayProbe(host.breaker, clock.now())
  }
}

function isDisabledByPerson({ enabled, disabledReason }: Source): boolean {
  return !enabled && disabledReason === null
}

/** The source was removed meanwhile, or the process is shutting down: there is no probe, and the tick goes on. */
export async function unlessGone<T>(request: Promise<T>): Promise<T | null> {
  return request.catch((error: unknown) => {
    if (error instanceof Problem) return null
    throw error
  })
}
