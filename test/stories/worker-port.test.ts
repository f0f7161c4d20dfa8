import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createApp } from '../../src/app.ts'
import { configFrom } from '../../src/config.ts'
import { usePostgres } from '../support/postgres.ts'
import { until } from '../support/until.ts'

const postgres = usePostgres()
const LAUNCHER = fileURLToPath(new URL('../../bin/tidings.js', import.meta.url))

test('a worker with a port serves health, readiness and metrics, and is listed while it lives', async () => {
  const url = await postgres.freshDatabase()
  const worker = spawn(process.execPath, [LAUNCHER, 'worker', '--database', url, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, APP_LOG_LEVEL: 'error' },
  })
  await using app = await createApp({ config: configFrom({ database: { url } }) })
  const alive = () => app.store.listProcesses(app.clock.now() - 30_000)
  try {
    let told = ''
    worker.stdout.on('data', (text) => {
      told += String(text)
    })
    await until('it tells its address', async () => told.trimEnd().endsWith('}'))
    const { url: base } = JSON.parse(told) as { url: string }
    const ask = async (path: string) => fetch(base + path)
    assert.deepEqual([(await ask('/healthz')).status, (await ask('/readyz')).status], [200, 200])
    const metrics = await (await ask('/metrics')).text()
    for (const line of [/^tidings_queue_depth 0$/m, /^tidings_hosts_in_hand 0$/m, /^tidings_scheduler_running 1$/m]) {
      assert.match(metrics, line)
    }
    assert.match(metrics, /^tidings_due_lag_seconds\{quantile="0\.99"\} 0$/m)
    for (const path of ['/api/status', '/', '/api/users', '/docs']) assert.equal((await ask(path)).status, 404, path)
    await until('it is listed', async () => (await alive()).length === 1)
    assert.equal((await alive())[0]?.kind, 'worker')
  } finally {
    worker.kill('SIGTERM')
    await once(worker, 'exit')
  }
  assert.deepEqual(await alive(), [])
})
