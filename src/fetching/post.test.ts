// POST requests: the same client, guard and limits as for GET.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Origin, startOrigin } from '../../test/support/origin.ts'
import { testFetcher, told } from '../../test/support/test-fetcher.ts'

const post = { body: '{"words":"Grüße"}', contentType: 'application/json' }

async function withOrigin(body: (origin: Origin) => Promise<void>): Promise<void> {
  await using origin = await startOrigin({ host: '127.0.0.5' })
  await body(origin)
}

test('a POST sends its body, type and headers, and returns the start of the response', () =>
  withOrigin(async (origin) => {
    await using client = testFetcher()
    const got: string[] = []
    origin.route('/take', async (request, response) => {
      request.setEncoding('utf8')
      let text = ''
      for await (const chunk of request) text += chunk
      got.push(text)
      response.writeHead(202).end('thanks')
    })
    const result = await client.get(`${origin.url}/take`, { accept: 'any', post, headers: { 'x-mark': 'me' } })
    assert.equal(result.kind === 'body' && new TextDecoder().decode(result.bytes), 'thanks')
    assert.deepEqual(got, [post.body])
    const [seen] = origin.requests
    assert.equal(seen?.method, 'POST')
    assert.equal(seen.headers['content-type'], 'application/json')
    assert.equal(seen.headers['content-length'], String(Buffer.byteLength(post.body)))
    assert.equal(seen.headers['x-mark'], 'me')
  }))

test('every 2xx status accepts a POST, also 206', () =>
  withOrigin(async (origin) => {
    await using client = testFetcher()
    for (const status of [200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 250, 299]) {
      origin.route('/take', { status })
      const result = await client.get(`${origin.url}/take`, { post })
      assert.deepEqual([result.kind, result.kind === 'body' && result.status], ['body', status])
    }
  }))

test('a POST does not follow redirects', () =>
  withOrigin(async (origin) => {
    await using client = testFetcher()
    for (const status of [301, 302, 303, 307, 308]) {
      origin.route('/moved', { status, headers: { location: '/elsewhere' } })
      const result = await client.get(`${origin.url}/moved`, { post })
      assert.equal(result.kind === 'status' && result.status, status)
    }
    assert.equal(origin.requestsTo('/elsewhere').length, 0)
  }))

test('a response that never ends does not delay an accepted POST', () =>
  withOrigin(async (origin) => {
    await using client = testFetcher()
    origin.route('/endless', (request, response) => {
      request.resume()
      response.writeHead(200)
      const drip = setInterval(() => response.write('x'.repeat(2000)), 5)
      response.on('close', () => clearInterval(drip))
    })
    const result = await client.get(`${origin.url}/endless`, { post })
    assert.equal(result.kind, 'body')
  }))

test('a POST to a private address is refused like any other request', () =>
  withOrigin(async (origin) => {
    await using client = testFetcher()
    assert.equal(told(await client.get(`${origin.url}/take`, { post, trusted: false })).code, 'refused-address')
    assert.equal(origin.requests.length, 0)
  }))
