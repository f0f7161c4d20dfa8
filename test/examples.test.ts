// The programs in examples/ do what they say, against a real server: nobody copies an example that is broken.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { askAt } from './support/api.ts'
import { type Origin, startOrigin } from './support/origin.ts'
import { usePostgres } from './support/postgres.ts'
import { type Item, rss } from './support/product.ts'
import { runExample, startExample } from './support/run-example.ts'
import { type ServeProcess, startRunning } from './support/serve-process.ts'
import { until } from './support/until.ts'

const PODCAST = '/api/users/default/podcasts/default'
const HOUR = 3_600_000

const postgres = usePostgres()
let folder: string
let origin: Origin
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidings-examples-'))
  origin = await startOrigin({ host: '127.0.0.30' })
})
after(async () => {
  await origin.close()
  rmSync(folder, { recursive: true })
})

function itemsOf(name: string, count: number): Item[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{ title: `${name} ${at}`, guid: `${name}-${at}`, link: `https://example.org/${name}/${at}` },
    ...{ body: `The text of ${name} ${at}.`, publishedAt: Date.now() - HOUR - at * 1000 },
  }))
}

/** A server that has polled a feed of so many posts. */
async function serveWith(name: string, items: readonly Item[], store?: readonly string[]): Promise<ServeProcess> {
  origin.route(`/${name}`, { contentType: 'application/rss+xml', body: rss(items) })
  const given = store ?? ['--data', join(folder, `data-${name}`)]
  const running = await startRunning(['serve', '--port', '0', ...given])
  const serve = { ...running, url: /Dashboard {2}(\S+?)\/$/m.exec(running.greeting)?.[1] ?? '' }
  await addSource(serve, name)
  return serve
}

async function addSource(serve: ServeProcess, name: string): Promise<void> {
  const body = { type: 'rss', url: `${origin.url}/${name}`, label: name, backfillDays: 7 }
  const { status, body: source } = await askAt(serve.url, 'POST', `${PODCAST}/sources`, { body })
  assert.equal(status, 201)
  const polled = await askAt(serve.url, 'POST', `${PODCAST}/sources/${source.id}/poll?wait=true`)
  assert.equal(polled.body.outcome, 'success')
}

async function example(serve: ServeProcess | null, file: string, args: readonly string[] = [], env = {}) {
  const server = serve === null ? {} : { TIDINGS_SERVER: serve.url }
  const ran = await runExample(`examples/${file}`, args, { cwd: folder, env: { ...server, ...env } })
  assert.deepEqual([ran.code, ran.err], [0, ''])
  return ran.out
}

test('the briefing has everything that is new, once', async () => {
  await using serve = await serveWith('news', itemsOf('news', 3))
  const first = await example(serve, 'briefing.ts')
  assert.match(first, /^## news$/m)
  for (const title of ['news 0', 'news 1', 'news 2']) assert.match(first, new RegExp(`^- ${title}$`, 'm'))
  assert.match(first, /^ {2}https:\/\/example\.org\/news\/2$/m)
  assert.equal(await example(serve, 'briefing.ts'), 'Nothing new.\n')
})

test('the webhook receiver takes what Tidings signed, and refuses everything else', async () => {
  await using serve = await serveWith('hooked', itemsOf('hooked', 1))
  const secret = Buffer.alloc(32, 7).toString('base64')
  const env = { WEBHOOK_SECRET: secret, PORT: '0' }
  const receiver = startExample('examples/webhook-receiver.ts', [], { cwd: folder, env })
  const lines: string[] = []
  createInterface({ input: receiver.stdout }).on('line', (line) => lines.push(line))
  try {
    await until('the receiver listens', () => lines.length === 1)
    const url = `http://127.0.0.1:${/\d+$/.exec(lines[0] ?? '')?.[0]}/`
    const body = { url, types: ['posts.created'], secret }
    assert.equal((await askAt(serve.url, 'POST', '/api/users/default/webhooks', { body })).status, 201)
    origin.route('/more', { contentType: 'application/rss+xml', body: rss(itemsOf('more', 2)) })
    await addSource(serve, 'more')
    await until('the message arrives', () => lines.length === 2)
    assert.equal(lines[1], `posts.created ${origin.url}/more 2`)
    const headers = { 'webhook-id': '1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' }
    assert.equal((await askAt(url.slice(0, -1), 'POST', '/', { headers, raw: '{}' })).status, 401)
    assert.equal(lines.length, 2)
  } finally {
    receiver.kill('SIGKILL')
    await once(receiver, 'close')
  }
})

describe('the follower', () => {
  const POSTS = 120
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    test(`killed again and again it has every post once, on ${engine}`, async () => {
      const name = `followed-${engine}`
      const store = engine === 'SQLite' ? undefined : ['--database', await postgres.freshDatabase()]
      await using serve = await serveWith(name, itemsOf(name, POSTS), store)
      const file = join(folder, `${name}.db`)
      // Pages of a few posts, killed after the first that is printed: what comes next is cut at any point.
      for (let kill = 0; kill < 4; kill++) {
        const env = { TIDINGS_SERVER: serve.url, PAGE: '4' }
        const child = startExample('examples/follow.ts', [file], { cwd: folder, env })
        const closed = once(child, 'close')
        await Promise.race([once(child.stdout, 'data'), closed])
        child.kill('SIGKILL')
        await closed
      }
      const half = idsIn(file)
      assert.ok(half.length > 0 && half.length < POSTS, `${half.length} posts when it was killed for the last time`)
      await example(serve, 'follow.ts', [file])
      assert.equal(new Set(idsIn(file)).size, POSTS)
      assert.equal(idsIn(file).length, POSTS)
      const cursor = await askAt(serve.url, 'GET', `${PODCAST}/cursors/follow-example`)
      assert.equal(cursor.body.behind, 0)
    })
  }

  function idsIn(file: string): string[] {
    const db = new DatabaseSync(file)
    const ids = db
      .prepare('SELECT id FROM posts')
      .all()
      .map(({ id }) => String(id))
    db.close()
    return ids
  }
})

test('the loader writes chunks of bounded size with what is needed to cite them, and goes on where it was', async () => {
  const long = Array.from({ length: 40 }, (_, at) => `Sentence number ${at} of a long text.`).join(' ')
  await using serve = await serveWith('rag', [
    ...itemsOf('rag', 2),
    { title: 'Long', guid: 'long', body: long, link: 'https://example.org/long', publishedAt: Date.now() - HOUR },
  ])
  const lines = (await example(serve, 'rag.ts', [], { CHUNK_CHARACTERS: '300' })).trim().split('\n')
  const rows = lines.map((line) => JSON.parse(line))
  const { position } = rows.pop()
  const chunks = rows.filter(({ metadata }) => metadata.title === 'Long')
  assert.ok(chunks.length >= 4, String(chunks.length))
  for (const { text, metadata } of chunks) {
    assert.ok(text.startsWith('# Long\n\n') && text.length <= 300 + '# Long\n\n'.length, text)
    assert.equal(metadata.url, 'https://example.org/long')
    assert.equal(metadata.sourceTitle, 'rag')
  }
  const whole = chunks.map(({ text }) => text.replace('# Long\n\n', '')).join(' ')
  assert.equal(whole, long)
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
  assert.equal(await example(serve, 'rag.ts', [position]), `${JSON.stringify({ position })}\n`)
})

test('the embedded poller polls, and a second run finds nothing new', async () => {
  origin.route('/embedded', { contentType: 'application/rss+xml', body: rss(itemsOf('embedded', 2)) })
  const args = [`${origin.url}/embedded`, join(folder, 'embedded.db')]
  const env = { ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' }
  assert.match(await example(null, 'embed.ts', args, env), /success, 2 new[\s\S]*- embedded 0 https/)
  assert.match(await example(null, 'embed.ts', args, env), /success, 0 new[\s\S]*- embedded 0 https/)
})
