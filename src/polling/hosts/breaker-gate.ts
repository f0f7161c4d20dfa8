// The breakers of the hosts that one poll asks. An open breaker stops a scheduled poll, unless it is time for a probe; a
// poll by hand goes through and counts as the probe. When the poll is over, no breaker stays half-open because of it: its
// record moves the breaker of the host that answered last, and this moves the others.
import {
  abandonProbe,
  afterHostSuccess,
  beginProbe,
  breakerGate,
  probeAskedNobody,
  putOffUntil,
} from '../../domain/breaker.ts'
import type { HostState } from '../../domain/host.ts'
import { isNullLane } from '../../domain/lane.ts'
import type { Trigger } from '../../domain/outcome.ts'
import { recoveryPlans } from '../../domain/schedule.ts'
import type { Source } from '../../domain/source.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SourceConfig } from '../../ports/config.ts'
import type { HostRecovery } from '../../ports/host-store.ts'
import type { Log } from '../../ports/log.ts'
import type { PutOff } from '../../ports/reader.ts'
import type { Store } from '../../ports/store.ts'
import { hostClosed, logHostEvents } from './host-events.ts'

export interface BreakerGateDeps {
  readonly clock: Clock
  readonly log: Log
  readonly store: Pick<Store, 'hostState' | 'changeHost' | 'recoverHost'>
  readonly rules: Pick<SourceConfig, 'breaker' | 'maxBackoffHours'>
}

export class BreakerGate {
  readonly #deps: BreakerGateDeps
  readonly #source: Source
  readonly #trigger: Trigger
  readonly #probing = new Set<string>()

  constructor(deps: BreakerGateDeps, source: Source, trigger: Trigger) {
    this.#deps = deps
    this.#source = source
    this.#trigger = trigger
  }

  /** A poll that a person asked for, or made due, does not wait for a breaker. */
  get #waits(): boolean {
    return this.#trigger === 'tick' && !this.#source.isMadeDue
  }

  /** Asked in the lane, before its first request. */
  enter = async (lane: string): Promise<PutOff | null> => {
    const { clock, store, rules } = this.#deps
    const host = isNullLane(lane) ? null : await store.hostState(lane)
    const now = clock.now()
    const gate = host ? breakerGate(host.breaker, rules.breaker, now) : 'pass'
    if (!host || gate === 'pass') return null
    if (this.#waits && gate === 'skip') return putOffBy(host, now)
    await store.changeHost(lane, ({ breaker }) => ({ breaker: beginProbe(breaker, this.#source.id, now) }))
    this.#probing.add(lane)
    return null
  }

  /**
   * Asked before the first request, about the host that the source was redirected to last time. A scheduled poll waits
   * for that host's breaker; a poll by hand counts as its probe.
   */
  async foresee(): Promise<PutOff | null> {
    const { clock, store, rules } = this.#deps
    const { leadsTo } = this.#source
    if (leadsTo === null) return null
    if (!this.#waits) return this.enter(leadsTo)
    const host = await store.hostState(leadsTo)
    const now = clock.now()
    return host && breakerGate(host.breaker, rules.breaker, now) !== 'pass' ? putOffBy(host, now) : null
  }

  /** When the poll is over. `asked`: the lane that was asked last; if it is recorded, the record moved its row. */
  async settle(isRecorded: boolean, asked: string | null, passed: ReadonlySet<string>): Promise<void> {
    const { clock, store } = this.#deps
    const recordedIn = isRecorded ? asked : null
    const untried = isRecorded && asked === null ? probeAskedNobody : abandonProbe
    for (const lane of passed) if (lane !== recordedIn && !isNullLane(lane)) await this.#answered(lane, isRecorded)
    for (const lane of this.#probing) {
      if (lane === recordedIn || passed.has(lane)) continue
      const now = clock.now()
      await store.changeHost(lane, ({ breaker }) => ({ breaker: untried(breaker, now) }))
    }
  }

  /** A redirect is an answer, so the host that gave it works. The poll's own record stays as it is. */
  async #answered(lane: string, isRecorded: boolean): Promise<void> {
    const { clock, store, log, rules } = this.#deps
    const known = await store.hostState(lane)
    if (!known || (known.breaker.inARow === 0 && known.breaker.state === 'closed')) return
    const now = clock.now()
    const recovers = ({ id }: Source): boolean => !(isRecorded && id === this.#source.id)
    let decided: HostRecovery | null = null
    await store.recoverHost(lane, (host, { sources }) => {
      const { breaker, did } = afterHostSuccess(host.breaker)
      const closed = did === 'closed'
      decided = {
        host: { breaker, ...(closed && { lastSucceededAt: now }) },
        recover: closed ? (all) => recoveryPlans(all.filter(recovers), rules, now) : null,
        enableSince: closed ? host.lastSucceededAt : null,
        events: closed ? [hostClosed(host, 'it answers again', sources, now)] : [],
      }
      return decided
    })
    logHostEvents(log, (decided as HostRecovery | null)?.events ?? [])
  }
}

/** Until the next probe is due and the lane is open. */
function putOffBy(host: HostState, now: number): PutOff {
  const until = putOffUntil(host, now)
  const { lane } = host
  return { until, reason: `${lane} fails for its sources and is not asked before then`, lane, because: 'breaker' }
}
