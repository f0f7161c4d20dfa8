import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { connectionsWithin, descriptorLimit } from './descriptor-limit.ts'
import { type ConnectionLimits, OpenConnections } from './open-connections.ts'

const NEVER = { idleMs: 600_000, checkEveryMs: 600_000 }

async function listening(
  limits: ConnectionLimits,
  answer: RequestListener = (_request, response) => response.end('ok'),
) {
  const server = createServer({ keepAliveTimeout: 600_000 }, answer)
  new OpenConnections(server, limits)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  const open = async (text = '', from = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from })
    sockets.push(socket)
    socket.on('error', () => {})
    await once(socket, 'connect')
    if (text !== '') socket.write(text)
    return socket
  }
  const ask = async (from?: string) => {
    const socket = await open('GET / HTTP/1.1\r\nhost: a\r\n\r\n', from)
    const [chunk] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])])
    return String(chunk).slice(0, 15)
  }
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const count = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
  return { open, ask, count, [Symbol.asyncDispose]: close }
}

test('clients that say nothing do not keep others out, in all or from one address', async () => {
  await using server = await listening({ ...NEVER, most: 6, mostPerAddress: 4 })
  for (let n = 0; n < 30; n++) await server.open(n % 2 ? '' : 'GET / HTTP/1.1\r\nhos')
  await until('silent ones gave way', async () => (await server.count()) <= 4)
  assert.equal(await server.ask(), 'HTTP/1.1 200 OK')
  for (let n = 2; n < 30; n++) await server.open('', `127.0.0.${n}`)
  await until('silent ones gave way', async () => (await server.count()) <= 6)
  assert.equal(await server.ask('127.0.0.77'), 'HTTP/1.1 200 OK')
})

test('a connection with a request under way does not give way: the new one is closed', async () => {
  let asked = 0
  await using server = await listening({ ...NEVER, most: 2, mostPerAddress: 2 }, () => {
    asked++
  })
  const busy = [
    await server.open('GET / HTTP/1.1\r\nhost: a\r\n\r\n'),
    await server.open('GET / HTTP/1.1\r\nhost: a\r\n\r\n'),
  ]
  await until('both are under way', () => asked === 2)
  assert.equal(await server.ask(), '')
  assert.deepEqual(
    busy.map((socket) => socket.closed),
    [false, false],
  )
})

test('connections that wait for their client are destroyed: silent, half a header, half a body, an unread answer', async () => {
  const limits = { most: 100, mostPerAddress: 100, idleMs: 300, checkEveryMs: 50 }
  const big = Buffer.alloc(20_000_000)
  const slowAsked = Promise.withResolvers<ServerResponse>()
  await using server = await listening(limits, (request, response) => {
    if (request.url === '/big') return response.end(big)
    if (request.url === '/slow') return slowAsked.resolve(response)
    request.resume().on('end', () => response.end('ok'))
  })
  const slow = await server.open('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n')
  const answered = once(slow, 'data')
  const response = await slowAsked.promise
  const stuck = [
    await server.open(),
    await server.open('GET / HT'),
    await server.open('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nabc'),
    await server.open('GET / HTTP/1.1\r\nhost: a\r\n\r\n'),
    await server.open('GET /big HTTP/1.1\r\nhost: a\r\n\r\n'),
  ]
  // Nobody reads and nobody closes: only the server can end these.
  for (const socket of stuck) socket.pause()
  await until('only the one that waits for us is left', async () => (await server.count()) === 1)
  response.end('late')
  assert.match(String((await answered)[0]), /late/)
})

test('a body that comes byte by byte does not keep its connection, one that flows does', async () => {
  await using server = await listening(
    { most: 100, mostPerAddress: 100, idleMs: 1000, checkEveryMs: 50 },
    (request, response) => {
      if (request.url === '/refused') response.end('no')
      else request.resume().on('end', () => response.end('ok'))
    },
  )
  const body = (length: number, path = '/') => `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n\r\n`
  const dripping = [await server.open(body(100_000)), await server.open(body(100_000, '/refused'))]
  const chunks = 60
  const flowing = await server.open(body(chunks * 5000))
  const answered = once(flowing, 'data')
  let sent = 0
  const timer = setInterval(() => {
    for (const socket of dripping) socket.write('x')
    if (sent++ < chunks) flowing.write('x'.repeat(5000))
  }, 30)
  try {
    await until('the dripping ones are closed', () => dripping.every((socket) => socket.closed))
    assert.match(String((await answered)[0]), /200 OK/)
  } finally {
    clearInterval(timer)
  }
})

test('the limit is never more than half of what the process may open', () => {
  assert.equal(connectionsWithin(1000, 300), 150)
  assert.equal(connectionsWithin(1000, 1_048_576), 1000)
  assert.equal(connectionsWithin(1000, null), 1000)
  assert.equal(
    descriptorLimit(() => 'Limit  Soft  Hard\nMax open files            300                  300   files\n'),
    300,
  )
  const unknown = () => {
    throw new Error('no such file')
  }
  assert.equal(descriptorLimit(unknown), null)
})
