/**
 * Measures the start of `tidings serve`: from the command to the first 200 of /readyz, on an empty store and on a store
 * with many sources. It also prints the CPU time of the process, which does not depend on how busy the machine is.
 *
 *   node bench/start.ts [sources] [rounds]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openStore } from '../src/storage/open-store.ts'
import { NOW } from '../test/store-contract/fixtures.ts'
import { seedSources } from '../test/store-contract/many-sources.ts'

const LAUNCHER = fileURLToPath(new URL('../bin/tidings.js', import.meta.url))
const sources = Number(process.argv[2] ?? 100_000)
const rounds = Number(process.argv[3] ?? 5)
const PORT = 8985

interface Start {
  readonly wallMs: number
  readonly cpuMs: number | null
}

async function startOnce(data: string): Promise<Start> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [LAUNCHER, 'serve', '--data', data, '--port', String(PORT)], {
    env: { PATH: process.env.PATH, APP_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    while (!(await isReady())) {
      if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}`)
      await wait(5)
    }
    return { wallMs: performance.now() - startedAt, cpuMs: cpuMsOf(child.pid ?? 0) }
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

async function isReady(): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${PORT}/readyz`)
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

/** CPU time in steps of 10 ms, from /proc. Returns null on systems other than Linux. */
function cpuMsOf(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return null
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

async function measure(name: string, dataOf: (round: number) => string): Promise<void> {
  const starts: Start[] = []
  for (let round = 0; round < rounds; round++) starts.push(await startOnce(dataOf(round)))
  const wallMs = median(starts.map((start) => start.wallMs))
  const cpuMs = median(starts.map((start) => start.cpuMs ?? Number.NaN))
  console.log(`${name.padEnd(28)} ${wallMs.toFixed(0).padStart(6)} ms wall ${cpuMs.toFixed(0).padStart(6)} ms CPU`)
}

const folder = mkdtempSync(join(tmpdir(), 'tidings-start-'))
try {
  console.log(`serve to /readyz, median of ${rounds}`)
  await measure('an empty store', (round) => join(folder, `empty-${round}`))
  await (await openStore(`file:${join(folder, 'tidings.db')}`, { now: NOW })).close()
  await seedSources(join(folder, 'tidings.db'), { sources, due: 500, lanes: 20_000 })
  await measure(`${sources} sources`, () => folder)
} finally {
  rmSync(folder, { recursive: true })
}
