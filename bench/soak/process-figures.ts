// What a process takes, as Linux tells it. All is 0 when it has ended.
import { readdir, readFile, stat } from 'node:fs/promises'

export interface Figures {
  readonly memoryMb: number
  readonly descriptors: number
  readonly walMb: number
}

export async function figuresOf(pid: number, wal: string): Promise<Figures> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const { size } = await stat(wal).catch(() => ({ size: 0 }))
  return { memoryMb: await memoryMbOf(pid), descriptors: descriptors.length, walMb: size / 2 ** 20 }
}

export async function memoryMbOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}
