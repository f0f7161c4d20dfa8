// Polls that nobody's plan asks for: of hosts whose breaker is open, and on behalf of the outage watch. The enabled
// sources of a lane take turns; a probe waits at the head like a person's poll and is dropped when no longer needed.
import { abandonProbe, mayProbe, nextToProbe, underRules } from '../domain/breaker.ts'
import type { BreakerState, HostState } from '../domain/host.ts'
import { Problem } from '../domain/problem.ts'
import { closedUntil } from '../domain/spacing.ts'
import type { Clock } from '../ports/clock.ts'
import type { SourceConfig } from '../ports/config.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import { closeBreaker } from './close-breaker.ts'
import type { SentProbe } from './outage-watch.ts'
import type { Polls } from './polls.ts'

export interface ProbesDeps {
  readonly clock: Clock
  readonly log: Log
  readonly store: Store
  readonly rules: Pick<SourceConfig, 'breaker'>
  readonly polls: () => Polls
}

export class Probes {
  readonly #deps: ProbesDeps
  /** Probes sent before are the last life's, and lost with it. */
  readonly #bornAt: number

  constructor(deps: ProbesDeps) {
    this.#deps = deps
    this.#bornAt = deps.clock.now()
  }

  /**
   * One for each host whose breaker has waited long enough and that did not ask to be left alone. What the last life
   * left open goes when breakers were turned off since, and waits no longer than they do now.
   */
  async ofBreakers(now: number): Promise<void> {
    const { store, rules, polls } = this.#deps
    for (const host of await store.troubledHosts()) {
      const { lane } = host
      if (rules.breaker.failures === 0) {
        await closeBreaker(this.#deps, lane, 'breakers are turned off')
        continue
      }
      const breaker = await this.#takenUp(host, now)
      if (!mayProbe(breaker, now) || closedUntil(host, now) !== null) continue
      const id = nextToProbe(breaker, await store.enabledInTurn(lane, breaker.probedBy))
      if (id !== null) await unlessGone(polls().request(id, 'probe', () => this.#mayProbeStill(lane)))
      else await this.#closeIfForsaken(lane, now)
    }
  }

  /** What the last life left, as this one sees it. */
  async #takenUp({ lane, breaker: kept }: HostState, now: number): Promise<BreakerState> {
    const takenUp = (breaker: BreakerState): BreakerState => {
      const isLost = breaker.probingSince !== null && breaker.probingSince < this.#bornAt
      return underRules(isLost ? abandonProbe(breaker, now) : breaker, this.#deps.rules.breaker)
    }
    if (takenUp(kept) === kept) return kept
    return (await this.#deps.store.changeHost(lane, ({ breaker }) => ({ breaker: takenUp(breaker) }))).breaker
  }

  /** Its sources were moved or removed: nobody would ever ask again whether it is back. Disabled ones may return. */
  async #closeIfForsaken(lane: string, now: number): Promise<void> {
    const listing = await this.#deps.store.hostListing(lane, { userId: null, now })
    if (listing?.sources === 0) await closeBreaker(this.#deps, lane, 'it has no sources any more')
  }

  /** Through this lane, with the source that is due soonest or else the first. null: it has none. */
  async through(lane: string, stillWanted: () => boolean): Promise<SentProbe | null> {
    const { store, clock, polls } = this.#deps
    const [first] = await store.enabledInTurn(lane, null)
    const due = await store.nextDueOf(lane, clock.now(), [])
    const source = due ?? (first === undefined ? null : await store.getSource(first))
    if (!source) return null
    const sent = await unlessGone(polls().request(source.id, 'probe', async () => stillWanted()))
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
