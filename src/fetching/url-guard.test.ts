import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOrigin } from '../../test/support/origin.ts'
import { testFetcher, told } from '../../test/support/test-fetcher.ts'
import { createPortGuard } from './url-guard.ts'

test('only the listed ports may be visited, and every port if none is listed', () => {
  const only = createPortGuard([443, 8443])
  assert.equal(only(new URL('https://a.example/'), true), null)
  assert.equal(only(new URL('https://a.example:8443/'), false), null)
  assert.match(only(new URL('http://a.example/'), true) ?? '', /port 80 is not in app\.http\.allow-ports/)
  assert.match(only(new URL('https://a.example:22/'), true) ?? '', /port 22 /)
  assert.equal(only(new URL('https://gateway.example:9000/'), 'configured'), null)
  assert.equal(createPortGuard([])(new URL('http://a.example:22/'), false), null)
})

test('a redirect to a port that is not listed is refused, and nobody is asked there', async () => {
  await using origin = await startOrigin()
  await using other = await startOrigin()
  origin.route('/feed', { status: 302, headers: { location: `${other.url}/feed` } })
  await using client = testFetcher({ allowPorts: [origin.port] })
  const first = await client.get(`${origin.url}/feed`)
  const result = first.kind === 'elsewhere' ? await client.get(first.url, { trail: first.trail }) : first
  assert.equal(told(result).code, 'refused-address')
  assert.equal(other.requests.length, 0)
})
