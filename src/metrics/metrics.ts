// Figures for Prometheus. From `start` to `close` counters follow the events of this process; gauges are read for each
// scrape. Polling knows nothing of this.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import type { NewEvent, StoredEvent } from '../domain/event.ts'
import type { SourceTypes } from '../domain/source-type.ts'
import { dayOf } from '../domain/x-posts-limit.ts'
import type { Clock } from '../ports/clock.ts'
import type { Engine } from '../ports/engine.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import { BodySizes } from './body-sizes.ts'
import { countEvent } from './count-events.ts'
import { createMeters, figuresOf } from './meters.ts'
import { CONTENT_TYPE, textOf } from './text-format.ts'

const RETRY_MS = 1000

export interface MetricsParts {
  readonly store: Store
  readonly engine: Pick<Engine, 'status'>
  readonly clock: Clock
  readonly log: Log
  readonly version: string
  readonly types: Pick<SourceTypes, 'names'>
  readonly subscribe: (signal: AbortSignal) => AsyncIterable<NewEvent | StoredEvent>
}

export class Metrics {
  readonly #parts: MetricsParts
  readonly #meters = createMeters()
  readonly #ending = new AbortController()
  #delay: ReturnType<typeof monitorEventLoopDelay> | null = null
  #counting: Promise<void> | null = null
  #stopTiming = (): void => {}

  constructor(parts: MetricsParts) {
    this.#parts = parts
    const { build, breakers } = this.#meters
    build.set({ version: parts.version }, 1)
    for (const state of ['open', 'half-open']) breakers.set({ state }, 0)
  }

  readonly contentType = CONTENT_TYPE

  start(): void {
    if (this.#counting !== null) return
    this.#delay = monitorEventLoopDelay({ resolution: 10 })
    this.#delay.enable()
    const { storeSeconds } = this.#meters
    this.#stopTiming = this.#parts.store.onCallEnded((verb, seconds) => storeSeconds.observe({ verb }, seconds))
    this.#counting = this.#count()
  }

  async text(): Promise<string> {
    await this.#read()
    return textOf(figuresOf(this.#meters))
  }

  async close(): Promise<void> {
    this.#ending.abort()
    this.#stopTiming()
    this.#delay?.disable()
    await this.#counting
  }

  /** Counting goes on whatever fails: counters that stop look as if polling had stopped. */
  async #count(): Promise<void> {
    const { subscribe, log, store, types } = this.#parts
    const { signal } = this.#ending
    const counting = { meters: this.#meters, sizes: new BodySizes(store), types }
    const missed = (error: unknown) => log.warn({ err: error }, 'metrics missed an event')
    while (!signal.aborted) {
      try {
        for await (const event of subscribe(signal)) await countEvent(counting, event).catch(missed)
        return
      } catch (error) {
        missed(error)
        await setTimeout(RETRY_MS, undefined, { signal }).catch(() => {})
      }
    }
  }

  async #read(): Promise<void> {
    const { store, engine, clock } = this.#parts
    const meters = this.#meters
    const { hosts, sources, backlog } = await store.summary(clock.now())
    meters.sources.set({ state: 'enabled' }, sources.enabled)
    meters.sources.set({ state: 'disabled' }, sources.disabled)
    meters.sourcesFailing.set(sources.failing)
    meters.sourcesQuiet.set(sources.quiet)
    meters.sourcesDue.set(sources.due)
    meters.lanes.set({ state: 'known' }, hosts.hosts)
    meters.lanes.set({ state: 'closed' }, hosts.closed)
    meters.breakers.set({ state: 'open' }, hosts.open)
    meters.breakers.set({ state: 'half-open' }, hosts.halfOpen)
    meters.queueDepth.set(backlog.hosts)
    for (const [quantile, lagMs] of Object.entries(backlog.lagMs)) meters.dueLagSeconds.set({ quantile }, lagMs / 1000)
    const status = engine.status()
    meters.hostsInHand.set(status.hostsInHand)
    meters.lanesAtWork.set(status.lanesAtWork)
    meters.requestsInFlight.set(status.requestsInFlight)
    meters.outage.set(status.outage ? 1 : 0)
    meters.schedulerRunning.set(status.running ? 1 : 0)
    if (status.lastTickAt !== null) meters.lastTick.set(status.lastTickAt / 1000)
    meters.memory.set(process.memoryUsage.rss())
    meters.xPostsReadToday.reset()
    for (const { userId, posts } of await store.xPostsReadOn(dayOf(clock.now()))) {
      meters.xPostsReadToday.set({ owner: userId }, posts)
    }
    this.#readDelay()
  }

  #readDelay(): void {
    if (!this.#delay) return
    const quantiles = { '0.5': this.#delay.percentile(50), '0.99': this.#delay.percentile(99), '1': this.#delay.max }
    for (const [quantile, nanoseconds] of Object.entries(quantiles)) {
      this.#meters.eventLoopDelay.set({ quantile }, nanoseconds / 1e9)
    }
    this.#delay.reset()
  }
}
