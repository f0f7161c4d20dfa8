// Every operation of the API's own OpenAPI document, and every tool of MCP, with input that is nearly right: one field of
// a wrong type, huge, empty or odd. Never a 500, never a hang, never what belongs to somebody else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pick, streamOf } from '../../bench/seeded.ts'
import { usePostgres } from '../support/postgres.ts'
import { startWholeProduct } from '../support/whole-product.ts'

const SECRET = 'only-bob-knows-this'
/** Of processor time: what else the machine does is not counted. */
const SLOW_MS = 10_000
const TRIES = 7
const TRIES_ON_POSTGRES = 4

const ODD: readonly unknown[] = [
  ...[null, true, 0, -1, 1e308, 2 ** 53, '', ' ', [], {}, [null], { a: { b: {} } }],
  ...[
    'x'.repeat(5000),
    '\u0000',
    '\u202egnp.exe',
    '\ud800',
    '💥'.repeat(300),
    "'; DROP TABLE posts; --",
    '../../etc/passwd',
  ],
  ...[
    '2026-13-45T99:99:99Z',
    'javascript:alert(1)',
    'http://[::1]:1/',
    'file:///etc/passwd',
    'data:text/html,x',
    '%00',
    'NaN',
  ],
]

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly $ref?: string
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> }
}

const postgres = usePostgres()

type Product = Awaited<ReturnType<typeof startWholeProduct>>

test('every operation answers nearly right requests below 500, in time, with nothing of others', async () => {
  await using product = await startWholeProduct()
  await attack(product, { seed: 30, tries: TRIES })
})

test('and on PostgreSQL, whose statements and types are stricter', async () => {
  await using product = await startWholeProduct({ config: onPostgres(await postgres.freshDatabase()) })
  await attack(product, { seed: 32, tries: TRIES_ON_POSTGRES })
})

const onPostgres = (url: string) => ({
  database: { url },
  encryption: { masterKey: Buffer.alloc(32, 3).toString('base64') },
})

async function attack(product: Product, { seed, tries: most }: { seed: number; tries: number }): Promise<void> {
  const { ids, token } = await someData(product)
  const { body: api } = await product.ask('GET', '/openapi.json')
  const chance = streamOf(seed, 'routes')
  let asked = 0
  for (const [path, methods] of Object.entries(api.paths as Record<string, Record<string, Operation>>)) {
    for (const [method, operation] of Object.entries(methods)) {
      // A live stream does not end, and one real deletion would end the test's user.
      if (path === '/api/events' || (method === 'delete' && /\/(users|tokens|podcasts)\/\{\w+\}$/.test(path))) continue
      for (let tries = 0; tries < most; tries++) {
        const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
          encodeURIComponent(ids[name] ?? String(pick(chance, ODD)).toWellFormed()),
        )
        const search = new URLSearchParams()
        for (const { name, in: place } of operation.parameters ?? []) {
          if (place === 'query' && chance() < 0.3) search.set(name, String(pick(chance, ODD)))
        }
        const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
        const schema = content?.schema && resolved(api, content.schema)
        const raw = schema && JSON.stringify(nearly(schema, chance, api))
        const headers = type ? { 'content-type': type } : {}
        const before = process.threadCpuUsage()
        const told = await product.ask(method.toUpperCase(), `${filled}?${search}`, {
          token,
          headers,
          ...(raw !== undefined && { raw }),
        })
        asked++
        const what = `${method} ${filled}?${search} ${raw?.slice(0, 300)}: ${told.status} ${told.text.slice(0, 300)}`
        // 502: a message that could not be delivered. 503: the host is not free.
        assert.ok(told.status < 500 || told.status === 502 || told.status === 503, what)
        assert.ok(!told.text.includes(SECRET), what)
        assert.ok(process.threadCpuUsage(before).user / 1000 < SLOW_MS, `slow: ${what}`)
      }
    }
  }
  assert.ok(asked > 60 * most, `${asked} requests`)
}

test('every tool of MCP takes odd arguments without a fault, and tells nothing of others', async () => {
  await using product = await startWholeProduct({ config: { mcp: { write: true } } })
  const { token } = await someData(product)
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const call = (method: string, params: unknown) =>
    product.ask('POST', '/mcp', { token, headers, raw: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) })
  const listed = await call('tools/list', {})
  const tools: { name: string; inputSchema: Schema }[] = answerOf(listed.text).result.tools
  assert.ok(tools.length >= 8)
  const chance = streamOf(31, 'tools')
  for (const { name, inputSchema } of tools) {
    for (let tries = 0; tries < TRIES; tries++) {
      const told = await call('tools/call', { name, arguments: nearly(inputSchema, chance, {}) })
      assert.ok(told.status < 500, `${name}: ${told.status} ${told.text.slice(0, 300)}`)
      assert.ok(!told.text.includes(SECRET), name)
      assert.doesNotMatch(told.text, /Something went wrong here/, name)
    }
  }
  for (const raw of [
    '',
    '[]',
    'null',
    '{',
    '{"jsonrpc":"2.0"}',
    JSON.stringify({ jsonrpc: '2.0', id: {}, method: 5 }),
  ]) {
    const told = await product.ask('POST', '/mcp', { token, headers, raw })
    assert.ok(told.status < 500, `${raw}: ${told.status}`)
  }
})

/** Ann's things by the names of the parameters, and a secret of Bob's. */
async function someData(product: Product) {
  const ann = await product.person('Ann')
  const bob = await product.person('Bob')
  const { catalogue } = product
  const source = await catalogue.sources.create(ann.podcastId, { type: 'rss', url: 'https://a.invalid/feed' })
  await catalogue.sources.create(bob.podcastId, { type: 'rss', url: `https://b.invalid/${SECRET}`, label: SECRET })
  const webhook = await catalogue.webhooks.create(ann.id, { url: 'https://hook.invalid/', types: ['poll.finished'] })
  const notifier = await catalogue.notifiers.create(ann.id, { kind: 'ntfy', target: 'https://ntfy.invalid/topic' })
  const ids: Record<string, string> = {
    user: ann.id,
    podcast: ann.podcastId,
    source: source.id,
    webhook: webhook.id,
    notifier: notifier.id,
    provider: 'x',
    host: 'a.invalid',
  }
  return { ids, token: ann.token }
}

/** A value of this schema in which one thing, now and then two, is not as it should be. */
function nearly(schema: Schema, chance: () => number, api: unknown): unknown {
  const { properties } = resolved(api, schema)
  if (!properties) return pick(chance, ODD)
  const names = Object.keys(properties)
  const wrong = new Set([pick(chance, [...names, '']), chance() < 0.3 ? pick(chance, [...names, '']) : ''])
  const fields = names.flatMap((name): [string, unknown][] => {
    if (wrong.has(name)) return [[name, pick(chance, ODD)]]
    return chance() < 0.5 ? [[name, right(resolved(api, properties[name] ?? {}), name)]] : []
  })
  return { ...Object.fromEntries(fields), ...(chance() < 0.1 && { surprise: pick(chance, ODD) }) }
}

function right(schema: Schema, name: string): unknown {
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return right(schema.anyOf[0], name)
  if (/url$/i.test(name)) return 'https://c.invalid/feed'
  const values: Readonly<Record<string, unknown>> = {
    string: 'rss',
    integer: 5,
    number: 5,
    boolean: false,
    array: [],
    object: {},
  }
  return values[schema.type ?? 'string'] ?? null
}

function resolved(api: unknown, schema: Schema): Schema {
  if (!schema.$ref) return schema
  const found = schema.$ref
    .slice(2)
    .split('/')
    .reduce((at: unknown, key) => (at as Record<string, unknown> | undefined)?.[key], api)
  return resolved(api, (found ?? {}) as Schema)
}

/** JSON, or the first event of a stream. */
function answerOf(text: string) {
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
}
