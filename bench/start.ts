/**
 * Measures the start of commands, with what they are made of beside them in turns, and of `tidings serve`: from the command
 * to the first 200 of /readyz, on an empty store and on a store with many sources. It also prints CPU time, which depends
 * less on how busy the machine is.
 *
 *   node bench/start.ts [sources] [rounds] [installed] [before] [--json]
 *
 * `installed`: a folder into which the package was installed (npm pack, then npm install of that file), or `-`.
 * `before`: another checkout to compare with, such as one of an older commit.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStore } from '../src/storage/open-store.ts'
import { NOW } from '../test/store-contract/fixtures.ts'
import { seedSources } from '../test/store-contract/many-sources.ts'
import { type Figure, figureOf, printFigure, printJson, say, words } from './figures.ts'
import { startServe } from './serve-process.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LAUNCHER = fileURLToPath(new URL('../bin/tidings.js', import.meta.url))
const sources = Number(words[0] ?? 100_000)
const rounds = Number(words[1] ?? 5)
const [installed, earlier] = [
  launcherIn(words[2], 'node_modules', 'tidings', 'bin', 'tidings.js'),
  launcherIn(words[3], 'bin', 'tidings.js'),
]

interface Start {
  readonly wallMs: number
  readonly cpuMs: number | null
}

function launcherIn(folder: string | undefined, ...path: string[]): string | null {
  return folder === undefined || folder === '-' ? null : join(folder, ...path)
}

async function startOnce(data: string): Promise<Start> {
  const serve = await startServe(['--data', data])
  const start = { wallMs: serve.readyMs, cpuMs: cpuMsOf(serve.pid) }
  await serve.stop()
  return start
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
async function compareCommands(contenders: Readonly<Record<string, readonly string[]>>): Promise<readonly Figure[]> {
  const starts = new Map<string, Start[]>(Object.keys(contenders).map((name) => [name, []]))
  // The first round fills the compile cache.
  for (let round = -1; round < rounds; round++) {
    for (const [name, command] of Object.entries(contenders)) {
      const start = await commandOnce(command)
      if (round >= 0) starts.get(name)?.push(start)
    }
  }
  return [...starts].flatMap(([name, measured]) => figuresOf(name, measured))
}

async function measure(name: string, dataOf: (round: number) => string): Promise<readonly Figure[]> {
  const starts: Start[] = []
  for (let round = 0; round < rounds; round++) starts.push(await startOnce(dataOf(round)))
  return figuresOf(name, starts)
}

/** CPU is not known on systems other than Linux. */
function figuresOf(name: string, starts: readonly Start[]): readonly Figure[] {
  const cpuMs = starts.flatMap((start) => start.cpuMs ?? [])
  const figures = [
    figureOf(
      `${name}, wall`,
      'ms',
      starts.map(({ wallMs }) => wallMs),
    ),
    ...(cpuMs.length > 0 ? [figureOf(`${name}, CPU`, 'ms', cpuMs)] : []),
  ]
  for (const figure of figures) printFigure(figure)
  return figures
}

/** CPU time of all children that have ended. */
function childrenCpuMs(): number | null {
  const fields = statOf('self')
  return fields && (Number(fields[13]) + Number(fields[14])) * 10
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

const folder = mkdtempSync(join(tmpdir(), 'tidings-start-'))
try {
  say(`commands, median of ${rounds} (least to most)`)
  const node = process.execPath
  const list = ['list', '--data', join(folder, 'small')]
  const commands = await compareCommands({
    'node, which does nothing': [node, '-e', '0'],
    'tidings --version': [node, LAUNCHER, '--version'],
    'tidings list': [node, LAUNCHER, ...list],
    // Its schema may be older.
    ...(earlier && { 'before: tidings list': [node, earlier, 'list', '--data', join(folder, 'before')] }),
    'npm run tidings -- list': ['npm', 'run', '--silent', '--prefix', ROOT, 'tidings', '--', ...list],
    ...(installed && { 'installed: tidings --version': [node, installed, '--version'] }),
    ...(installed && { 'installed: tidings list': [node, installed, ...list] }),
  })
  say(`serve to /readyz, median of ${rounds} (least to most)`)
  const empty = await measure('an empty store', (round) => join(folder, `empty-${round}`))
  await (await openStore(`file:${join(folder, 'tidings.db')}`, { now: NOW })).close()
  await seedSources(join(folder, 'tidings.db'), { sources, due: 500, lanes: 20_000 })
  const filled = await measure(`${sources} sources`, () => folder)
  printJson({ sources, rounds }, [...commands, ...empty, ...filled])
} finally {
  rmSync(folder, { recursive: true })
}
