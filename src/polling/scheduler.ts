// The tick: clean up -> jitter -> due -> wake the lanes. It decides nothing itself, never waits for a lane and
// never overlaps itself; the next one is counted from the end of this one's dispatch.
import { logLevelOf } from '../domain/problem.ts'
import {
  dueNow,
  firstPlan,
  goingNow,
  isGap,
  overduePlan,
  SPREAD_FROM_SOURCES,
  tickStepMs,
  wasClockSetBack,
} from '../domain/schedule.ts'
import type { Clock, Random } from '../ports/clock.ts'
import type { SourceConfig } from '../ports/config.ts'
import type { TickSummary } from '../ports/engine.ts'
import type { Log } from '../ports/log.ts'
import type { PollingStore } from '../ports/polling-store.ts'
import type { CleanUpStore, Store } from '../ports/store.ts'
import { wait } from './lanes/wait.ts'
import { type ClockDoubt, LAST_TICK_AT } from './planning/clock-doubt.ts'
import { type SummaryStore, writeDailySummaries } from './planning/daily-summary.ts'
import { readFutureAsNow, replanUnderCap, replanUnderInterval } from './planning/replan.ts'

const BATCH = 500
/** At most so many calls in one tick; the rest waits for the next tick. */
const CLEAN_UP_CALLS = 20

export interface SchedulerDeps {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly store: PollingStore & CleanUpStore & SummaryStore & Pick<Store, 'engine' | 'lanesOfDuePages'>
  readonly rules: SourceConfig
  readonly clockDoubt: Pick<ClockDoubt, 'isTrusted'>
  readonly wake: (lane: string) => void
  /** Offers due lanes to all processes; null: this one looks after all of them. Resolves with how many were offered. */
  readonly offerDue?: (everyMs: number) => Promise<number> | null
  /** Called before lanes are woken: sends the probes of hosts that are down, and of our own connection. */
  readonly beforeWaking: (now: number) => Promise<void>
  /** True in an outage of our own: lanes are not woken. */
  readonly isPaused: () => boolean
}

export class Scheduler {
  readonly #deps: SchedulerDeps
  #ticking: Promise<TickSummary> | null = null
  #loop: Promise<void> | null = null
  readonly #stopping = new AbortController()
  lastTickAt: number | null = null
  nextTickAt: number | null = null

  constructor(deps: SchedulerDeps) {
    this.#deps = deps
  }

  get running(): boolean {
    return this.#loop !== null && !this.#stopping.signal.aborted
  }

  /**
   * The machine slept and has not ticked since. Overdue sources wait for the tick that spreads them, even in lanes that
   * were at work.
   */
  hasOverslept(now: number): boolean {
    return this.running && isGap(this.lastTickAt, now, this.#tickMs)
  }

  /** The last tick of any process on this store. If it is late, no scheduler seems to run. */
  async lastTick(now: number): Promise<{ readonly at: number | null; readonly isLate: boolean }> {
    const at = await readInstant(this.#deps.store, LAST_TICK_AT)
    return { at, isLate: !this.running && (at === null || isGap(at, now, this.#tickMs)) }
  }

  get #tickMs(): number {
    return this.#deps.rules.tickSeconds * 1000
  }

  /** A tick under way is joined, not started again. */
  tick(): Promise<TickSummary> {
    this.#ticking ??= this.#tick().finally(() => {
      this.#ticking = null
    })
    return this.#ticking
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#loop
    await this.#ticking?.catch(() => {})
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#deps
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await this.tick().catch((error: unknown) => {
        log[logLevelOf(error)]({ err: error }, '[Polling] a tick failed; the next one tries again')
      })
      await this.#untilNextTick(clock, signal)
    }
    this.nextTickAt = null
  }

  /** A minute at a time, because an outage may begin in the middle of it. */
  async #untilNextTick(clock: Clock, signal: AbortSignal): Promise<void> {
    let leftMs = this.#tickMs
    this.nextTickAt = clock.now() + leftMs
    while (leftMs > 0 && !signal.aborted) {
      const stepMs = tickStepMs(leftMs)
      const isPaused = this.#deps.isPaused()
      if (isPaused) this.nextTickAt = clock.now() + stepMs
      await wait(clock, stepMs, signal)
      leftMs = isPaused || this.#deps.isPaused() ? 0 : leftMs - stepMs
    }
  }

  async #tick(): Promise<TickSummary> {
    const { clock, store, log } = this.#deps
    const now = clock.now()
    const lastTickAt = await readInstant(store, LAST_TICK_AT)
    const isTrusted = await this.#deps.clockDoubt.isTrusted(lastTickAt, now)
    const deleted = isTrusted ? await this.#cleanUp(now) : { articles: 0, posts: 0 }
    const latest = Math.max(lastTickAt ?? now, (await store.lastPollEndedAt()) ?? now)
    // Read again: polls may have ended since the tick began.
    const presently = clock.now()
    if (wasClockSetBack(latest, store.engine === 'postgres', presently)) await readFutureAsNow(this.#deps, presently)
    if (this.lastTickAt === null) await this.#replanUnderNewRules(now)
    const jittered = await this.#jitter(now)
    if (isGap(lastTickAt, now, this.#tickMs)) await this.spreadOverdue(now, SPREAD_FROM_SOURCES)
    // Set before any lane is woken: lanes wait for the first tick after a sleep.
    this.lastTickAt = now
    await this.#deps.beforeWaking(now)
    const isPaused = this.#deps.isPaused()
    const { due, lanes } = await this.#dispatch(now, isPaused)
    await writeDailySummaries(store, now)
    await store.writeMeta(LAST_TICK_AT, String(now))
    const summary = { jittered, due, deletedArticles: deleted.articles, deletedPosts: deleted.posts }
    logTick(log, summary, lanes, isPaused)
    return summary
  }

  /** Through the queue that several processes share, or straight to the lanes of this one. */
  async #dispatch(now: number, isPaused: boolean): Promise<{ due: number; lanes: number }> {
    const { store, wake } = this.#deps
    const offered = isPaused ? null : ((await this.#deps.offerDue?.(this.#tickMs / 2)) ?? null)
    if (offered !== null) return { due: offered, lanes: offered }
    const lanes = await store.dueLanes(now)
    if (!isPaused) for (const { lane } of lanes) wake(lane)
    if (!isPaused) for (const lane of await store.lanesOfDuePages(now)) wake(lane)
    return { due: lanes.reduce((sum, lane) => sum + lane.due, 0), lanes: lanes.length }
  }

  async #cleanUp(now: number): Promise<{ articles: number; posts: number }> {
    const { store, rules } = this.#deps
    const sum = { articles: 0, posts: 0 }
    for (let call = 0; call < CLEAN_UP_CALLS; call++) {
      const { maxArticleAgeDays, pollHistoryDays } = rules
      const cleaned = await store.cleanUp({ now, maxArticleAgeDays, pollHistoryDays, batch: BATCH })
      sum.articles += cleaned.articles
      sum.posts += cleaned.posts
      if (cleaned.done) break
    }
    return sum
  }

  /** Never-polled sources get a made-up last poll, stored, so that their first polls spread. */
  async #jitter(now: number): Promise<number> {
    const { store, random, rules } = this.#deps
    let jittered = 0
    for (;;) {
      const sources = await store.unplannedSources(BATCH)
      if (sources.length === 0) return jittered
      await store.planSources(
        sources.map((source) => ({ id: source.id, ...firstPlan(source, rules, now, random) })),
        'unplanned',
      )
      jittered += sources.length
    }
  }

  /** After sleep, downtime or an outage, overdue sources are not all polled at once. */
  async spreadOverdue(now: number, fromSources: number): Promise<void> {
    const { store, log } = this.#deps
    const count = await store.countOverdue(now)
    if (count < fromSources) return
    const first: { id: string; was: number }[] = []
    let index = 0
    while (index < count) {
      const sources = await store.overdueSources(now, BATCH)
      if (sources.length === 0) break
      const goes = Math.max(0, goingNow(count, this.#tickMs) - index)
      // `was`: another process may spread the same sources, or poll them.
      const plans = sources.map(({ id, nextPollAt, ...source }) => ({
        id,
        nextPollAt: overduePlan(source, index++, count, now),
        was: nextPollAt,
      }))
      await store.planSources(plans)
      first.push(...plans.slice(0, goes).map((plan) => ({ id: plan.id, was: plan.nextPollAt })))
    }
    await store.planSources(first.map((plan) => ({ ...plan, nextPollAt: dueNow(now) })))
    log.info({ sources: index }, `[Polling] ${index} overdue sources spread: there was a gap in polling`)
  }

  /** Once after a start: plans that depend on the configuration follow it. */
  async #replanUnderNewRules(now: number): Promise<void> {
    const { rules } = this.#deps
    await this.#ifChanged('planned-under-max-backoff-hours', rules.maxBackoffHours, () =>
      replanUnderCap(this.#deps, now),
    )
    await this.#ifChanged('planned-under-poll-interval-minutes', rules.pollIntervalMinutes, (minutes) =>
      replanUnderInterval(this.#deps, minutes, now),
    )
  }

  /** The value is written after the plans, so that a crash in between repeats them. */
  async #ifChanged(key: string, value: number, replan: (value: number) => Promise<void>): Promise<void> {
    const { store } = this.#deps
    if ((await store.readMeta(key)) === String(value)) return
    await replan(value)
    await store.writeMeta(key, String(value))
  }
}

/** During an outage, what waits for its end is not reported with each tick: the outage has a line of its own. */
function logTick(log: Log, summary: TickSummary, lanes: number, isPaused: boolean): void {
  const { due, jittered, deletedArticles, deletedPosts } = summary
  const did = [isPaused ? 0 : due, jittered, deletedArticles, deletedPosts]
  const waiting = `${due} due on ${lanes === 1 ? '1 host' : `${lanes} hosts`}${isPaused ? ' that wait for our own connection' : ''}`
  const words = `${waiting}, ${jittered} planned, ${deletedArticles} articles and ${deletedPosts} posts cleaned up`
  log[did.some((count) => count > 0) ? 'info' : 'debug']({ ...summary, lanes }, `[Polling] tick: ${words}`)
}

async function readInstant(store: PollingStore, key: string): Promise<number | null> {
  const value = await store.readMeta(key)
  return value === null ? null : Number(value)
}
