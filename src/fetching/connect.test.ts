// NameLookup, TLS and the address guard together, over real sockets and a real name server.
import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import tls from 'node:tls'
import { type Certificate, selfSigned } from '../../test/support/certificate.ts'
import { startNameServer, type Zone } from '../../test/support/name-server.ts'
import { startOrigin } from '../../test/support/origin.ts'
import { testFetcher, told } from '../../test/support/test-fetcher.ts'

const DAY_MS = 86_400_000
const noHosts = async () => []

async function withNames(zone: Zone, http = {}) {
  const server = await startNameServer(zone)
  const client = testFetcher(http, { nameLookup: { servers: [server.address], hosts: noHosts } })
  return {
    get: client.get,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

test('a name is fetched from the address that its name server returns', async () => {
  await using origin = await startOrigin({ host: '127.0.0.8' })
  origin.route('/', { body: 'x' })
  await using client = await withNames(() => ({ addresses: ['127.0.0.8'] }))
  assert.equal((await client.get(`http://feeds.example:${origin.port}/`)).kind, 'body')
  assert.equal(origin.requests[0]?.headers.host, `feeds.example:${origin.port}`)
})

test('a public name with a private address is refused, in every spelling of the address', async () => {
  await using client = await withNames(() => ({ addresses: ['10.0.0.5'] }))
  const result = told(await client.get('http://rebound.example/'))
  assert.equal(result.code, 'refused-address')
  assert.match(result.reason, /10\.0\.0\.5 is a private address/)
  for (const host of [
    '0x0a.0.0.5',
    '167772165',
    '012.0.0.5',
    '10.5',
    '[::ffff:10.0.0.5]',
    '[::ffff:a00:5]',
    '0',
    '[::]',
  ])
    assert.equal(told(await client.get(`http://${host}/`)).code, 'refused-address', host)
})

test('a name that changes its address after the check (DNS rebinding) is refused', async () => {
  await using origin = await startOrigin({ host: '127.0.0.8' })
  origin.route('/', { body: 'x' })
  let asked = 0
  // First public, then loopback: what a rebinding attack does between check and use.
  await using client = await withNames(
    () => ({ addresses: [asked++ < 2 ? '127.0.0.8' : '127.0.0.9'], ttlSeconds: 0 }),
    {
      allowPrivateNetworks: ['127.0.0.8'],
    },
  )
  assert.equal((await client.get(`http://rebinding.example:${origin.port}/`)).kind, 'body')
  assert.equal(asked, 2, 'one look-up of both families serves check and connection alike')
})

test('only the allowed addresses of a name are tried', async () => {
  await using origin = await startOrigin({ host: '127.0.0.8' })
  await using trap = await startOrigin({ host: '127.0.0.9', port: origin.port })
  origin.route('/', { body: 'x' })
  await using client = await withNames(() => ({ addresses: ['127.0.0.9', '10.0.0.1', '127.0.0.8', 'fd00::1'] }), {
    allowPrivateNetworks: ['127.0.0.8'],
  })
  assert.equal((await client.get(`http://mixed.example:${origin.port}/`)).kind, 'body')
  assert.equal(trap.connections, 0)
})

test('when the first address refuses, the next one is tried', async () => {
  await using origin = await startOrigin({ host: '127.0.0.8' })
  origin.route('/', { body: 'x' })
  await using client = await withNames(() => ({ addresses: ['127.0.0.10', '127.0.0.8'] }))
  assert.equal((await client.get(`http://two.example:${origin.port}/`)).kind, 'body')
})

test('the address that Tidings listens on is refused even if its network is allowed', async () => {
  await using origin = await startOrigin({ host: '127.0.0.8' })
  origin.route('/', { body: 'x' })
  const own = [{ address: '127.0.0.8', port: origin.port }]
  await using client = testFetcher({}, { ownAddresses: () => own })
  const result = told(await client.get(origin.url))
  assert.equal(result.code, 'refused-address')
  assert.match(result.reason, /Tidings itself listens/)
  assert.equal(origin.connections, 0)
})

test('a name server that fails or does not answer is a transient lookup failure', async () => {
  await using client = await withNames((name) => (name === 'silent.example' ? 'silence' : 'servfail'), {
    connectTimeoutSeconds: 0.2,
  })
  assert.equal(told(await client.get('http://failing.example/')).code, 'dns-failed')
  const silent = told(await client.get('http://silent.example/'))
  assert.equal(silent.code, 'dns-failed')
  assert.match(silent.reason, /No answer from the name server within 0.2 s/)
})

test('a server that never finishes the TLS handshake runs into the connect limit', async () => {
  const mute = createServer().listen(0, '127.0.0.8')
  await new Promise((resolve) => mute.once('listening', resolve))
  await using client = testFetcher({ connectTimeoutSeconds: 0.2 })
  const { port } = mute.address() as { port: number }
  const result = told(await client.get(`https://127.0.0.8:${port}/`))
  assert.equal(result.code, 'connect-timeout')
  assert.match(result.reason, /No TLS handshake within 0.2 s/)
  mute.close()
})

test('a connection that is reset or closed during the TLS handshake is a connect failure', async () => {
  const hangUps: readonly ((socket: Socket) => void)[] = [
    (socket) => socket.resetAndDestroy(),
    (socket) => socket.once('data', () => socket.resetAndDestroy()),
    (socket) => socket.once('data', () => socket.end()),
  ]
  for (const hangUp of hangUps) {
    const rude = createServer((socket) => hangUp(socket.on('error', () => {}))).listen(0, '127.0.0.8')
    await new Promise((resolve) => rude.once('listening', resolve))
    await using client = testFetcher()
    const { port } = rude.address() as { port: number }
    const result = told(await client.get(`https://127.0.0.8:${port}/`))
    assert.equal(result.code, 'connect-reset', `${hangUp}`)
    assert.match(result.reason, /while it was being made|before it was ready/)
    rude.close()
  }
})

test('TLS errors name the problem with the certificate', async () => {
  const past = { notBefore: new Date(Date.now() - 9 * DAY_MS), notAfter: new Date(Date.now() - DAY_MS) }
  const future = { notBefore: new Date(Date.now() + DAY_MS), notAfter: new Date(Date.now() + 9 * DAY_MS) }
  const good = selfSigned({ names: ['tls.example', '127.0.0.8'] })
  const expired = selfSigned({ names: ['127.0.0.8'], ...past })
  const early = selfSigned({ names: ['127.0.0.8'], ...future })
  const other = selfSigned({ names: ['other.example'] })
  const trusted = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...trusted, good.cert, expired.cert, early.cert, other.cert])
  const ask = async (certificate: Certificate) => {
    await using origin = await startOrigin({ host: '127.0.0.8', tls: certificate })
    origin.route('/', { body: 'x' })
    await using client = testFetcher()
    // Twice: a failure must not leave a session behind that goes through the second time.
    await client.get(origin.url)
    return told(await client.get(origin.url))
  }
  try {
    assert.equal((await ask(good)).code, 'body')
    for (const [certificate, words] of [
      [expired, /certificate has expired/],
      [early, /certificate is not valid yet/],
      [other, /certificate is for another name/],
      [selfSigned({ names: ['127.0.0.8'] }), /certificate is self-signed/],
    ] as const) {
      const result = await ask(certificate)
      assert.equal(result.code, 'tls', result.reason)
      assert.match(result.reason, words)
    }
  } finally {
    tls.setDefaultCACertificates(trusted)
  }
})

test('https to a plain HTTP port is a TLS failure', async () => {
  await using origin = await startOrigin({ host: '127.0.0.8' })
  await using client = testFetcher()
  assert.equal(told(await client.get(origin.url.replace('http:', 'https:'))).code, 'tls')
})

test('credentials are not sent after a redirect from https to http', async () => {
  const certificate = selfSigned({ names: ['127.0.0.8'] })
  const trusted = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...trusted, certificate.cert])
  try {
    await using secure = await startOrigin({ host: '127.0.0.8', tls: certificate })
    await using plain = await startOrigin({ host: '127.0.0.8' })
    secure.route('/', { status: 302, headers: { location: `${plain.url}/` } })
    plain.route('/', { body: 'x' })
    await using client = testFetcher()
    assert.equal((await client.get(`${secure.url}/`, { basicAuth: 'jo:secret' })).kind, 'body')
    assert.ok(secure.requests[0]?.headers.authorization)
    assert.equal(plain.requests[0]?.headers.authorization, undefined)
  } finally {
    tls.setDefaultCACertificates(trusted)
  }
})
