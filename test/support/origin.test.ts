import assert from 'node:assert/strict'
import { test } from 'node:test'
import { request } from 'undici'
import { startOrigin } from './origin.ts'

test('an origin answers what its routes say, 304 to the exact validator, and remembers each request', async () => {
  await using origin = await startOrigin({ host: '127.0.0.2', now: () => 7 })
  origin.route('/feed', { body: '<rss/>', contentType: 'application/rss+xml', etag: '"a"' })

  const first = await request(`${origin.url}/feed?q=1`)
  assert.equal(first.statusCode, 200)
  assert.equal(await first.body.text(), '<rss/>')
  const second = await request(`${origin.url}/feed`, { headers: { 'if-none-match': '"a"' } })
  assert.equal(second.statusCode, 304)
  await second.body.dump()
  const stale = await request(`${origin.url}/feed`, { headers: { 'if-none-match': '"b"' } })
  assert.equal(stale.statusCode, 200)
  await stale.body.dump()
  const missing = await request(`${origin.url}/else`)
  assert.equal(missing.statusCode, 404)
  await missing.body.dump()

  assert.deepEqual(
    origin.requests.map(({ at, path }) => [at, path]),
    [
      [7, '/feed?q=1'],
      [7, '/feed'],
      [7, '/feed'],
      [7, '/else'],
    ],
  )
  assert.equal(origin.requestsTo('/feed').length, 3)
  assert.equal(origin.mostAtOnce, 1)
})
