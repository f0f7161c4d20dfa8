// What an attacker with an ordinary token tries: addresses inside, requests that make no sense, forged cursors.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testFetcher, told } from '../support/test-fetcher.ts'
import { startWholeProduct } from '../support/whole-product.ts'

/** Addresses of this machine, its network and its cloud, in every form that a URL can have. */
const INSIDE = [
  ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '017700000001', '0177.0.0.1'],
  ...['0', '0.0.0.0', '127.255.255.254', '127.0.0.1.', 'localhost', 'LOCALHOST', 'localhost.', 'a.localhost'],
  ...['10.0.0.1', '10.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '0xc0a80001', '3232235521'],
  ...['169.254.169.254', '0xa9fea9fe', '2852039166', '169.254.1.1', '100.64.0.1', '100.100.100.200', '224.0.0.1'],
  ...[
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
  ],
  ...['[2002:7f00:1::]', '[fc00::1]', '[fd00:ec2::254]', '[fe80::1]', '[ff02::1]', '１２７.0.0.1', '127。0。0。1'],
  ...['[0:0:0:0:0:ffff:a9fe:a9fe]', '%31%32%37.0.0.1'],
]

test(`${INSIDE.length} ways to write an address inside are refused`, async () => {
  assert.ok(INSIDE.length >= 43)
  await using client = testFetcher({ allowPrivateNetworks: [] })
  for (const host of INSIDE) {
    const result = await client.get(`http://${host}:9/`, { trusted: false })
    // A name such as a.localhost may not exist here.
    assert.ok(
      ['refused-address', 'bad-url', 'dns-not-found'].includes(told(result).code),
      `${host}: ${told(result).code}`,
    )
    assert.notEqual(told(result).code, 'body')
  }
  for (const host of INSIDE.filter((name) => /^[\d[]/.test(name))) {
    assert.equal(told(await client.get(`http://${host}:9/`, { trusted: false })).code, 'refused-address', host)
  }
})

interface Operation {
  readonly method: string
  readonly path: string
}

async function operationsOf(product: Awaited<ReturnType<typeof startWholeProduct>>): Promise<Operation[]> {
  const { body } = await product.ask('GET', '/openapi.json')
  return Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods)
      // A live stream does not end, and one real deletion would end the test's user.
      .filter((method) => path !== '/api/events' && !(method === 'delete' && /\/(users|tokens)\/\{\w+\}$/.test(path)))
      .map((method) => ({ method: method.toUpperCase(), path })),
  )
}

const ODD = [
  '..',
  '%00',
  '%2e%2e',
  "' OR 1=1 --",
  'default',
  '０',
  '-1',
  '9'.repeat(40),
  '\u202e',
  'a'.repeat(400),
  '{}',
  '__proto__',
]

test('no request that is made up from the OpenAPI document is answered with 500, or reaches what belongs to others', async () => {
  await using product = await startWholeProduct()
  const ann = await product.person('Ann')
  const bob = await product.person('Bob')
  const secret = 'only-bob-knows-this'
  await product.catalogue.sources.create(bob.podcastId, { type: 'rss', url: `https://a.example/${secret}` })
  const operations = await operationsOf(product)
  const ids = [ann.id, bob.id, ann.podcastId, bob.podcastId, 'default']
  const value = fc.oneof(fc.constantFrom(...ids), fc.constantFrom(...ODD), fc.string({ maxLength: 20 }))
  const request = fc.record({
    operation: fc.constantFrom(...operations),
    params: fc.array(value, { minLength: 4, maxLength: 4 }),
    query: fc.dictionary(fc.constantFrom('limit', 'cursor', 'q', 'since', 'after', 'host', 'days', 'x'), value, {
      maxKeys: 3,
    }),
    body: fc.oneof(fc.constant(undefined), fc.json({ maxDepth: 3 }), fc.string({ maxLength: 50 })),
  })
  await fc.assert(
    fc.asyncProperty(request, async ({ operation, params, query, body }) => {
      const rest = [...params]
      const path = operation.path.replace(/\{\w+\}/g, () => encodeURIComponent(rest.shift()?.toWellFormed() ?? 'x'))
      const search = new URLSearchParams(query).toString()
      const raw = operation.method === 'GET' || body === undefined ? {} : { raw: body }
      const told = await product.ask(operation.method, `${path}?${search}`, { token: ann.token, ...raw })
      assert.ok(told.status < 500 || told.status === 503, `${operation.method} ${path}?${search} ${body}: ${told.text}`)
      assert.ok(!told.text.includes(secret), `${operation.method} ${path}`)
    }),
    { numRuns: 1500, seed: 22 },
  )
})

test('a forged cursor is refused, or lists nothing that one may not see', async () => {
  await using product = await startWholeProduct()
  const ann = await product.person('Ann')
  const bob = await product.person('Bob')
  for (let n = 0; n < 3; n++) {
    await product.catalogue.sources.create(ann.podcastId, { type: 'rss', url: `https://a.example/${n}` })
    await product.catalogue.sources.create(bob.podcastId, { type: 'rss', url: `https://bob.example/${n}` })
  }
  const admin = await product.admin()
  const { body: page } = await product.ask('GET', `${bob.sources}?limit=1`, { token: admin })
  const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const cursors = [
    page.nextCursor,
    ...['', 'x', '%00', 'null', '='.repeat(10), 'A'.repeat(3000)],
    ...[null, {}, [], [null], ['', ''], [1e300, 'x'], [-1, ''], [0, '\0'], [{}, []], ['0', 0], '0'].map(forged),
  ]
  for (const cursor of cursors) {
    const path = `${ann.sources}?limit=5&cursor=${encodeURIComponent(cursor)}`
    const told = await product.ask('GET', path, { token: ann.token })
    assert.ok(told.status === 200 || told.status === 400, `${cursor}: ${told.status} ${told.text}`)
    assert.doesNotMatch(told.text, /bob\.example/)
  }
})
