// A serve in a process of its own: one per store, commands go through it, and it ends in order.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startOrigin } from '../support/origin.ts'
import { openShell } from '../support/run-cli.ts'
import { runProcess, startServe } from '../support/serve-process.ts'
import { until } from '../support/until.ts'

function serveFile(folder: string): { url: string; token: string; pid: number } {
  return JSON.parse(readFileSync(join(folder, 'serve.json'), 'utf8'))
}

describe('a running serve', () => {
  test('serve prints its addresses, answers, and writes serve.json for its owner only', async () => {
    using shell = openShell()
    await using serve = await startServe(shell.folder)
    assert.match(serve.greeting, /^Tidings \d+\.\d+\.\d+ is running\n/)
    for (const path of ['/readyz', '/healthz', '/api/status']) assert.equal((await fetch(serve.url + path)).status, 200)
    const { url, token, pid } = serveFile(shell.folder)
    assert.deepEqual([url, pid], [serve.url, serve.process.pid])
    assert.match(token, /^[\w-]{40,}$/)
    if (process.platform !== 'win32') assert.equal(statSync(join(shell.folder, 'serve.json')).mode & 0o777, 0o600)
  })

  test('commands on the same file use it, with its token', async () => {
    using shell = openShell()
    await using serve = await startServe(shell.folder, [], { APP_SERVER_AUTH: 'required' })
    assert.equal((await fetch(`${serve.url}/api/status`)).status, 401)
    assert.match((await shell.tidings('status')).out, new RegExp(`^Answered by ${serve.url}\n`))
    assert.equal((await shell.tidingsWith('https://a.example/feed\n', 'import', '-')).code, 0)
    const token = (await shell.tidings('token', 'create', '--admin')).out.trim()
    // The same from elsewhere, with that token and without any.
    using elsewhere = openShell()
    elsewhere.env.TIDINGS_SERVER = serve.url
    const refused = await elsewhere.tidings('list', '--server', serve.url)
    assert.equal(refused.code, 1)
    assert.match(refused.err, /TIDINGS_TOKEN/)
    elsewhere.env.TIDINGS_TOKEN = token
    assert.match((await elsewhere.tidings('list', '--server', serve.url)).out, /https:\/\/a\.example\/feed/)
    assert.equal((await shell.tidings('key', 'rotate')).code, 1)
    const copy = await shell.tidings('backup', join(shell.folder, 'copy.db'))
    assert.equal(copy.code, 0, copy.err)
  })

  test('a second serve on the same file refuses and names the first; another file works', async () => {
    using shell = openShell()
    using other = openShell()
    await using serve = await startServe(shell.folder)
    const second = await runProcess(['serve', '--data', shell.folder, '--port', '0'])
    assert.equal(second.code, 1)
    assert.match(second.err, new RegExp(`already: ${serve.url}, process ${serve.process.pid}\\.`))
    const taken = await runProcess(['serve', '--data', other.folder, '--port', new URL(serve.url).port])
    assert.equal(taken.code, 1)
    assert.match(taken.err, /Port \d+ of 127\.0\.0\.1 is taken\. Choose another with --port\.\n$/)
    assert.ok(!existsSync(join(other.folder, 'serve.json')))
    assert.equal((await fetch(`${serve.url}/readyz`)).status, 200)
  })

  test('serve on more than loopback without authentication does not start', async () => {
    using shell = openShell()
    const args = ['serve', '--data', shell.folder, '--host', '0.0.0.0', '--port', '0']
    const { code, err } = await runProcess(args, { APP_SERVER_AUTH: 'disabled' })
    assert.equal(code, 1)
    assert.match(err, /app\.server\.auth is disabled but app\.server\.host is 0\.0\.0\.0/)
  })
})

describe('the end of a serve', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal} ends it with exit 0, and nothing is left of serve.json`, async () => {
      using shell = openShell()
      await using serve = await startServe(shell.folder)
      // An open connection must not hold it up.
      await fetch(`${serve.url}/healthz`)
      serve.process.kill(signal)
      assert.equal(await serve.ended, 0, serve.log())
      assert.ok(!existsSync(join(shell.folder, 'serve.json')))
      assert.match((await shell.tidings('status')).out, /^Answered by the local store/)
    })
  }

  test('a poll in flight to a host that hangs is given up, with exit 0 and without a record', async (t) => {
    await using origin = await startOrigin()
    const hanging = Promise.withResolvers<void>()
    origin.route('/hangs', () => hanging.resolve())
    using shell = openShell()
    await using serve = await startServe(shell.folder)
    await shell.tidingsWith(`${origin.url}/hangs\n`, 'import', '-')
    const polling = shell.tidings('poll', '--all')
    await hanging.promise
    const before = performance.now()
    serve.process.kill('SIGTERM')
    assert.equal(await serve.ended, 0, serve.log())
    // The limit of the request would have been 30 s, and a failure.
    t.diagnostic(`given up after ${Math.round(performance.now() - before)} ms`)
    await polling
    const { items } = (await shell.tidings('list', '--json')).json<{ items: { consecutiveFailures: number }[] }>()
    assert.equal(items[0]?.consecutiveFailures, 0)
  })

  test('it ends when the shell that npm started it in was killed', { skip: process.platform === 'win32' }, async () => {
    using shell = openShell()
    const launcher = fileURLToPath(new URL('../../bin/tidings.js', import.meta.url))
    // "; true" keeps a shell from becoming what it runs.
    const line = `"${process.execPath}" "${launcher}" serve --data "${shell.folder}" --port 0; true`
    const env = { PATH: process.env.PATH, npm_lifecycle_event: 'start', APP_LOG_LEVEL: 'silent' }
    const npmShell = spawn('/bin/sh', ['-c', line], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    await once(npmShell.stdout, 'data')
    await until('it is up', () => existsSync(join(shell.folder, 'serve.json')))
    npmShell.kill('SIGKILL')
    // The pipe closes with the last process that holds it: the serve.
    npmShell.stdout.resume()
    await once(npmShell.stdout, 'close')
    assert.ok(!existsSync(join(shell.folder, 'serve.json')))
  })

  test('a second signal ends it at once', async () => {
    await using origin = await startOrigin()
    const hanging = Promise.withResolvers<void>()
    origin.route('/hangs', () => hanging.resolve())
    using shell = openShell()
    await using serve = await startServe(shell.folder)
    await shell.tidingsWith(`${origin.url}/hangs\n`, 'import', '-')
    const polling = shell.tidings('poll', '--all')
    await hanging.promise
    serve.process.kill('SIGINT')
    // Later than what would be the echo of the first; and again, should a busy machine have seen both as one.
    const again = setInterval(() => serve.process.kill('SIGINT'), 500)
    assert.equal(await serve.ended.finally(() => clearInterval(again)), 1)
    await polling
  })

  test('after kill -9 its lock and serve.json are recognised as stale by commands and by the next serve', async () => {
    using shell = openShell()
    {
      await using serve = await startServe(shell.folder)
      serve.process.kill('SIGKILL')
      await serve.ended
    }
    assert.ok(existsSync(join(shell.folder, 'serve.json')))
    assert.match((await shell.tidings('status')).out, /^Answered by the local store/)
    await using next = await startServe(shell.folder)
    assert.equal(serveFile(shell.folder).pid, next.process.pid)
    assert.match((await shell.tidings('status')).out, new RegExp(`^Answered by ${next.url}\n`))
  })
})
