// Requests on a keep-alive connection that the server has just closed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOrigin } from '../../test/support/origin.ts'
import { testFetcher, told } from '../../test/support/test-fetcher.ts'

test('a request on a closed keep-alive connection is sent again on a new one', async () => {
  await using client = testFetcher()
  const before = await startOrigin({ host: '127.0.0.16' })
  before.route('/', { body: 'x' })
  assert.equal((await client.get(`${before.url}/`)).kind, 'body')
  await before.close()
  await using after = await startOrigin({ host: '127.0.0.16', port: before.port })
  after.route('/', { body: 'y' })
  // Sent at once, before the client notices that the old connection was closed.
  assert.equal((await client.get(`${after.url}/`)).kind, 'body')
})

test('a server that has stopped gives connection-refused, even if a keep-alive connection was left', async () => {
  await using client = testFetcher()
  const origin = await startOrigin({ host: '127.0.0.16' })
  origin.route('/', { body: 'x' })
  await client.get(`${origin.url}/`)
  await origin.close()
  assert.equal(told(await client.get(`${origin.url}/`)).code, 'connection-refused')
})

test('a request on a new connection that the server closes is not sent again', async () => {
  await using client = testFetcher()
  await using origin = await startOrigin({ host: '127.0.0.16' })
  origin.route('/', (request) => request.socket.destroy())
  assert.equal(told(await client.get(`${origin.url}/`)).code, 'connection-reset')
  assert.equal(origin.requests.length, 1)
})

test('a GET is sent at most twice to a server that closes every connection, and a POST only once', async () => {
  await using client = testFetcher()
  await using origin = await startOrigin({ host: '127.0.0.16' })
  origin.route('/good', { body: 'x' })
  origin.route('/bad', (request) => request.socket.destroy())
  await client.get(`${origin.url}/good`)
  assert.equal(told(await client.get(`${origin.url}/bad`)).code, 'connection-reset')
  assert.equal(origin.requestsTo('/bad').length, 2)
  await client.get(`${origin.url}/good`)
  const sent = await client.get(`${origin.url}/bad`, { post: { body: '{}', contentType: 'application/json' } })
  // The connection was open, so this is not a connect failure.
  assert.equal(told(sent).code, 'connection-reset')
  assert.equal(origin.requestsTo('/bad').length, 3)
})
