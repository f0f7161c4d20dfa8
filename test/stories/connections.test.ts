// Clients that connect and say nothing, while the process may open few descriptors.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { askAt } from '../support/api.ts'

const LAUNCHER = fileURLToPath(new URL('../../bin/tidings.js', import.meta.url))

test('290 silent clients do not deafen a server that may open 300 descriptors', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tidings-silent-'))
  const command = `ulimit -n 300; exec "$0" "$1" serve --data "$2" --port 0`
  const child = spawn('sh', ['-c', command, process.execPath, LAUNCHER, dir], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const sockets: Socket[] = []
  try {
    let said = ''
    while (!/Dashboard {2}\S+/.test(said)) said += String((await once(child.stdout, 'data'))[0])
    const url = /Dashboard {2}(\S+?)\/$/m.exec(said)?.[1] ?? assert.fail(said)
    const { port } = new URL(url)
    for (let n = 0; n < 290; n++) {
      const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
      socket.on('error', () => {})
      sockets.push(socket)
      await Promise.race([once(socket, 'connect'), once(socket, 'close')])
      if (n % 2) socket.write('GET /healthz HTTP/1.1\r\nhost: loc')
    }
    for (let n = 0; n < 5; n++) {
      const told = await askAt(url, 'GET', '/healthz')
      assert.equal(told.status, 200)
      assert.equal((await askAt(url, 'GET', '/api/status')).status, 200)
    }
  } finally {
    for (const socket of sockets) socket.destroy()
    const ended = once(child, 'close')
    child.kill('SIGTERM')
    await ended
    await rm(dir, { recursive: true, force: true })
  }
})
