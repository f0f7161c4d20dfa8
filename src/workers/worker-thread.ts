// One worker thread and its current job. The time limit counts from the moment when the thread is ready and has the job, so that
// a slow start does not count against a document. Starting a thread has a limit of its own.
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { type Transferable, Worker } from 'node:worker_threads'
import type { Job, Reply } from './messages.ts'
import type { WorkerResult } from './worker-result.ts'

export interface ThreadLimits {
  readonly timeLimitMs: number
  readonly heapLimitMb: number
}

export interface WorkerThread {
  readonly busy: boolean
  /** How long its current job has been running; 0 without a job. */
  readonly busyMs: number
  /** Stopped or crashed: it takes no further job. */
  readonly dead: boolean
  run(task: string, payload: unknown, transfer: readonly Transferable[]): Promise<WorkerResult<unknown>>
  stop(): Promise<void>
}

const START_LIMIT_MS = 15_000

export function startThread(entry: URL, { timeLimitMs, heapLimitMb }: ThreadLimits): WorkerThread {
  const worker = new Worker(entry, {
    // Readers need no environment variables. Without them they cannot leak any.
    env: {},
    workerData: { compileCache: compileCacheFolder() },
    resourceLimits: { maxOldGenerationSizeMb: heapLimitMb, maxYoungGenerationSizeMb: 16 },
  })
  let settle: ((result: WorkerResult<unknown>) => void) | null = null
  let timer: NodeJS.Timeout | undefined
  let dead = false
  let lastJobId = 0
  let startedAt = 0
  const ready = Promise.withResolvers<void>()
  worker.unref()

  function finish(result: WorkerResult<unknown>): void {
    clearTimeout(timer)
    worker.unref()
    settle?.(result)
    settle = null
  }
  function fail(why: 'timeout' | 'crashed', message: string): void {
    dead = true
    finish({ ok: false, why, code: null, message })
    void worker.terminate()
  }
  function setTimeLimit(ms: number, message: string): void {
    clearTimeout(timer)
    timer = setTimeout(() => fail('timeout', message), ms)
  }

  worker.on('message', (reply: Reply) => {
    if (reply.kind === 'ready') ready.resolve()
    else if (reply.id !== lastJobId) return
    else if (reply.kind === 'done') finish({ ok: true, value: reply.value })
    else finish({ ok: false, why: 'error', code: reply.code, message: reply.message })
  })
  worker.on('error', (error) => fail('crashed', `The reader crashed: ${error.message}`))
  worker.on('exit', (code) => fail('crashed', `The reader ended with code ${code}`))

  return {
    get busy() {
      return settle !== null || dead
    },
    get busyMs() {
      return settle === null ? 0 : performance.now() - startedAt
    },
    get dead() {
      return dead
    },
    run: (task, payload, transfer) =>
      new Promise((resolve) => {
        settle = resolve
        startedAt = performance.now()
        worker.ref()
        setTimeLimit(START_LIMIT_MS, 'The reader did not start')
        ready.promise.then(() => {
          if (dead) return
          setTimeLimit(timeLimitMs, `Reading took longer than ${timeLimitMs / 1000} s`)
          const job: Job = { id: ++lastJobId, task, payload }
          try {
            worker.postMessage(job, transfer)
          } catch (error) {
            // The payload could not be cloned, so the worker never got it.
            finish({ ok: false, why: 'error', code: null, message: String(error) })
          }
        })
      }),
    stop: async () => {
      fail('crashed', 'The document readers are stopped')
      await worker.terminate()
    },
  }
}

/** The compile cache folder of the process, without the sub-folder that the runtime adds for its version. */
function compileCacheFolder(): string | null {
  const inUse = getCompileCacheDir()
  return inUse === undefined ? null : dirname(inUse)
}
