// Worker processes that are killed and stopped while they work.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const LAUNCHER = fileURLToPath(new URL('../../bin/tidings.js', import.meta.url))

export class WorkerProcesses {
  readonly #configFile: string
  readonly #workers: ChildProcess[]
  readonly #stopped = new Set<ChildProcess>()
  readonly #output: string[] = []
  killedCount = 0
  stoppedCount = 0

  constructor(configFile: string, count: number) {
    this.#configFile = configFile
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

  async end(): Promise<void> {
    for (const worker of this.#workers) worker.kill('SIGTERM')
    await Promise.all(this.#workers.map((worker) => worker.exitCode ?? once(worker, 'close')))
  }

  logLines(): string[] {
    return this.#output.join('').trim().split('\n').filter(Boolean)
  }

  #start(): ChildProcess {
    const args = [LAUNCHER, 'worker', '--config', this.#configFile]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr?.on('data', (text) => this.#output.push(String(text)))
    return child
  }
}
