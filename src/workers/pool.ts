// A small pool of worker threads for documents that may be large, hostile or both.
// - Jobs wait in one queue, first come first served; a worker has one job at a time and starts when first needed.
// - A job that exceeds its time limit, or takes its worker down (heap limit included), fails; the worker is replaced.
// - A job at work for more than a second no longer counts against the size, so that a few documents made to be slow do
//   not hold up all the others; what was started because of it goes when it is not needed any more.
// - Idle workers do not keep the process alive.

import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import type { Transferable } from 'node:worker_threads'
import { startWorker, type Threaded } from './threaded.ts'
import type { WorkerResult } from './worker-result.ts'

export interface WorkerPoolOptions {
  /** How many threads at most; by default one core is left to the main thread, and four are enough. */
  readonly size?: number
  readonly timeLimitMs?: number
  readonly heapLimitMb?: number
  readonly entry?: URL
}

export interface WorkerPool extends AsyncDisposable {
  /** `give`: buffers that the caller will not touch again, handed over instead of copied. */
  run<T>(task: string, payload: unknown, give?: readonly Transferable[]): Promise<WorkerResult<T>>
  readonly threads: number
  close(): Promise<void>
}

interface Waiting {
  readonly task: string
  readonly payload: unknown
  readonly give: readonly Transferable[]
  readonly settle: (result: WorkerResult<unknown>) => void
}

const SLOW_MS = 1_000
const MOST_SLOW = 2

export function createWorkerPool(options: WorkerPoolOptions = {}): WorkerPool {
  const {
    size = Math.max(1, Math.min(4, availableParallelism() - 1)),
    timeLimitMs = 10_000,
    heapLimitMb = 512,
    entry = new URL(`./document-worker${extname(import.meta.url)}`, import.meta.url),
  } = options
  const queue: Waiting[] = []
  const threads = new Set<Threaded>()
  let closed = false
  let waker: NodeJS.Timeout | undefined

  function pump(): void {
    while (queue.length > 0) {
      const free = [...threads].find((thread) => !thread.busy) ?? grow()
      const next = free && queue.shift()
      if (!free || !next) {
        lookAgain()
        return
      }
      free.run(next.task, next.payload, next.give).then((result) => {
        if (free.dead || threads.size > allowed()) remove(free)
        next.settle(result)
        pump()
      })
    }
  }

  /** Whoever works by then is slow. */
  function lookAgain(): void {
    waker ??= setTimeout(() => {
      waker = undefined
      pump()
    }, SLOW_MS)
  }

  function allowed(): number {
    const slow = [...threads].filter((thread) => thread.busyMs > SLOW_MS).length
    return size + Math.min(slow, MOST_SLOW)
  }

  function remove(thread: Threaded): void {
    threads.delete(thread)
    void thread.stop()
  }

  function grow(): Threaded | null {
    for (const thread of threads) if (thread.dead) threads.delete(thread)
    if (threads.size >= allowed()) return null
    const thread = startWorker(entry, { timeLimitMs, heapLimitMb })
    threads.add(thread)
    return thread
  }

  async function close(): Promise<void> {
    closed = true
    clearTimeout(waker)
    for (const { settle } of queue.splice(0)) settle(CLOSED)
    await Promise.all([...threads].map((thread) => thread.stop()))
    threads.clear()
  }

  return {
    run: <T>(task: string, payload: unknown, give: readonly Transferable[] = []) =>
      new Promise<WorkerResult<T>>((resolve) => {
        // The worker's task decides what T is; nothing at run time can.
        const settle = (result: WorkerResult<unknown>) => resolve(result as WorkerResult<T>)
        if (closed) return settle(CLOSED)
        queue.push({ task, payload, give, settle })
        pump()
      }),
    get threads() {
      return threads.size
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

const CLOSED: WorkerResult<never> = { ok: false, why: 'crashed', code: null, message: 'The reading room is closed' }
