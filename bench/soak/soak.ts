// A real `serve` that polls feeds which publish all the time, while programs read from it: after the first third, memory,
// file descriptors, write-ahead log and response times must stay as they are.
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Origin, startOrigin } from '../../test/support/origin.ts'
import { type ServeProcess, startServe } from '../../test/support/serve-process.ts'
import { addSources } from './feeds.ts'
import { type Figures, figuresOf } from './process-figures.ts'
import { openStreams } from './streams.ts'

export interface SoakSize {
  readonly minutes: number
  /** Requests to the API in a second. */
  readonly rate: number
  /** Clients that listen to live events. */
  readonly streams: number
  readonly sources: number
  /** No more heap than this for the serve, in megabytes: what is only left lying about is collected, a leak ends it. */
  readonly heapMb?: number | null
  readonly onSample?: (sample: Sample) => void
}

export interface Sample extends Figures {
  readonly atSeconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly requests: number
}

export interface SoakReport {
  readonly samples: readonly Sample[]
  readonly requests: number
  readonly errors: readonly string[]
  readonly polls: number
  readonly events: number
  /** Of all requests. */
  readonly times: { readonly p50Ms: number; readonly p99Ms: number; readonly requestsPerSecond: number }
  /** How the figures changed in a minute, after the first third: the slope of a line through the samples. */
  readonly slopes: Readonly<Record<Figure, number>>
  /** What was not flat. */
  readonly broken: readonly string[]
}

type Figure = 'memoryMb' | 'descriptors' | 'walMb' | 'p50Ms' | 'p99Ms'

const SAMPLES = 30
/** A shorter run says nothing about response times, and little about memory: caches and the heap are still filling. */
const TELLING_MINUTES = 3
const PATHS = [
  '/api/users/default/podcasts/default/posts?limit=20',
  '/api/users/default/podcasts/default/sources?limit=50',
  '/api/users/default/podcasts/default/posts?q=entry&limit=10',
  '/api/status',
  '/api/hosts?limit=20',
  '/api/polls?limit=20',
  '/api/activity?hours=24',
  '/readyz',
]

export async function soak(size: SoakSize): Promise<SoakReport> {
  const data = await mkdtemp(join(tmpdir(), 'tidings-soak-'))
  const origins = await Promise.all(Array.from({ length: 10 }, (_, n) => startOrigin({ host: `127.0.2.${n + 1}` })))
  const limited = size.heapMb ? { NODE_OPTIONS: `--max-old-space-size=${size.heapMb}` } : {}
  const env = { APP_SOURCE_TICK_SECONDS: '1', APP_LIMITS_CONNECTIONS: '8000', APP_LOG_LEVEL: 'error', ...limited }
  const serve = await startServe(data, [], env)
  try {
    await addSources(serve.url, origins, size.sources)
    return await watch(serve, data, origins, size)
  } finally {
    serve.process.kill('SIGTERM')
    await serve.ended
    await Promise.all(origins.map((origin) => origin.close()))
    await rm(data, { recursive: true, force: true })
  }
}

async function watch(
  serve: ServeProcess,
  data: string,
  origins: readonly Origin[],
  size: SoakSize,
): Promise<SoakReport> {
  const streams = await openStreams(serve.url, size.streams)
  const startedAt = performance.now()
  const endAt = startedAt + size.minutes * 60_000
  const readers = new Readers(serve.url, size.rate)
  const samples: Sample[] = []
  try {
    for (let next = 1; performance.now() < endAt; next++) {
      await readers.readUntil(startedAt + (next * size.minutes * 60_000) / SAMPLES)
      const measured = await figuresOf(serve.process.pid ?? 0, join(data, 'tidings.db-wal'))
      const sample = { atSeconds: (performance.now() - startedAt) / 1000, ...measured, ...readers.takeTimes() }
      samples.push(sample)
      size.onSample?.(sample)
    }
  } finally {
    streams.close()
    readers.close()
  }
  const endedAt = performance.now()
  const polls = origins.reduce((sum, { requests }) => sum + requests.length, 0)
  const errors = [...readers.errors, ...streams.errors]
  const broken = [...notFlat(samples, size.minutes), ...(polls === 0 ? ['nothing was polled'] : [])]
  const slopes = slopesOf(samples.slice(Math.floor(samples.length / 3)))
  const requestsPerSecond = readers.requests / ((endedAt - startedAt) / 1000)
  const times = { ...readers.allTimes(), requestsPerSecond }
  return { samples, requests: readers.requests, errors, polls, events: streams.events(), times, slopes, broken }
}

class Readers {
  readonly #url: string
  readonly #rate: number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 100 })
  #times: number[] = []
  readonly #all: number[] = []
  requests = 0
  readonly errors: string[] = []

  constructor(url: string, rate: number) {
    this.#url = url
    this.#rate = rate
  }

  /** Open loop: who waits for an answer keeps nobody from asking, as with people. */
  async readUntil(instant: number): Promise<void> {
    const underWay = new Set<Promise<void>>()
    const beganAt = performance.now()
    for (let sent = 0; performance.now() < instant; ) {
      while (sent < ((performance.now() - beganAt) / 1000) * this.#rate) {
        const asked = this.#ask(PATHS[sent++ % PATHS.length] ?? '/').finally(() => underWay.delete(asked))
        underWay.add(asked)
      }
      await sleep(10)
    }
    await Promise.all(underWay)
  }

  takeTimes(): Pick<Sample, 'p50Ms' | 'p99Ms' | 'requests'> {
    const times = this.#times
    this.#times = []
    for (const time of times) this.#all.push(time)
    return { ...percentilesOf(times), requests: times.length }
  }

  allTimes(): Pick<Sample, 'p50Ms' | 'p99Ms'> {
    return percentilesOf(this.#all)
  }

  close(): void {
    this.#agent.destroy()
  }

  #ask(path: string): Promise<void> {
    const beganAt = performance.now()
    this.requests++
    return new Promise((resolve) => {
      const fail = (error: string): void => {
        this.errors.push(`${path}: ${error}`)
        resolve()
      }
      const request = get(`${this.#url}${path}`, { agent: this.#agent, timeout: 120_000 }, (response) => {
        response.resume().once('end', () => {
          this.#times.push(performance.now() - beganAt)
          if (response.statusCode === 200) resolve()
          else fail(String(response.statusCode))
        })
      })
      request.once('timeout', () => request.destroy(new Error('no answer in two minutes')))
      request.once('error', (error) => fail(error.message))
    })
  }
}

function percentilesOf(times: readonly number[]): Pick<Sample, 'p50Ms' | 'p99Ms'> {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** The last third compared with the middle one. The first third is for caches and connections. */
function notFlat(samples: readonly Sample[], minutes: number): string[] {
  const third = Math.floor(samples.length / 3)
  const of = (part: readonly Sample[], name: Figure): number => {
    const sorted = part.map((sample) => sample[name]).sort((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)] ?? 0
  }
  const isTelling = minutes >= TELLING_MINUTES
  const limits: [Figure, number, number][] = [['descriptors', 1.2, 20]]
  if (isTelling) limits.push(['memoryMb', 1.3, 30], ['p50Ms', 3, 50])
  else limits.push(['memoryMb', 2, 100])
  const grown = limits.flatMap(([name, times, more]) => {
    const [before, after] = [of(samples.slice(third, -third), name), of(samples.slice(-third), name)]
    return after > before * times + more ? [`${name} grew from ${before.toFixed(1)} to ${after.toFixed(1)}`] : []
  })
  const largest = Math.max(...samples.map(({ walMb }) => walMb))
  return largest > 64 ? [...grown, `the write-ahead log grew to ${largest.toFixed(0)} MB`] : grown
}

/** Least squares, for a minute. */
function slopesOf(samples: readonly Sample[]): Record<Figure, number> {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const minutes = samples.map(({ atSeconds }) => atSeconds / 60)
  const middle = mean(minutes)
  const spread = minutes.reduce((sum, at) => sum + (at - middle) ** 2, 0)
  const slope = (name: Figure): number => {
    const average = mean(samples.map((sample) => sample[name]))
    const along = samples.reduce((sum, sample, n) => sum + ((minutes[n] ?? 0) - middle) * (sample[name] - average), 0)
    return spread === 0 ? 0 : along / spread
  }
  return {
    ...{ memoryMb: slope('memoryMb'), descriptors: slope('descriptors'), walMb: slope('walMb') },
    ...{ p50Ms: slope('p50Ms'), p99Ms: slope('p99Ms') },
  }
}
