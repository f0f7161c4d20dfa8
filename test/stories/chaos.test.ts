import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const CHAOS = fileURLToPath(new URL('../../bench/chaos.ts', import.meta.url))
const SHORT = { HOSTS: '6', WORKERS: '2', SECONDS: '8', KILLS: '1', STOPS: '0', RESTARTS: '1', SETTLE_SECONDS: '450' }

test('a killed worker, a restarted database and clocks minutes apart: no overlap, no loss, nothing twice', async () => {
  const run = spawn(process.execPath, [CHAOS], { env: { ...process.env, ...SHORT } })
  let told = ''
  for (const stream of [run.stdout, run.stderr]) {
    stream.on('data', (text) => {
      told += String(text)
    })
  }
  const [code] = await once(run, 'close')
  assert.equal(code, 0, told)
  assert.match(told, /posts lost 0, posts stored twice 0/)
})
