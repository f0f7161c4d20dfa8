// A real `serve` that polls feeds which publish all the time, while programs read from it: after the first third, memory,
// file descriptors, write-ahead log and response times must stay as they are.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Origin, startOrigin } from '../../test/support/origin.ts'
import { type ServeProcess, startServe } from '../../test/support/serve-process.ts'
import { addSources } from './feeds.ts'
import { type Figure, notFlat, type Sample, slopesOf } from './flat.ts'
import { figuresOf } from './process-figures.ts'
import { startReaders } from './readers.ts'
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

export interface SoakReport {
  readonly samples: readonly Sample[]
  readonly requests: number
  readonly errors: readonly string[]
  readonly polls: number
  readonly events: number
  /** Of all requests. */
  readonly times: { readonly p50Ms: number; readonly p99Ms: number; readonly requestsPerSecond: number }
  /** After the first third. */
  readonly slopes: Readonly<Record<Figure, number>>
  /** What was not flat. */
  readonly broken: readonly string[]
}

const SAMPLES = 30
const TELL_MEMORY = fileURLToPath(new URL('./tell-memory.ts', import.meta.url))

export async function soak(size: SoakSize): Promise<SoakReport> {
  const data = await mkdtemp(join(tmpdir(), 'tidings-soak-'))
  const origins = await Promise.all(Array.from({ length: 10 }, (_, n) => startOrigin({ host: `127.0.2.${n + 1}` })))
  const limited = size.heapMb ? ` --max-old-space-size=${size.heapMb}` : ''
  const serve = await startServe(data, [], {
    ...{ APP_SOURCE_TICK_SECONDS: '1', APP_LIMITS_CONNECTIONS: '8000', APP_LOG_LEVEL: 'error' },
    NODE_OPTIONS: `--import ${TELL_MEMORY}${limited}`,
    MEMORY_FILE: join(data, 'memory.json'),
  })
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
  const readers = startReaders(serve.url, size.rate)
  const startedAt = performance.now()
  const samples: Sample[] = []
  const times: number[] = []
  const errors: string[] = []
  try {
    for (let next = 1; next <= SAMPLES; next++) {
      await sleep(startedAt + (next * size.minutes * 60_000) / SAMPLES - performance.now())
      const measured = await figuresOf(serve.process.pid ?? 0, join(data, 'tidings.db-wal'), join(data, 'memory.json'))
      const taken = await readers.take()
      for (const time of taken.times) times.push(time)
      errors.push(...taken.errors)
      const { requests, cpuSeconds: readersCpuSeconds } = taken
      const atSeconds = (performance.now() - startedAt) / 1000
      const sample = { atSeconds, ...measured, ...percentilesOf(taken.times), requests, readersCpuSeconds }
      samples.push(sample)
      size.onSample?.(sample)
    }
  } finally {
    streams.close()
    readers.close()
  }
  const polls = origins.reduce((sum, { requests }) => sum + requests.length, 0)
  const seconds = samples.at(-1)?.atSeconds ?? 0
  return {
    samples,
    ...{ requests: times.length, errors: [...errors, ...streams.errors], polls, events: streams.events() },
    times: { ...percentilesOf(times), requestsPerSecond: times.length / seconds },
    slopes: slopesOf(samples.slice(Math.floor(samples.length / 3))),
    broken: [...notFlat(samples, size.minutes), ...(polls === 0 ? ['nothing was polled'] : [])],
  }
}

function percentilesOf(times: readonly number[]): { readonly p50Ms: number; readonly p99Ms: number } {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}
