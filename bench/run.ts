/**
 * Runs the benchmarks one after another, each in its own process, with settings that keep them short.
 * Each benchmark prints its own results. Exits with 1 if one of them failed.
 *
 *   npm run bench               all of them; what `targets` measures is measured only there
 *   npm run bench -- targets    what has an aim, with one table at the end; see targets.ts for what may follow
 *   npm run bench -- store      those with that word in their name; run a benchmark directly for longer settings
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { AS_SERVE } from './as-serve.ts'

interface Benchmark {
  readonly name: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly flags?: readonly string[]
  /** `targets` measures it: all of it, or what these settings leave out. */
  readonly inTargets?: 'all' | Readonly<Record<string, string>>
}

const BENCHMARKS: readonly Benchmark[] = [
  { name: 'targets' },
  { name: 'feed-reader', args: ['1'], inTargets: 'all' },
  { name: 'feed-floods', args: ['200000'] },
  { name: 'page-reader', ...(process.env.PAGE_CORPUS && { inTargets: 'all' as const }) },
  { name: 'poll-cost', inTargets: 'all' },
  { name: 'many-feeds', ...AS_SERVE, inTargets: 'all' },
  { name: 'contents', args: ['50'] },
  { name: 'store', args: ['100000'] },
  { name: 'search', args: ['sqlite', '50000'], inTargets: 'all' },
  { name: 'search-cost', args: ['sqlite', '3'] },
  { name: 'million', args: ['sqlite', '1000000', '200000'], inTargets: 'all' },
  { name: 'start', inTargets: 'all' },
  { name: 'workers' },
  { name: 'ingest', inTargets: { LISTS: '0' } },
  { name: 'politeness' },
  { name: 'simulate-origins', env: { SOURCES: '200', HOSTS: '20', HOURS: '24' } },
]

async function run({ name, args = [], env = {}, flags = [] }: Benchmark): Promise<boolean> {
  console.log(`\n== ${[name, ...args].join(' ')}`)
  const child = spawn(process.execPath, [...flags, fileURLToPath(new URL(`${name}.ts`, import.meta.url)), ...args], {
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  return code === 0
}

/** Without a word, nothing is measured twice. */
function chosen(word: string | undefined, rest: readonly string[]): readonly Benchmark[] {
  if (word === 'targets') return [{ name: word, args: rest }]
  if (word !== undefined) return BENCHMARKS.filter(({ name }) => name.includes(word))
  return BENCHMARKS.flatMap((one) => {
    if (one.inTargets === 'all') return []
    return [{ ...one, env: { ...one.env, ...one.inTargets } }]
  })
}

const [word, ...rest] = process.argv.slice(2)
const wanted = chosen(word, rest)
if (wanted.length === 0) {
  console.error(`No benchmark has ${word} in its name. There are: ${BENCHMARKS.map(({ name }) => name).join(', ')}`)
  process.exitCode = 2
}
const failed: string[] = []
for (const benchmark of wanted) if (!(await run(benchmark))) failed.push(benchmark.name)
if (failed.length > 0) {
  console.error(`\nfailed: ${failed.join(', ')}`)
  process.exitCode = 1
}
