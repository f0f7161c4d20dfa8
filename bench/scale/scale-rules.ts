// What an answer does to a source and its host, by the rules of src/domain that the product uses. Sources are numbers in
// arrays here; the parts of a row that the rules read are filled in for each call.
import { afterHostFailure, afterHostSuccess, beginProbe, breakerGate } from '../../src/domain/breaker.ts'
import { afterFailure } from '../../src/domain/health.ts'
import type { BreakerState } from '../../src/domain/host.ts'
import { CLOSED_BREAKER } from '../../src/domain/host.ts'
import type { Failure } from '../../src/domain/outcome.ts'
import { spacingAfter } from '../../src/domain/owner-spacing.ts'
import { HOUR_MS, type Plannable, planNextPoll, recoveryPlans } from '../../src/domain/schedule.ts'
import { closedUntil, closingAfter, spacingEndsAt } from '../../src/domain/spacing.ts'
import type { DueSources } from './due-sources.ts'
import type { Answer, MadeUpWorld } from './made-up-world.ts'

const LIMITS = { maxBackoffHours: 24, maxFailures: 5 }
const BREAKER = { failures: 3, sources: 2, waitHours: 24 }
const OWNER = 'everybody'
const FAILURES: Readonly<Record<'gone' | 'down' | 'throttled', Failure>> = {
  gone: { code: 'http-status', httpStatus: 404, reason: 'answered 404' },
  down: { code: 'connect-timeout', httpStatus: null, reason: 'did not connect' },
  throttled: { code: 'http-status', httpStatus: 429, reason: 'answered 429' },
}

/** What the store keeps of a host, as far as these rules go. */
export interface SimulatedHost {
  notBefore: number | null
  lastRequestAt: number | null
  closedUntil: number | null
  closedReason: string | null
  bareThrottles: number
  hasSucceeded: boolean
  breaker: BreakerState
}

export class ScaleRules {
  readonly #world: MadeUpWorld
  readonly #due: DueSources
  readonly #delayMs: number
  readonly hosts: SimulatedHost[]
  readonly lastPolled: Float64Array
  readonly #failures: Uint8Array
  readonly #permanentRun: Uint8Array
  disabled = 0
  opened = 0

  constructor(world: MadeUpWorld, due: DueSources, delayMs: number) {
    this.#world = world
    this.#due = due
    this.#delayMs = delayMs
    const sources = due.nextPollAt.length
    this.hosts = Array.from({ length: world.from.length - 1 }, newHost)
    this.lastPolled = new Float64Array(sources)
    this.#failures = new Uint8Array(sources)
    this.#permanentRun = new Uint8Array(sources)
  }

  /** When the host may be asked next, and whether that is a probe. */
  nextVisit(host: number, now: number): { at: number; isProbe: boolean } {
    const state = this.hosts[host] as SimulatedHost
    const free = Math.max(spacingEndsAt(state, now), closedUntil(state, now) ?? now)
    const gate = breakerGate(state.breaker, BREAKER, now)
    if (gate === 'pass') return { at: Math.max(free, this.#due.firstAt(host)), isProbe: false }
    return { at: Math.max(free, gate === 'probe' ? now : (state.breaker.probeAt ?? now)), isProbe: true }
  }

  /** The request goes out: its spacing is reserved. */
  begin(host: number, source: number, at: number, isProbe: boolean): void {
    const state = this.hosts[host] as SimulatedHost
    if (isProbe) state.breaker = beginProbe(state.breaker, String(source), at)
    state.lastRequestAt = at
    state.notBefore = spacingAfter(null, OWNER, this.#delay, at).notBefore
  }

  /** The answer is recorded. The source is the first of its host. */
  end(host: number, source: number, answer: Answer, at: number): void {
    const state = this.hosts[host] as SimulatedHost
    state.notBefore = spacingAfter(null, OWNER, this.#delay, at).notBefore
    this.lastPolled[source] = at
    if (answer.kind === 'unchanged' || answer.kind === 'new') this.#succeed(host, state, source, at)
    else this.#fail(host, state, source, answer as Answer & { kind: keyof typeof FAILURES }, at)
  }

  /** The plan of a source under the failures that it has. */
  plannable(source: number, enabled = true): Plannable {
    return {
      pollIntervalMinutes: this.#world.intervalMinutes[source] ?? 60,
      adaptive: false,
      learnedIntervalMinutes: null,
      maxBackoffHours: null,
      consecutiveFailures: this.#failures[source] ?? 0,
      enabled,
      lastPolled: this.lastPolled[source] ?? 0,
      freshUntil: null,
      retryAt: null,
      honourFreshness: true,
    }
  }

  get #delay() {
    return { ownMs: null, othersMs: this.#delayMs, type: 'rss' }
  }

  #succeed(host: number, state: SimulatedHost, source: number, at: number): void {
    this.#failures[source] = 0
    this.#permanentRun[source] = 0
    state.hasSucceeded = true
    state.bareThrottles = 0
    const { breaker, did } = afterHostSuccess(state.breaker)
    state.breaker = breaker
    this.#due.planFirst(host, planNextPoll(this.plannable(source), LIMITS, at) ?? at)
    if (did === 'closed') this.#recover(host, at)
  }

  #fail(
    host: number,
    state: SimulatedHost,
    source: number,
    { kind, retryAfterMs }: Answer & { readonly kind: keyof typeof FAILURES },
    at: number,
  ): void {
    const failure = FAILURES[kind]
    if (kind === 'throttled') {
      const closing = closingAfter(
        state,
        { status: 429, hint: at + retryAfterMs },
        at,
        LIMITS.maxBackoffHours * HOUR_MS,
      )
      if (closing) Object.assign(state, closing)
    }
    const before = {
      enabled: true,
      maxFailures: null,
      consecutiveFailures: this.#failures[source] ?? 0,
      permanentRun: new Array<string>(this.#permanentRun[source] ?? 0).fill('404'),
      disabledReason: null,
    }
    const after = afterFailure(before, failure, { maxFailures: LIMITS.maxFailures, mayDisable: true })
    this.#failures[source] = Math.min(after.consecutiveFailures, 255)
    this.#permanentRun[source] = after.permanentRun.length
    if (!after.enabled) this.disabled++
    const told = { failure, sourceId: String(source), userId: OWNER, at }
    const { breaker, did } = afterHostFailure(state.breaker, told, BREAKER, {
      succeededBefore: state.hasSucceeded,
      owners: 1,
    })
    state.breaker = breaker
    if (did === 'opened') this.opened++
    const plan = planNextPoll(this.plannable(source, after.enabled), LIMITS, at)
    this.#due.planFirst(host, plan ?? Number.POSITIVE_INFINITY)
  }

  /** Its breaker has closed: all its sources start anew. */
  #recover(host: number, at: number): void {
    const enabled = [...this.#due.each(host)].filter((source) => Number.isFinite(this.#due.nextPollAt[source]))
    for (const source of enabled) this.#failures[source] = 0
    const plans = recoveryPlans(
      enabled.map((source) => ({ ...this.plannable(source), id: String(source) })),
      LIMITS,
      at,
    )
    for (const { id, nextPollAt } of plans) this.#due.nextPollAt[Number(id)] = nextPollAt
    this.#due.sort(host)
  }
}

function newHost(): SimulatedHost {
  return {
    ...{ notBefore: null, lastRequestAt: null, closedUntil: null, closedReason: null },
    ...{ bareThrottles: 0, hasSucceeded: false, breaker: CLOSED_BREAKER },
  }
}
