// A `serve` on the filled store, as people start it: until it is ready, its memory when nothing happens, and after it was
// asked everything. Each round has a new process.
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { cpuMsOf } from '../cpu-time.ts'
import { type Figure, figureOf, printFigure } from '../figures.ts'
import { type ServeProcess, startServe } from '../serve-process.ts'

const ROUNDS = 5
const ASKED = 5
const LOOK_EVERY_MS = 2000
/** In one look: less is nobody's work. */
const IDLE_CPU_MS = 60
const LONGEST_WAIT_MS = 15 * 60_000

export async function measureServe(url: string, paths: readonly string[]): Promise<readonly Figure[]> {
  // Its first tick makes all plans anew, as after a change of the configuration.
  const first = await startServe(['--database', url])
  await untilIdle(first)
  await first.stop()
  const [ready, idle, asked]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < ROUNDS; round++) {
    const serve = await startServe(['--database', url])
    ready.push(serve.readyMs)
    await untilIdle(serve)
    idle.push(memoryMbOf(serve))
    for (let n = 0; n < ASKED; n++) for (const path of paths) await ask(serve, path)
    asked.push(memoryMbOf(serve))
    await serve.stop()
  }
  const figures = [
    figureOf('start to /readyz, wall', 'ms', ready),
    figureOf('memory of serve, idle', 'MB', idle),
    figureOf('memory of serve, after all questions', 'MB', asked),
  ]
  for (const figure of figures) printFigure(figure)
  return figures
}

async function ask({ url }: ServeProcess, path: string): Promise<void> {
  const answer = await fetch(url + path)
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
}

async function untilIdle({ pid }: ServeProcess): Promise<void> {
  const endAt = performance.now() + LONGEST_WAIT_MS
  for (let before = cpuMsOf(pid); performance.now() < endAt; ) {
    await wait(LOOK_EVERY_MS)
    const now = cpuMsOf(pid)
    if (now - before < IDLE_CPU_MS) return
    before = now
  }
  throw new Error('serve did not become idle')
}

/** What it holds of the machine's memory now. */
function memoryMbOf({ pid }: ServeProcess): number {
  const [, kb] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kb) / 1024
}
