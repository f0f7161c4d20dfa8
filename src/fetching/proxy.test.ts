import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { test } from 'node:test'
import tls from 'node:tls'
import { selfSigned } from '../../test/support/certificate.ts'
import { startOrigin } from '../../test/support/origin.ts'
import { testFetcher, told } from '../../test/support/test-fetcher.ts'

/** A forward proxy that sends everything to `target`, whatever name was asked for. */
async function startProxy(target: { host: string; port: number }, connectAnswer = '200 Connection established') {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    const { pathname } = new URL(request.url ?? '')
    httpRequest({ ...target, path: pathname, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    }).end()
  })
  server.on('connect', (request, socket) => {
    seen.push(request)
    socket.on('error', () => {})
    if (!connectAnswer.startsWith('200')) return socket.end(`HTTP/1.1 ${connectAnswer}\r\n\r\n`)
    const onward = connect(target.port, target.host, () => {
      socket.write(`HTTP/1.1 ${connectAnswer}\r\n\r\n`)
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('close', () => onward.destroy())
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.11', resolve))
  return {
    url: `127.0.0.11:${(server.address() as AddressInfo).port}`,
    seen,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

test('http requests go through the proxy with the proxy credentials, and no name is looked up here', async () => {
  await using origin = await startOrigin({ host: '127.0.0.12' })
  origin.route('/feed', { body: 'through' })
  await using proxy = await startProxy(origin)
  await using client = testFetcher({ proxy: `http://joe:pw@${proxy.url}` })
  assert.equal((await client.get('http://only-the-proxy-knows.invalid/feed')).kind, 'body')
  assert.equal(proxy.seen[0]?.url, 'http://only-the-proxy-knows.invalid/feed')
  assert.equal(proxy.seen[0]?.headers['proxy-authorization'], `Basic ${Buffer.from('joe:pw').toString('base64')}`)
})

test('https requests go through a tunnel, and the certificate is still checked', async () => {
  const certificate = selfSigned({ names: ['secure.example'] })
  const trusted = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...trusted, certificate.cert])
  try {
    await using origin = await startOrigin({ host: '127.0.0.12', tls: certificate })
    origin.route('/', { body: 'sealed' })
    await using proxy = await startProxy(origin)
    await using client = testFetcher({ proxy: `http://${proxy.url}` })
    assert.equal((await client.get('https://secure.example/')).kind, 'body')
    assert.equal(proxy.seen[0]?.method, 'CONNECT')
    assert.equal(told(await client.get('https://wrong.example/')).code, 'tls')
  } finally {
    tls.setDefaultCACertificates(trusted)
  }
})

test('a proxy that is down, missing or refuses fails with the code "proxy"', async () => {
  await using origin = await startOrigin({ host: '127.0.0.12' })
  await using unwilling = await startProxy(origin, '403 Forbidden')
  const gone = await startProxy(origin)
  await gone[Symbol.asyncDispose]()
  for (const proxy of [`http://${gone.url}`, 'http://no-such-proxy.invalid:3128', `http://${unwilling.url}`]) {
    await using client = testFetcher({ proxy })
    const result = told(await client.get('https://feeds.example/'))
    assert.equal(result.code, 'proxy', `${proxy}: ${result.reason}`)
  }
})

test('a proxy that refuses is named with its status, and 407 with what to correct', async () => {
  await using origin = await startOrigin({ host: '127.0.0.12' })
  const reasonWith = async (status: string): Promise<string> => {
    await using proxy = await startProxy(origin, status)
    await using client = testFetcher({ proxy: `http://${proxy.url}` })
    return told(await client.get('https://feeds.example/')).reason
  }
  assert.equal(await reasonWith('403 Forbidden'), 'The proxy answered 403 and made no connection')
  assert.match(await reasonWith('407 Proxy Authentication Required'), /^The proxy answered 407: .*app\.http\.proxy$/)
})

test('a proxy that takes too long to connect runs into the connect limit and fails with the code "proxy"', async () => {
  const silent = createTcpServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.11')
  await once(silent, 'listening')
  const proxy = `http://127.0.0.11:${(silent.address() as AddressInfo).port}`
  {
    await using client = testFetcher({ proxy, connectTimeoutSeconds: 0.3 })
    const result = told(await client.get('https://feeds.example/'))
    assert.deepEqual(result, { ...result, code: 'proxy', reason: 'The proxy made no connection within 0.3 s' })
  }
  await new Promise((resolve) => silent.close(resolve))
})

test('an IP address in the URL is checked even behind a proxy', async () => {
  await using origin = await startOrigin({ host: '127.0.0.12' })
  await using proxy = await startProxy(origin)
  await using client = testFetcher({ proxy: `http://${proxy.url}`, allowPrivateNetworks: [] })
  for (const host of ['127.0.0.1', '0x7f.1', '[::1]', 'localhost', 'a.localhost', '169.254.169.254'])
    assert.equal(told(await client.get(`http://${host}/`)).code, 'refused-address', host)
  assert.equal(proxy.seen.length, 0)
})

test('proxy environment variables are not used', async () => {
  await using origin = await startOrigin({ host: '127.0.0.12' })
  origin.route('/', { body: 'direct' })
  const before = { ...process.env }
  Object.assign(process.env, { http_proxy: 'http://127.0.0.11:1', HTTP_PROXY: 'http://127.0.0.11:1' })
  try {
    await using client = testFetcher()
    assert.equal((await client.get(origin.url)).kind, 'body')
  } finally {
    process.env = before
  }
})
