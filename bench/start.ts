/**
 * Measures the start of commands, with what they are made of beside them in turns, and of `tidings serve`: from the command
 * to the first 200 of /readyz, on an empty store and on a store with many sources. It also prints CPU time, which depends
 * less on how busy the machine is.
 *
 *   node bench/start.ts [sources] [rounds] [installed] [before]
 *
 * `installed`: a folder into which the package was installed (npm pack, then npm install of that file), or `-`.
 * `before`: another checkout to compare with, such as one of an older commit.
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

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LAUNCHER = fileURLToPath(new URL('../bin/tidings.js', import.meta.url))
const sources = Number(process.argv[2] ?? 100_000)
const rounds = Number(process.argv[3] ?? 5)
const [installed, earlier] = [
  launcherIn(process.argv[4], 'node_modules', 'tidings', 'bin', 'tidings.js'),
  launcherIn(process.argv[5], 'bin', 'tidings.js'),
]
const PORT = 8985

interface Start {
  readonly wallMs: number
  readonly cpuMs: number | null
}

function launcherIn(folder: string | undefined, ...path: string[]): string | null {
  return folder === undefined || folder === '-' ? null : join(folder, ...path)
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

/** A command from its start to its end. */
async function commandOnce(command: readonly string[]): Promise<Start> {
  const [program = '', ...args] = command
  const before = childrenCpuMs()
  const startedAt = performance.now()
  const child = spawn(program, args, { env: { PATH: process.env.PATH }, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}`)
  return { wallMs: performance.now() - startedAt, cpuMs: before === null ? null : (childrenCpuMs() ?? 0) - before }
}

/** In turns, so that what else the machine does disturbs all alike. */
async function compareCommands(contenders: Readonly<Record<string, readonly string[]>>): Promise<void> {
  const starts = new Map<string, Start[]>(Object.keys(contenders).map((name) => [name, []]))
  // The first round fills the compile cache.
  for (let round = -1; round < rounds; round++) {
    for (const [name, command] of Object.entries(contenders)) {
      const start = await commandOnce(command)
      if (round >= 0) starts.get(name)?.push(start)
    }
  }
  for (const [name, measured] of starts) print(name, measured)
}

function print(name: string, starts: readonly Start[]): void {
  const wallMs = starts.map((start) => start.wallMs)
  const cpuMs = median(starts.map((start) => start.cpuMs ?? Number.NaN))
  const spread = `${Math.min(...wallMs).toFixed(0)} to ${Math.max(...wallMs).toFixed(0)}`
  console.log(
    `${name.padEnd(34)} ${median(wallMs).toFixed(0).padStart(6)} ms wall (${spread.padStart(12)}) ${cpuMs.toFixed(0).padStart(6)} ms CPU`,
  )
}

/** CPU time of all children that have ended. */
function childrenCpuMs(): number | null {
  const fields = statOf('self')
  return fields && (Number(fields[13]) + Number(fields[14])) * 10
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
  const fields = statOf(pid)
  return fields && (Number(fields[11]) + Number(fields[12])) * 10
}

function statOf(pid: number | 'self'): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
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
  print(name, starts)
}

const folder = mkdtempSync(join(tmpdir(), 'tidings-start-'))
try {
  console.log(`commands, median of ${rounds}`)
  const node = process.execPath
  const list = ['list', '--data', join(folder, 'small')]
  await compareCommands({
    'node, which does nothing': [node, '-e', '0'],
    'tidings --version': [node, LAUNCHER, '--version'],
    'tidings list': [node, LAUNCHER, ...list],
    // Its schema may be older.
    ...(earlier && { 'before: tidings list': [node, earlier, 'list', '--data', join(folder, 'before')] }),
    'npm run tidings -- list': ['npm', 'run', '--silent', '--prefix', ROOT, 'tidings', '--', ...list],
    ...(installed && { 'installed: tidings --version': [node, installed, '--version'] }),
    ...(installed && { 'installed: tidings list': [node, installed, ...list] }),
  })
  console.log(`serve to /readyz, median of ${rounds}`)
  await measure('an empty store', (round) => join(folder, `empty-${round}`))
  await (await openStore(`file:${join(folder, 'tidings.db')}`, { now: NOW })).close()
  await seedSources(join(folder, 'tidings.db'), { sources, due: 500, lanes: 20_000 })
  await measure(`${sources} sources`, () => folder)
} finally {
  rmSync(folder, { recursive: true })
}
