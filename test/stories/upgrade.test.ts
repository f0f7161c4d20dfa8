// A store of version 0.1.0, with rows in every table, is opened by this version: everything is there, and polling goes on.
import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { secretsUnder } from '../../src/secrets/secrets.ts'
import { openDatabase } from '../../src/storage/open-store.ts'
import { askAt } from '../support/api.ts'
import { startOrigin } from '../support/origin.ts'
import { usePostgres } from '../support/postgres.ts'
import { rss } from '../support/product.ts'
import { openShell } from '../support/run-cli.ts'
import { startRunning } from '../support/serve-process.ts'
import { CLEANED_UP, makeOldStore, OLD_POST } from '../support/store-0-1-0.ts'

const postgres = usePostgres()
const PODCAST = '/api/users/default/podcasts/default'
const TOKEN = 'an-old-token'

for (const engine of ['SQLite', 'PostgreSQL']) {
  test(`everything of a store of 0.1.0 is there after the upgrade, and nothing is stored twice (${engine})`, async () => {
    await using origin = await startOrigin()
    using shell = openShell()
    const key = randomBytes(32)
    const env = { ...shell.env, APP_ENCRYPTION_MASTER_KEY: key.toString('base64') }
    Object.assign(shell.env, env)
    const url = engine === 'SQLite' ? `file:${join(shell.folder, 'tidings.db')}` : await postgres.freshDatabase()
    const now = Date.now()
    const sealedKey = await secretsUnder(key).seal({ scope: 'key', ownerId: 'default', name: 'x' }, 's3cret', now)
    await makeOldStore(url, { feedUrl: `${origin.url}/feed`, now, tokenHash: hash('sha256', TOKEN), sealedKey })
    await everyTableHasRows(url)
    const publishedAt = now - 24 * 3_600_000
    origin.route('/feed', {
      body: rss([
        { title: 'Sharks', guid: 'new-1', publishedAt: now },
        { ...CLEANED_UP, publishedAt: publishedAt + 1000 },
        { ...OLD_POST, publishedAt },
      ]),
    })
    const tidings = (...args: string[]) => shell.tidings(...args, '--database', url)

    assert.match((await tidings('user', 'list')).out, /Ada[\s\S]*Grace/)
    assert.match((await tidings('token', 'list', '--user', 'Grace')).out, /laptop/)
    const [source] = (await tidings('list', '--json')).json<{ items: Record<string, unknown>[] }>().items
    assert.deepEqual([source?.id, source?.label, source?.postCount, source?.health], ['src-1', 'Sea news', 1, 'ok'])
    assert.match((await tidings('articles')).out, /Whales/)
    assert.match((await tidings('polls', 'src-1')).out, /1 new|success|ok/)
    assert.match((await tidings('webhook', 'list')).out, /example\.org\/hook/)
    assert.equal((await tidings('doctor', '--json')).err, '')

    const polled = await tidings('poll', '--all')
    assert.match(polled.out, /1 ok, 0 failed; 1 new posts/)
    const posts = (await tidings('posts', '--json')).json<{ items: { id: string; title: string }[] }>().items
    assert.deepEqual(
      posts.map(({ id, title }) => [id, title]),
      [
        ['2', 'Sharks'],
        ['1', OLD_POST.title],
      ],
    )

    await using serve = await startRunning(['serve', '--port', '0', '--database', url], env)
    const base = /Dashboard {2}(\S+?)\/$/m.exec(serve.greeting)?.[1] ?? ''
    const get = async (path: string) => (await askAt(base, 'GET', path)).body
    assert.deepEqual(await get(`${PODCAST}/cursors/reader`), { name: 'reader', position: '1', behind: 1, gap: false })
    const letters = await get('/api/users/default/webhooks/w-1/dead-letters')
    assert.equal(letters.items.length, 1)
    assert.equal((await get('/api/users/default/keys/x')).configured, true)
    assert.doesNotMatch(serve.log(), /cannot be read/)
    const { items: days } = await get(`${PODCAST}/sources/src-1/days?days=3`)
    assert.equal(
      days.reduce((sum: number, day: { polls: number }) => sum + day.polls, 0),
      2,
    )
    const { items: followed } = await get(`${PODCAST}/posts?after=1`)
    assert.deepEqual(
      followed.map(({ title }: { title: string }) => title),
      ['Sharks'],
    )
    const { items: hosts } = await get('/api/hosts')
    assert.equal(hosts[0].host, '127.0.0.1')
  })
}

async function everyTableHasRows(url: string): Promise<void> {
  const db = await openDatabase(url, {})
  const columns = await db.all(db.dialect.transfer.columns)
  // The search index was empty until somebody searched.
  const tables = new Set(
    columns.map((row) => String(row.table_name)).filter((name) => !/^posts_text|^source_texts|^sqlite_/.test(name)),
  )
  assert.ok(tables.size > 20)
  for (const table of tables) {
    assert.ok(Number((await db.get(`SELECT count(*) AS n FROM ${table}`))?.n) > 0, `${table} has rows`)
  }
  await db.close()
}
