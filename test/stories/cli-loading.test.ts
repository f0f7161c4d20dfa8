// What a command loads decides how long it takes to start.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const LAUNCHER = fileURLToPath(new URL('../../bin/tidings.js', import.meta.url))

const PRINT_MODULES = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    process.stderr.write(url + '\\n')
    return next(url, context)
  },
})`)}`

/** What polls, serves, announces, measures or reads documents. A list needs none of it. */
const NOT_FOR_A_LIST =
  /\/src\/(polling\/engine|announce|metrics|workers|fetching|sources|mcp)\b|\/src\/storage\/(polling|articles|clean-up|pages)\/|\/node_modules\/(fastify|undici|pg|pg-boss|pino|htmlparser2|linkedom|yaml|nodemailer|sanitize-html)\//

test('a list loads nothing that polls, serves or reads documents', () => {
  const data = mkdtempSync(join(tmpdir(), 'tidings-loading-'))
  try {
    const list = [LAUNCHER, 'list', '--data', data]
    // The first command makes the store.
    spawnSync(process.execPath, list)
    const args = ['--import', PRINT_MODULES, ...list]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    assert.match(stdout, /^No sources yet/)
    const modules = stderr.split('\n').filter((line) => line.startsWith('file:'))
    assert.ok(modules.some((url) => url.endsWith('/src/cli/commands/list.ts')))
    assert.deepEqual(
      modules.filter((url) => NOT_FOR_A_LIST.test(url)),
      [],
    )
  } finally {
    rmSync(data, { recursive: true })
  }
})
