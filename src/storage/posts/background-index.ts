// Keeps the search indexes of posts and sources up to date while the process runs. While polls are under way it works a
// thirteenth of the time at most, otherwise half of it. Pauses are real time: they limit what the machine does, and are no
// rule.
// See docs/decisions/0141-search-index-filled-in-the-background.md
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'

const NOTHING_TO_DO_MS = 2000
/** Of many processes with nothing to do, each looks less often, up to this. */
const LONGEST_PAUSE_MS = 16_000
/** New posts wait for each other, because many cost little more than a few. A search finds them without the index. */
const AT_LEAST = 100
const LONGEST_WAIT_MS = 600_000
const AFTER_FAILURE_MS = 30_000
/** Pause for each millisecond of work. Polls take a tenth longer at most, and that only with a pause of more than ten. */
const PAUSE = { busy: 12, idle: 1 }

export interface BackgroundIndexParts {
  readonly store: Pick<Store, 'indexPosts' | 'indexSources'>
  readonly log: Log
  isPolling(): boolean
}

export class BackgroundIndex {
  readonly #parts: BackgroundIndexParts
  #stopping: AbortController | null = null
  #running: Promise<void> = Promise.resolve()
  #indexedAllAt = Number.NEGATIVE_INFINITY
  /** How often in a row there was nothing to do. */
  #inVain = 0

  constructor(parts: BackgroundIndexParts) {
    this.#parts = parts
  }

  start(): void {
    if (this.#stopping) return
    const stopping = new AbortController()
    this.#stopping = stopping
    this.#running = this.#run(stopping.signal)
  }

  async stop(): Promise<void> {
    this.#stopping?.abort()
    this.#stopping = null
    await this.#running
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const pauseMs = await this.#indexSome()
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  /** Returns how long to wait before the next time. */
  async #indexSome(): Promise<number> {
    const { store, log, isPolling } = this.#parts
    const startedAt = performance.now()
    try {
      const isLate = startedAt - this.#indexedAllAt > LONGEST_WAIT_MS
      const posts = await store.indexPosts(isLate ? 1 : AT_LEAST)
      if (isLate && posts < AT_LEAST) this.#indexedAllAt = startedAt
      const indexed = posts || (await store.indexSources())
      if (indexed === 0) return Math.min(NOTHING_TO_DO_MS * 2 ** this.#inVain++, LONGEST_PAUSE_MS)
      this.#inVain = 0
      return pauseAfter(performance.now() - startedAt, isPolling())
    } catch (error) {
      log.warn({ err: error }, '[Search] posts or sources could not be indexed; tried again soon')
      return AFTER_FAILURE_MS
    }
  }
}

export function pauseAfter(workMs: number, isPolling: boolean): number {
  return workMs * (isPolling ? PAUSE.busy : PAUSE.idle)
}
