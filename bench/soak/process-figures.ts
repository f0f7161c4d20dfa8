// What a process takes: as Linux tells it, and as it tells itself (tell-memory.ts). All is 0 when it has ended.
import { readdir, readFile, stat } from 'node:fs/promises'

export interface Figures {
  readonly memoryMb: number
  /** Of it, what JavaScript uses; what it has reserved; and buffers outside of it. */
  readonly heapMb: number
  readonly heapTotalMb: number
  readonly externalMb: number
  /** Processor seconds since the start, of all its threads. */
  readonly cpuSeconds: number
  readonly descriptors: number
  readonly walMb: number
}

export async function figuresOf(pid: number, wal: string, told: string): Promise<Figures> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const { size } = await stat(wal).catch(() => ({ size: 0 }))
  const [memoryMb, own] = [await memoryMbOf(pid), await toldIn(told)]
  return { memoryMb, ...own, descriptors: descriptors.length, walMb: size / 2 ** 20 }
}

export async function memoryMbOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

async function toldIn(file: string): Promise<Omit<Figures, 'memoryMb' | 'descriptors' | 'walMb'>> {
  const text = await readFile(file, 'utf8').catch(() => '{}')
  const { heapUsed = 0, heapTotal = 0, external = 0, cpuMicros = 0 } = JSON.parse(text) as Record<string, number>
  const inMb = (bytes: number): number => bytes / 2 ** 20
  return {
    ...{ heapMb: inMb(heapUsed), heapTotalMb: inMb(heapTotal), externalMb: inMb(external) },
    cpuSeconds: cpuMicros / 1e6,
  }
}
