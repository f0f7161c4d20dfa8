/**
 * Runs the benchmarks one after another, each in its own process, with settings that keep them short.
 * Each benchmark prints its own results. Exits with 1 if one of them failed.
 *
 *   npm run bench               all of them
 *   npm run bench -- store      those with that word in their name; run a benchmark directly for longer settings
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

interface Benchmark {
  readonly name: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly flags?: readonly string[]
}

/** With the memory of `serve`, as bin/small-memory.js starts it. */
const AS_SERVE = {
  flags: ['--max-semi-space-size=8', '--heap-growing-percent=60'],
  env: { MALLOC_ARENA_MAX: '2' },
}

const BENCHMARKS: readonly Benchmark[] = [
  { name: 'feed-reader', args: ['1'] },
  { name: 'feed-floods', args: ['200000'] },
  { name: 'page-reader' },
  { name: 'poll-cost' },
  { name: 'many-feeds', ...AS_SERVE },
  { name: 'contents', args: ['50'] },
  { name: 'store', args: ['100000'] },
  { name: 'search', args: ['sqlite', '50000'] },
  { name: 'search-cost', args: ['sqlite', '3'] },
  { name: 'million', args: ['sqlite', '1000000', '200000'] },
  { name: 'start' },
  { name: 'workers' },
  { name: 'ingest' },
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

const [word = ''] = process.argv.slice(2)
const wanted = BENCHMARKS.filter(({ name }) => name.includes(word))
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
