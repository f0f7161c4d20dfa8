import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createAddressGuard } from './address-guard.ts'
import { createConnections } from './connections.ts'
import { createNameLookup } from './name-lookup.ts'

async function startHost(host: string) {
  const server = createServer((_request, response) => response.end('x')).listen(0, host)
  await once(server, 'listening')
  const open = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { origin: `http://${host}:${(server.address() as AddressInfo).port}`, open, close }
}

test('above the limit on origins, the least recently used idle pool is closed', async () => {
  const hosts = await Promise.all(['127.0.0.13', '127.0.0.14', '127.0.0.15'].map(startHost))
  const names = createNameLookup()
  const guard = createAddressGuard(['127.0.0.0/8'])
  const connections = createConnections({ names, guard, connectMs: 1000, proxy: null, maxOrigins: 2 })
  const ask = async (origin: string) => {
    const lease = connections.lease(origin, true)
    const { body } = await lease.dispatcher.request({ origin, path: '/', method: 'GET' })
    await body.dump()
    lease.release()
  }
  const [first, second, third] = hosts
  assert.ok(first && second && third)
  await ask(first.origin)
  await ask(second.origin)
  await ask(first.origin)
  await ask(third.origin)
  while ((await second.open()) > 0) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(await Promise.all(hosts.map((host) => host.open())), [1, 0, 1])

  await connections.close()
  names.close()
  await Promise.all(hosts.map((host) => host.close()))
})
