// Worker processes that are killed and stopped while they work.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const SHIFT_CLOCK = new URL('../chaos/shift-clock.mjs', import.meta.url).href
const LAUNCHER = fileURLToPath(new URL('../../bin/tidings.js', import.meta.url))

interface ProcessOptions {
  readonly command?: readonly string[]
  /** How far the clocks of the machines are ahead, in turn. */
  readonly clockShiftsMs?: readonly number[]
}

export class WorkerProcesses {
  readonly #command: readonly string[]
  readonly #clockShiftsMs: readonly number[]
  #startedCount = 0
  readonly #configFile: string
  readonly #workers: ChildProcess[]
  readonly #stopped = new Set<ChildProcess>()
  readonly #output: string[] = []
  killedCount = 0
  stoppedCount = 0

  constructor(configFile: string, count: number, { command = ['worker'], clockShiftsMs = [0] }: ProcessOptions = {}) {
    this.#configFile = configFile
    this.#command = command
    this.#clockShiftsMs = clockShiftsMs
    this.#workers = Array.from({ length: count }, () => this.#start())
  }

  /** Kills one worker and starts another. */
  killOne(): void {
    const index = this.#workers.findIndex((worker) => !this.#stopped.has(worker))
    const [worker] = this.#workers.splice(index, 1)
    worker?.kill('SIGKILL')
    this.killedCount++
    this.#workers.push(this.#start())
  }

  /** Stops one worker for a while, as a machine does that sleeps. */
  async stopOne(stoppedMs: number): Promise<void> {
    const worker = this.#workers.find((each) => !this.#stopped.has(each))
    if (!worker) return
    this.#stopped.add(worker)
    worker.kill('SIGSTOP')
    this.stoppedCount++
    await wait(stoppedMs)
    worker.kill('SIGCONT')
    this.#stopped.delete(worker)
  }

  get pids(): number[] {
    return this.#workers.flatMap(({ pid }) => pid ?? [])
  }

  async end(): Promise<void> {
    for (const worker of this.#workers) worker.kill('SIGTERM')
    await Promise.all(this.#workers.map((worker) => worker.exitCode ?? once(worker, 'close')))
  }

  logLines(): string[] {
    return this.#output.join('').trim().split('\n').filter(Boolean)
  }

  #start(): ChildProcess {
    const shiftMs = this.#clockShiftsMs[this.#startedCount++ % this.#clockShiftsMs.length] ?? 0
    const args = ['--import', SHIFT_CLOCK, LAUNCHER, ...this.#command, '--config', this.#configFile]
    const env = { ...process.env, CLOCK_SHIFT_MS: String(shiftMs) }
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env })
    child.stderr?.on('data', (text) => this.#output.push(String(text)))
    return child
  }
}
