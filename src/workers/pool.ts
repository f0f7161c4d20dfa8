// A small pool of worker threads for documents that may be large or hostile.
// - Jobs wait in one queue, first in, first out. A thread runs one job at a time and is started when it is first needed.
// - A job fails if it exceeds its time limit or crashes its thread, for example at the heap limit. The thread is replaced.
// - A job that runs for more than a second no longer counts against the size of the pool, so that a few slow documents do
//   not block all others. The extra thread is stopped when it is no longer needed.
// - Idle threads do not keep the process alive.
// See docs/decisions/0045-own-worker-pool.md

import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import type { Transferable } from 'node:worker_threads'
import type { WorkerResult } from './worker-result.ts'
import { startThread, type WorkerThread } from './worker-thread.ts'

export interface WorkerPoolOptions {
  /** The maximum number of threads. By default one less than the number of cores, and at most four. */
  readonly size?: number
  readonly timeLimitMs?: number
  readonly heapLimitMb?: number
  readonly entry?: URL
}

export interface WorkerPool extends AsyncDisposable {
  /** `transfer`: buffers that are transferred instead of copied. The caller cannot use them afterwards. */
  run<T>(task: string, payload: unknown, transfer?: readonly Transferable[]): Promise<WorkerResult<T>>
  readonly threads: number
  close(): Promise<void>
}

interface QueuedJob {
  readonly task: string
  readonly payload: unknown
  readonly transfer: readonly Transferable[]
  readonly settle: (result: WorkerResult<unknown>) => void
}

const SLOW_MS = 1_000
const MAX_SLOW_THREADS = 2

export function createWorkerPool(options: WorkerPoolOptions = {}): WorkerPool {
  const {
    size = Math.max(1, Math.min(4, availableParallelism() - 1)),
    timeLimitMs = 10_000,
    heapLimitMb = 512,
    entry = new URL(`./document-worker${extname(import.meta.url)}`, import.meta.url),
  } = options
  const queue: QueuedJob[] = []
  const threads = new Set<WorkerThread>()
  let closed = false
  let recheckTimer: NodeJS.Timeout | undefined

  function startJobs(): void {
    while (queue.length > 0) {
      const free = [...threads].find((thread) => !thread.busy) ?? addThread()
      const next = free && queue.shift()
      if (!free || !next) {
        recheckLater()
        return
      }
      free.run(next.task, next.payload, next.transfer).then((result) => {
        if (free.dead || threads.size > allowed()) remove(free)
        next.settle(result)
        startJobs()
      })
    }
  }

  /** Jobs that are still running after this time are slow and allow another thread. */
  function recheckLater(): void {
    recheckTimer ??= setTimeout(() => {
      recheckTimer = undefined
      startJobs()
    }, SLOW_MS)
  }

  function allowed(): number {
    const slow = [...threads].filter((thread) => thread.busyMs > SLOW_MS).length
    return size + Math.min(slow, MAX_SLOW_THREADS)
  }

  function remove(thread: WorkerThread): void {
    threads.delete(thread)
    void thread.stop()
  }

  function addThread(): WorkerThread | null {
    for (const thread of threads) if (thread.dead) threads.delete(thread)
    if (threads.size >= allowed()) return null
    const thread = startThread(entry, { timeLimitMs, heapLimitMb })
    threads.add(thread)
    return thread
  }

  async function close(): Promise<void> {
    closed = true
    clearTimeout(recheckTimer)
    for (const { settle } of queue.splice(0)) settle(CLOSED)
    await Promise.all([...threads].map((thread) => thread.stop()))
    threads.clear()
  }

  return {
    run: <T>(task: string, payload: unknown, transfer: readonly Transferable[] = []) =>
      new Promise<WorkerResult<T>>((resolve) => {
        // The worker's task decides what T is; nothing at run time can.
        const settle = (result: WorkerResult<unknown>) => resolve(result as WorkerResult<T>)
        if (closed) return settle(CLOSED)
        queue.push({ task, payload, transfer, settle })
        startJobs()
      }),
    get threads() {
      return threads.size
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

const CLOSED: WorkerResult<never> = {
  ok: false,
  why: 'crashed',
  code: null,
  message: 'The document readers are stopped',
}
