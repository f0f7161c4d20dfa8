// What becomes of a request on a connection that the server has just hung up on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOrigin } from '../../test/support/origin.ts'
import { testFetcher, told } from '../../test/support/test-fetcher.ts'

test('a server that hung up on a connection kept alive is asked again on a new one', async () => {
  await using client = testFetcher()
  const before = await startOrigin({ host: '127.0.0.16' })
  before.route('/', { body: 'x' })
  assert.equal((await client.get(`${before.url}/`)).kind, 'body')
  await before.close()
  await using after = await startOrigin({ host: '127.0.0.16', port: before.port })
  after.route('/', { body: 'y' })
  // At once: the end of the old connection has not been noticed yet.
  assert.equal((await client.get(`${after.url}/`)).kind, 'body')
})

test('a server that is gone is told as one that refuses, whatever connection was left of it', async () => {
  await using client = testFetcher()
  const origin = await startOrigin({ host: '127.0.0.16' })
  origin.route('/', { body: 'x' })
  await client.get(`${origin.url}/`)
  await origin.close()
  assert.equal(told(await client.get(`${origin.url}/`)).code, 'connection-refused')
})

test('a server that hangs up on a new connection is not asked twice', async () => {
  await using client = testFetcher()
  await using origin = await startOrigin({ host: '127.0.0.16' })
  origin.route('/', (request) => request.socket.destroy())
  assert.equal(told(await client.get(`${origin.url}/`)).code, 'connection-reset')
  assert.equal(origin.requests.length, 1)
})

test('a server that hangs up on every request is asked twice at most, and a message is never sent twice', async () => {
  await using client = testFetcher()
  await using origin = await startOrigin({ host: '127.0.0.16' })
  origin.route('/good', { body: 'x' })
  origin.route('/bad', (request) => request.socket.destroy())
  await client.get(`${origin.url}/good`)
  assert.equal(told(await client.get(`${origin.url}/bad`)).code, 'connection-reset')
  assert.equal(origin.requestsTo('/bad').length, 2)
  await client.get(`${origin.url}/good`)
  const sent = await client.get(`${origin.url}/bad`, { post: { body: '{}', contentType: 'application/json' } })
  // The connection stood: not a failure of making one.
  assert.equal(told(sent).code, 'connection-reset')
  assert.equal(origin.requestsTo('/bad').length, 3)
})
