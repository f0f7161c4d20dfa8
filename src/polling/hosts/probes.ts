// Polls that nobody's plan asks for: of hosts whose breaker is open, and on behalf of the outage watch. The enabled
// sources of a lane, and those that lead there, take turns; a probe waits at the head like a person's poll and is dropped
// when no longer needed.
// See docs/decisions/0100-redirected-sources-wait-for-the-target-host.md
import { abandonProbe, mayProbe, nextToProbe, skipInRotation, underRules } from '../../domain/breaker.ts'
import type { BreakerState, HostState } from '../../domain/host.ts'
import { Problem } from '../../domain/problem.ts'
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
   * One for each host whose breaker has waited long enough and that did not ask to be left alone. What the last life
   * left open goes when breakers were turned off since, and waits no longer than they do now.
   */
  async ofBreakers(now: number): Promise<void> {
    const { store, rules } = this.#deps
    for (const host of await store.troubledHosts()) {
      const { lane } = host
      if (rules.breaker.failures === 0) {
        await closeBreaker(this.#deps, lane, 'breakers are turned off')
        continue
      }
      const breaker = await this.#takenUp(host, now)
      if (!mayProbe(breaker, now) || closedUntil(host, now) !== null) continue
      const id = nextToProbe(breaker, await store.probeRotation(lane, breaker.probedBy))
      if (id !== null) await this.#probe(lane, id, now)
      else await this.#closeIfForsaken(lane)
    }
  }

  async #probe(lane: string, sourceId: string, now: number): Promise<void> {
    const { store, polls } = this.#deps
    if (await this.#canStart(lane, sourceId, now)) {
      await unlessGone(polls().request(sourceId, 'probe', () => this.#mayProbeStill(lane)))
    } else await store.changeHost(lane, ({ breaker }) => ({ breaker: skipInRotation(breaker, sourceId) }))
  }

  /** A source that only leads there starts at a host of its own, which may want to be left alone as well. */
  async #canStart(lane: string, sourceId: string, now: number): Promise<boolean> {
    const { store } = this.#deps
    const source = await store.getSource(sourceId)
    if (!source || source.lane === lane) return true
    const start = await store.hostState(source.lane)
    return !start || (start.breaker.state === 'closed' && closedUntil(start, now) === null)
  }

  /** What the last life left, as this one sees it. */
  async #takenUp(kept: HostState, now: number): Promise<BreakerState> {
    const { coordinator } = this.#deps
    const takenUp = (host: HostState): BreakerState => {
      const breaker = coordinator.isProbeLost(host, this.#startedAt) ? abandonProbe(host.breaker, now) : host.breaker
      return underRules(breaker, this.#deps.rules.breaker)
    }
    if (takenUp(kept) === kept.breaker) return kept.breaker
    return (await this.#deps.store.changeHost(kept.lane, (host) => ({ breaker: takenUp(host) }))).breaker
  }

  /** Nobody is there or led there any more: nobody would ever ask whether it is back. Disabled ones may return. */
  async #closeIfForsaken(lane: string): Promise<void> {
    if (!(await this.#deps.store.hasSources(lane))) await closeBreaker(this.#deps, lane, 'it has no sources any more')
  }

  /** Through this lane, with the source that is due soonest or else the first. null: it has none. */
  async through(lane: string, stillNeeded: () => boolean): Promise<SentProbe | null> {
    const { store, clock, polls } = this.#deps
    const [first] = await store.enabledRotation(lane, null)
    const due = await store.nextDueOf(lane, clock.now(), [])
    const source = due ?? (first === undefined ? null : await store.getSource(first))
    if (!source) return null
    const sent = await unlessGone(polls().request(source.id, 'probe', async () => stillNeeded()))
    return sent && { source, finished: sent.finished }
  }

  async #mayProbeStill(lane: string): Promise<boolean> {
    const host = await this.#deps.store.hostState(lane)
    return host !== null && mayProbe(host.breaker, this.#deps.clock.now())
  }
}

/** Its source was removed between choosing and asking, or the process ends: no probe, and no trouble for the tick. */
async function unlessGone<T>(request: Promise<T>): Promise<T | null> {
  return request.catch((error: unknown) => {
    if (error instanceof Problem) return null
    throw error
  })
}
