// Redirects over real sockets, on two hosts: which are followed, which are returned, and where secrets are sent.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Origin, startOrigin } from '../../test/support/origin.ts'
import { type TestFetcher, testFetcher, told } from '../../test/support/test-fetcher.ts'
import { mayCarrySecrets, nextHop } from './redirects.ts'

describe('a redirect', () => {
  let home: Origin
  let away: Origin
  let client: TestFetcher

  before(async () => {
    home = await startOrigin({ host: '127.0.0.6' })
    away = await startOrigin({ host: '127.0.0.7' })
    client = testFetcher()
    home.route('/feed', { body: 'here' })
    home.route('/feed-old', { status: 301, headers: { location: '/feed' } })
    home.route('/feed-older', { status: 308, headers: { location: '/feed-old' } })
    home.route('/away', { status: 301, headers: { location: `${away.url}/feed#top` } })
    away.route('/feed', { body: 'there' })
  })
  after(async () => {
    await client[Symbol.asyncDispose]()
    await Promise.all([home.close(), away.close()])
  })

  test('on the same host is followed at once, on the same connection', async () => {
    const before = home.connections
    const result = await client.get(`${home.url}/feed-older`)
    assert.equal(result.kind, 'body')
    if (result.kind !== 'body') return
    assert.equal(result.url, `${home.url}/feed`)
    assert.deepEqual(
      result.trail.map(({ status, to }) => [status, to]),
      [
        [308, `${home.url}/feed-old`],
        [301, `${home.url}/feed`],
      ],
    )
    assert.ok(home.connections - before <= 1)
  })

  test('to another port of the same host is followed too', async () => {
    await using other = await startOrigin({ host: '127.0.0.6' })
    other.route('/', { body: 'other port' })
    home.route('/port', { status: 302, headers: { location: other.url } })
    assert.equal((await client.get(`${home.url}/port`)).kind, 'body')
  })

  test('to another host is returned with its trail, and nothing is requested there', async () => {
    const hop = await client.get(`${home.url}/away`)
    assert.equal(hop.kind, 'elsewhere')
    assert.equal(away.requests.length, 0)
    if (hop.kind !== 'elsewhere') return
    assert.equal(hop.location, `${away.url}/feed`)
    assert.equal(hop.status, 301)
    const end = await client.get(hop.location, { trail: hop.trail })
    assert.equal(end.kind, 'body')
    assert.deepEqual(end.kind === 'body' && end.trail, [
      { from: `${home.url}/away`, to: `${away.url}/feed`, status: 301 },
    ])
  })

  test('is returned as a status when redirects are not followed', async () => {
    const result = await client.get(`${home.url}/feed-old`, { followRedirects: false })
    assert.equal(result.kind === 'status' && result.status, 301)
  })

  test('sends credentials and headers to the same host only', async () => {
    home.route('/locked', (request, response) => {
      response.writeHead(302, { location: request.headers.authorization ? '/unlocked' : '/denied' }).end()
    })
    home.route('/unlocked', { status: 302, headers: { location: `${away.url}/elsewhere` } })
    const secrets = { basicAuth: 'jo:pa:ss\u00e9', headers: { 'x-key': 'k' } }
    const hop = await client.get(`${home.url}/locked`, secrets)
    assert.equal(hop.kind, 'elsewhere')
    const sent = home.requestsTo('/unlocked')[0]?.headers
    assert.equal(sent?.authorization, `Basic ${Buffer.from('jo:pa:ss\u00e9').toString('base64')}`)
    assert.equal(sent?.['x-key'], 'k')
    if (hop.kind !== 'elsewhere') return
    await client.get(hop.location, { ...secrets, trail: hop.trail })
    const received = away.requestsTo('/elsewhere')[0]?.headers
    assert.equal(received?.authorization, undefined)
    assert.equal(received?.['x-key'], undefined)
  })

  test('never shows credentials from a URL', async () => {
    home.route('/private', { body: 'x' })
    const withPassword = home.url.replace('//', '//jo:s%C3%A9cret@')
    const result = await client.get(`${withPassword}/private`)
    assert.equal(
      home.requestsTo('/private')[0]?.headers.authorization,
      `Basic ${Buffer.from('jo:sécret').toString('base64')}`,
    )
    assert.ok(!JSON.stringify(result).includes('cret'))
    home.route('/to-password', { status: 302, headers: { location: away.url.replace('//', '//eve:secret@') } })
    const hop = await client.get(`${home.url}/to-password`)
    assert.equal(hop.kind === 'elsewhere' && hop.location, `${away.url}/`)
    assert.equal(hop.kind === 'elsewhere' && hop.trail[0]?.to, `${away.url}/`)
  })

  test('counts towards the redirect limit and loop detection across hosts', async () => {
    const there = `${away.url}/back`
    away.route('/back', { status: 302, headers: { location: `${home.url}/away` } })
    const trail = [{ from: `${home.url}/away`, to: there, status: 302 }]
    assert.equal(told(await client.get(there, { trail })).code, 'redirect-loop')
    const long = Array.from({ length: 5 }, (_, hop) => ({
      from: `http://h${hop}/`,
      to: `http://h${hop + 1}/`,
      status: 302,
    }))
    assert.equal(told(await client.get(`${home.url}/feed-old`, { trail: long })).code, 'too-many-redirects')
    assert.equal((await client.get(`${home.url}/feed-old`, { trail: long.slice(1) })).kind, 'body')
  })
})

test('secrets are not sent after a redirect from https to http or through another host', () => {
  const hop = (from: string, to: string) => ({ from, to, status: 302 })
  assert.equal(mayCarrySecrets('https://a.example/', []), true)
  assert.equal(mayCarrySecrets('https://a.example/2', [hop('http://a.example/', 'https://a.example/2')]), true)
  assert.equal(mayCarrySecrets('http://a.example/2', [hop('https://a.example/', 'http://a.example/2')]), false)
  const downAndUp = [hop('https://a.example/', 'http://a.example/2'), hop('http://a.example/2', 'https://a.example/3')]
  assert.equal(mayCarrySecrets('https://a.example/3', downAndUp), false)
  const detour = [hop('https://a.example/', 'https://b.example/'), hop('https://b.example/', 'https://a.example/2')]
  assert.equal(mayCarrySecrets('https://a.example/2', detour), false)
})

test('a Location in raw UTF-8, relative or with unusual spelling is resolved as in a browser', () => {
  const go = (location: string) => {
    const next = nextHop('https://a.example/x/y?q', 301, location, [], 5)
    return next.kind === 'hop' ? next.hop.to : next.failure.code
  }
  assert.equal(go('../caf\u00c3\u00a9'), 'https://a.example/caf%C3%A9')
  assert.equal(go('//b.example'), 'https://b.example/')
  assert.equal(go('?page=2'), 'https://a.example/x/y?page=2')
  assert.equal(go('http://0x7f.1/'), 'http://127.0.0.1/')
  assert.equal(go('http://2130706433/'), 'http://127.0.0.1/')
  assert.equal(go('http://0177.0.0.1/'), 'http://127.0.0.1/')
  assert.equal(go('#top'), 'redirect-loop')
})
