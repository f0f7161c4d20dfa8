// Requests to the API at a steady rate, over connections that stay open.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const PATHS = [
  '/api/users/default/podcasts/default/posts?limit=20',
  '/api/users/default/podcasts/default/sources?limit=50',
  '/api/users/default/podcasts/default/posts?q=entry&limit=10',
  '/api/status',
  '/api/hosts?limit=20',
  '/api/polls?limit=20',
  '/api/activity?hours=24',
  '/readyz',
]

export interface Taken {
  /** Of each answer, in milliseconds. */
  readonly times: readonly number[]
  readonly errors: readonly string[]
  readonly requests: number
  /** Processor seconds of the readers since they began. */
  readonly cpuSeconds: number
}

/** In a process of their own. */
export interface ReaderProcess {
  /** What was measured since the last call. */
  take(): Promise<Taken>
  close(): void
}

export function startReaders(url: string, rate: number): ReaderProcess {
  const child = fork(fileURLToPath(new URL('./reader-process.ts', import.meta.url)), [url, String(rate)])
  return {
    async take() {
      child.send('take')
      const [taken] = await once(child, 'message')
      return taken as Taken
    },
    close: () => child.disconnect(),
  }
}

export class Readers {
  readonly #url: string
  readonly #rate: number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 100 })
  #times: number[] = []
  #errors: string[] = []
  #requests = 0

  constructor(url: string, rate: number) {
    this.#url = url
    this.#rate = rate
  }

  /** Open loop: who waits for an answer keeps nobody from asking, as with people. */
  async read(): Promise<never> {
    const beganAt = performance.now()
    for (let sent = 0; ; ) {
      while (sent < ((performance.now() - beganAt) / 1000) * this.#rate) this.#ask(PATHS[sent++ % PATHS.length] ?? '/')
      await sleep(10)
    }
  }

  take(): Taken {
    const { user, system } = process.cpuUsage()
    const taken = { times: this.#times, errors: this.#errors, requests: this.#requests }
    this.#times = []
    this.#errors = []
    this.#requests = 0
    return { ...taken, cpuSeconds: (user + system) / 1e6 }
  }

  #ask(path: string): void {
    this.#requests++
    this.#askAt(path, performance.now())
  }

  #askAt(path: string, beganAt: number): void {
    const fail = (error: string): void => {
      this.#errors.push(`${path}: ${error}`)
    }
    const request = get(`${this.#url}${path}`, { agent: this.#agent, timeout: 120_000 }, (response) => {
      response.resume().once('end', () => {
        this.#times.push(performance.now() - beganAt)
        if (response.statusCode !== 200) fail(String(response.statusCode))
      })
    })
    request.once('timeout', () => request.destroy(new Error('no answer in two minutes')))
    request.once('error', (error) => {
      // The server closed an idle connection at the moment in which it was used again. Clients ask again then.
      const wasClosed = request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET'
      if (wasClosed) this.#askAt(path, beganAt)
      else fail(error.message)
    })
  }
}
