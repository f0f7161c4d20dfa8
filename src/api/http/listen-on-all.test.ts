import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { askAt } from '../../../test/support/api.ts'
import { until } from '../../../test/support/until.ts'
import { addressesToListenOn, listenToo } from './listen-on-all.ts'
import { IDLE_LIMITS, OpenConnections } from './open-connections.ts'

test('a name that is no localhost is listened on as it is', async () => {
  assert.deepEqual(await addressesToListenOn('0.0.0.0'), ['0.0.0.0'])
  assert.ok((await addressesToListenOn('localhost')).length > 0)
})

test('connections to a further address are answered, and count towards the same limits', async () => {
  const server = createServer((_request, response) => response.end('{}'))
  new OpenConnections(server, { ...IDLE_LIMITS, most: 3, mostPerAddress: 3 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  // 192.0.2.1 is nobody's, and so not ours.
  const stop = await listenToo(server, ['127.0.0.2', '192.0.2.1'])
  try {
    for (const host of ['127.0.0.1', '127.0.0.2']) {
      assert.equal((await askAt(`http://${host}:${port}`, 'GET', '/')).status, 200)
    }
    const silent = ['127.0.0.1', '127.0.0.2', '127.0.0.2', '127.0.0.2', '127.0.0.1'].map((host) => {
      const socket = connect({ host, port }).resume()
      socket.on('error', () => {})
      return socket
    })
    await Promise.all(silent.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])))
    await until('only three are left', () => silent.filter(({ closed }) => !closed).length <= 3)
    assert.equal((await askAt(`http://127.0.0.2:${port}`, 'GET', '/')).status, 200)
    for (const socket of silent) socket.destroy()
  } finally {
    stop()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  await assert.rejects(askAt(`http://127.0.0.2:${port}`, 'GET', '/'))
})
