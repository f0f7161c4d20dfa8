// One worker thread and its one job. The time limit counts from when the thread is up and has the job, so that a slow
// start is not blamed on a document; a thread that cannot start at all has the same time to say so.
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { type Transferable, Worker } from 'node:worker_threads'
import type { Job, Reply } from './messages.ts'
import type { WorkerResult } from './worker-result.ts'

export interface ThreadLimits {
  readonly timeLimitMs: number
  readonly heapLimitMb: number
}

export interface Threaded {
  readonly busy: boolean
  /** For how long it has had its present job; 0 without one. */
  readonly busyMs: number
  /** Stopped or crashed: takes no further job. */
  readonly dead: boolean
  run(task: string, payload: unknown, give: readonly Transferable[]): Promise<WorkerResult<unknown>>
  stop(): Promise<void>
}

const START_LIMIT_MS = 15_000

export function startWorker(entry: URL, { timeLimitMs, heapLimitMb }: ThreadLimits): Threaded {
  const worker = new Worker(entry, {
    // A reader needs nothing of the environment, so it cannot leak it.
    env: {},
    workerData: { compileCache: compileCacheFolder() },
    resourceLimits: { maxOldGenerationSizeMb: heapLimitMb, maxYoungGenerationSizeMb: 64 },
  })
  let settle: ((result: WorkerResult<unknown>) => void) | null = null
  let timer: NodeJS.Timeout | undefined
  let dead = false
  let count = 0
  let since = 0
  const ready = Promise.withResolvers<void>()
  worker.unref()

  function finish(result: WorkerResult<unknown>): void {
    clearTimeout(timer)
    worker.unref()
    settle?.(result)
    settle = null
  }
  function lose(why: 'timeout' | 'crashed', message: string): void {
    dead = true
    finish({ ok: false, why, code: null, message })
    void worker.terminate()
  }
  function limit(ms: number, message: string): void {
    clearTimeout(timer)
    timer = setTimeout(() => lose('timeout', message), ms)
  }

  worker.on('message', (reply: Reply) => {
    if (reply.kind === 'ready') ready.resolve()
    else if (reply.id !== count) return
    else if (reply.kind === 'done') finish({ ok: true, value: reply.value })
    else finish({ ok: false, why: 'error', code: reply.code, message: reply.message })
  })
  worker.on('error', (error) => lose('crashed', `The reader crashed: ${error.message}`))
  worker.on('exit', (code) => lose('crashed', `The reader ended with code ${code}`))

  return {
    get busy() {
      return settle !== null || dead
    },
    get busyMs() {
      return settle === null ? 0 : performance.now() - since
    },
    get dead() {
      return dead
    },
    run: (task, payload, give) =>
      new Promise((resolve) => {
        settle = resolve
        since = performance.now()
        worker.ref()
        limit(START_LIMIT_MS, 'The reader did not start')
        ready.promise.then(() => {
          if (dead) return
          limit(timeLimitMs, `Reading took longer than ${timeLimitMs / 1000} s`)
          const job: Job = { id: ++count, task, payload }
          try {
            worker.postMessage(job, give)
          } catch (error) {
            // A payload that cannot be cloned never left this thread.
            finish({ ok: false, why: 'error', code: null, message: String(error) })
          }
        })
      }),
    stop: async () => {
      lose('crashed', 'The reading room is closed')
      await worker.terminate()
    },
  }
}

/** The folder that the process keeps compiled code in; the runtime adds a folder for its own version to it. */
function compileCacheFolder(): string | null {
  const inUse = getCompileCacheDir()
  return inUse === undefined ? null : dirname(inUse)
}
