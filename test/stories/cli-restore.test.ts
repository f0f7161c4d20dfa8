// Backup and restore of an SQLite store.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { openShell, type Shell } from '../support/run-cli.ts'
import { startServe } from '../support/serve-process.ts'

function add(shell: Shell, path: string) {
  return shell.tidings('add', `https://example.org/${path}`, '--type', 'rss', '--no-validate')
}

async function urlsIn(shell: Shell): Promise<unknown[]> {
  const { items } = (await shell.tidings('list', '--json')).json<{ items: { url: string }[] }>()
  return items.map(({ url }) => url)
}

test('a backup comes back as it was, and what was there before is kept', async () => {
  using shell = openShell()
  await add(shell, 'one')
  await shell.tidings('backup', 'copy.db')
  await add(shell, 'two')
  const restored = await shell.tidings('restore', 'copy.db', '--json')
  assert.equal(restored.code, 0, restored.err)
  const { file, kept, sources } = restored.json<{ file: string; kept: string; sources: number }>()
  assert.equal(sources, 1)
  assert.deepEqual(await urlsIn(shell), ['https://example.org/one'])
  if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600)
  using old = new DatabaseSync(kept)
  assert.equal(old.prepare('SELECT count(*) AS n FROM sources').get()?.n, 2)
  assert.ok(!readdirSync(shell.folder).some((name) => name.includes('restoring')))
  // The backup itself stays usable.
  assert.equal((await shell.tidings('restore', 'copy.db')).code, 0)
})

test('a restore into an empty folder needs no store there', async () => {
  using from = openShell()
  await add(from, 'one')
  await from.tidings('backup', 'copy.db')
  using to = openShell()
  const restored = await to.tidings('restore', join(from.folder, 'copy.db'), '--json')
  assert.deepEqual([restored.code, restored.json().kept], [0, null])
  assert.deepEqual(await urlsIn(to), ['https://example.org/one'])
})

const KINDS = ['posts', 'articles', 'events', 'polls']

/** As if the store had lived on. */
function giveOutIds(file: string, newest: number): void {
  using store = new DatabaseSync(file)
  for (const kind of KINDS) {
    store.prepare('INSERT OR REPLACE INTO counters (name, value) VALUES (?, ?)').run(kind, newest)
  }
}

function idsGivenIn(file: string): number[] {
  using store = new DatabaseSync(file)
  return KINDS.map((kind) => Number(store.prepare('SELECT value FROM counters WHERE name = ?').get(kind)?.value ?? 0))
}

test('after a restore no id is given out again that programs have seen', async () => {
  await using origin = await startOrigin()
  origin.route('/feed', { body: rss([{ title: 'One', guid: '1', publishedAt: Date.now() }]) })
  using shell = openShell()
  await shell.tidings('add', `${origin.url}/feed`, '--type', 'rss', '--backfill', '1')
  await shell.tidings('backup', 'copy.db')
  const file = join(shell.folder, 'tidings.db')
  giveOutIds(file, 7000)
  assert.equal((await shell.tidings('restore', 'copy.db')).code, 0)
  assert.deepEqual(idsGivenIn(file), [7000, 7000, 7000, 7000])
  origin.route('/feed', { body: rss([{ title: 'Two', guid: '2', publishedAt: Date.now() }]) })
  const polled = await shell.tidings('poll', '--all', '--json')
  assert.equal(polled.code, 0, polled.err)
  using store = new DatabaseSync(file)
  for (const kind of ['posts', 'polls']) {
    assert.equal(store.prepare(`SELECT max(id) AS id FROM ${kind}`).get()?.id, 7001, kind)
  }
  const [removed] = store.prepare(`SELECT value FROM counters WHERE name = 'removed-events'`).all()
  assert.equal(removed?.value, 7000, 'listeners learn that they have missed events')
  // Nobody knows how many ids a store gave out that is gone, or is another one.
  using other = openShell()
  await add(other, 'one')
  giveOutIds(join(other.folder, 'tidings.db'), 20)
  assert.equal((await other.tidings('restore', join(shell.folder, 'copy.db'))).code, 0)
  for (const newest of idsGivenIn(join(other.folder, 'tidings.db'))) assert.ok(newest >= 100_000, String(newest))
})

test('what is no backup is refused, and the store stays as it is', async () => {
  using shell = openShell()
  await add(shell, 'one')
  await shell.tidings('backup', 'damaged.db')
  const damaged = join(shell.folder, 'damaged.db')
  const bytes = readFileSync(damaged)
  writeFileSync(damaged, Buffer.concat([bytes.subarray(0, 8192), Buffer.alloc(bytes.length - 8192, 0x5a)]))
  writeFileSync(join(shell.folder, 'text.db'), 'no database at all')
  new DatabaseSync(join(shell.folder, 'other.db')).exec('CREATE TABLE things (id INTEGER)')
  await shell.tidings('backup', 'newer.db')
  const newer = new DatabaseSync(join(shell.folder, 'newer.db'))
  newer.exec(`INSERT INTO schema_migrations (version, name) VALUES (9999, 'from the future')`)
  newer.close()
  for (const [file, reason] of [
    ['damaged.db', /nothing was changed/],
    ['text.db', /nothing was changed/],
    ['other.db', /no store of Tidings/],
    ['newer.db', /newer Tidings/],
    ['missing.db', /no file/],
    ['tidings.db', /the store itself/],
  ] as const) {
    const refused = await shell.tidings('restore', file)
    assert.equal(refused.code, 1, file)
    assert.match(refused.err, reason, file)
  }
  assert.deepEqual(await urlsIn(shell), ['https://example.org/one'])
  assert.ok(!readdirSync(shell.folder).some((name) => /restor/.test(name)))
})

test('a store that a serve uses is not replaced', async () => {
  using shell = openShell()
  await add(shell, 'one')
  await shell.tidings('backup', 'copy.db')
  await using _serve = await startServe(shell.folder)
  const refused = await shell.tidings('restore', 'copy.db', '--yes')
  assert.equal(refused.code, 1)
  assert.match(refused.err, /A tidings serve \(process \d+\) uses .*: stop it first/)
  assert.ok(existsSync(join(shell.folder, 'serve.json')))
})

test('a damaged store with its log is kept as it was, and the backup takes its place', async () => {
  using shell = openShell()
  await add(shell, 'one')
  await shell.tidings('backup', 'copy.db')
  const store = join(shell.folder, 'tidings.db')
  writeFileSync(store, 'damaged')
  writeFileSync(`${store}-wal`, 'old log')
  const { kept } = (await shell.tidings('restore', 'copy.db', '--json')).json<{ kept: string }>()
  assert.equal(readFileSync(kept, 'utf8'), 'damaged')
  assert.deepEqual(await urlsIn(shell), ['https://example.org/one'])
  // The log of the old store must not be read into the new one.
  assert.ok(!existsSync(`${store}-wal`) || statSync(`${store}-wal`).size !== 'old log'.length)
})

test('a large backup shows its progress, and leaves nothing behind when it fails', async () => {
  let screen = ''
  using shell = openShell({ stderr: { write: (text) => (screen += text), isTTY: true, columns: 80 } })
  await add(shell, 'one')
  using store = new DatabaseSync(join(shell.folder, 'tidings.db'))
  store.exec(`INSERT INTO robots (host, asked_at, kind, text)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
    SELECT 'h' || i, 1, 'found', hex(randomblob(200000)) FROM n`)
  const made = await shell.tidings('backup', 'copy.db')
  assert.equal(made.code, 0)
  assert.match(screen, /of \d+ MB copied/)
  assert.equal((await shell.tidings('backup', 'no/such/folder/copy.db')).code, 1)
})
