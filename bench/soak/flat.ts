// Whether figures stayed as they were.
import type { Figures } from './process-figures.ts'

export interface Sample extends Figures {
  readonly atSeconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly requests: number
  /** Processor seconds of the programs that read. */
  readonly readersCpuSeconds: number
}

export type Figure = 'memoryMb' | 'heapMb' | 'externalMb' | 'descriptors' | 'walMb' | 'p50Ms' | 'p99Ms'
const FIGURES: readonly Figure[] = ['memoryMb', 'heapMb', 'externalMb', 'descriptors', 'walMb', 'p50Ms', 'p99Ms']

/** A shorter run says nothing about response times, and little about memory: caches and the heap are still filling. */
const TELLING_MINUTES = 3

/** The last third compared with the middle one. The first third is for caches and connections. */
export function notFlat(samples: readonly Sample[], minutes: number): string[] {
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

/** How they changed in a minute: least squares. */
export function slopesOf(samples: readonly Sample[]): Record<Figure, number> {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const minutes = samples.map(({ atSeconds }) => atSeconds / 60)
  const middle = mean(minutes)
  const spread = minutes.reduce((sum, at) => sum + (at - middle) ** 2, 0)
  const slope = (name: Figure): number => {
    const average = mean(samples.map((sample) => sample[name]))
    const along = samples.reduce((sum, sample, n) => sum + ((minutes[n] ?? 0) - middle) * (sample[name] - average), 0)
    return spread === 0 ? 0 : along / spread
  }
  return Object.fromEntries(FIGURES.map((name) => [name, slope(name)])) as Record<Figure, number>
}
