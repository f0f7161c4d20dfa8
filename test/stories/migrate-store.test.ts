// A store moves from SQLite to PostgreSQL and back, with everything that is in it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import pg from 'pg'
import { migrateStore } from '../../src/open-app/migrate-store.ts'
import { openMigratedDatabase } from '../../src/storage/open-store.ts'
import { NOT_MOVED, tablesToMove } from '../../src/storage/transfer/tables.ts'
import { UNFINISHED_KEY } from '../../src/storage/transfer/unfinished.ts'
import { fillEveryTable } from '../support/fill-every-table.ts'
import { startOrigin } from '../support/origin.ts'
import { usePostgres } from '../support/postgres.ts'
import { rss } from '../support/product.ts'
import { openShell, type Shell, type Typed } from '../support/run-cli.ts'
import { LAUNCHER, startRunning, startServe } from '../support/serve-process.ts'
import { until } from '../support/until.ts'

const postgres = usePostgres()

interface Answer {
  readonly rows: number
  readonly began: string
  readonly tables: readonly { readonly table: string; readonly rows: number; readonly checksum: string }[]
  readonly secrets: { readonly total: number; readonly readable: number; readonly key: string | null }
}

function fileIn(shell: Shell, name = 'tidings.db'): string {
  return `file:${join(shell.folder, name)}`
}

async function move(shell: Shell, from: string, to: string): Promise<Answer> {
  const moved = await shell.tidings('migrate-store', '--from', from, '--to', to, '--json')
  assert.equal(moved.code, 0, moved.err)
  return moved.json<Answer>()
}

async function fill(url: string, rowsPerTable: number): Promise<void> {
  const { db } = await openMigratedDatabase(url)
  await fillEveryTable(db, rowsPerTable)
  await db.close()
}

interface Watched extends AsyncDisposable {
  copiedRows(): Promise<number>
  /** No copy ends before `letOn`: one of the last tables is locked. */
  holdUp(): Promise<unknown>
  letOn(): Promise<unknown>
}

/** Looks at the database from outside: a connection of Tidings itself would count as somebody who uses it. */
async function watch(url: string): Promise<Watched> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    async copiedRows() {
      const mark = client.query('SELECT value FROM meta WHERE key = $1', [UNFINISHED_KEY])
      // The table may not be there yet.
      const { rows } = await mark.catch(() => ({ rows: [] }))
      return rows.length === 0 ? 0 : JSON.parse(rows[0].value).rows
    },
    holdUp: () => client.query('BEGIN; LOCK TABLE post_contents'),
    letOn: () => client.query('ROLLBACK'),
    [Symbol.asyncDispose]: () => client.end(),
  }
}

/** The same of a file. It may not be there yet, or be locked. */
function rowsCopiedInto(path: string): number {
  if (!existsSync(path)) return 0
  try {
    using db = new DatabaseSync(path, { readOnly: true })
    const mark = db.prepare('SELECT value FROM meta WHERE key = ?').get(UNFINISHED_KEY)
    return mark === undefined ? 0 : JSON.parse(String(mark.value)).rows
  } catch {
    return 0
  }
}

test('every table is moved, or stands on the list of those that are not', async () => {
  using shell = openShell()
  const sqlite = (await openMigratedDatabase(fileIn(shell))).db
  const other = (await openMigratedDatabase(await postgres.freshDatabase())).db
  try {
    const moved = await tablesToMove(sqlite, other)
    const there = await other.all(`SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`)
    const expected = there.map((row) => String(row.table_name)).filter((name) => !Object.hasOwn(NOT_MOVED, name))
    assert.deepEqual(moved.map(({ name }) => name).toSorted(), expected.toSorted())
    for (const { name, columns, key } of moved) {
      assert.ok(key.length > 0, `${name} has a key`)
      const [all] = await sqlite.all(`SELECT count(*) AS n FROM pragma_table_info('${name}')`)
      assert.equal(columns.length, all?.n, `every column of ${name} is moved`)
    }
  } finally {
    await Promise.all([sqlite.close(), other.close()])
  }
})

test('rows in every table come to PostgreSQL and back as they were', async () => {
  using shell = openShell()
  const [there, back] = [await postgres.freshDatabase(), fileIn(shell, 'back/tidings.db')]
  await fill(fileIn(shell), 120)
  const first = await move(shell, fileIn(shell), there)
  assert.ok(
    first.tables.every(({ rows }) => rows >= 120),
    'there are rows in every table',
  )
  const second = await move(shell, there, back)
  assert.deepEqual(second.tables, first.tables)
  // The next poll record gets a new id.
  assert.deepEqual(await nextPollIds(there, back), [121, 121])
})

async function nextPollIds(...stores: readonly string[]): Promise<unknown[]> {
  const ids: unknown[] = []
  for (const url of stores) {
    const { db } = await openMigratedDatabase(url)
    const { column, value } = db.dialect.ids.ofPoll
    const next = await db.write(`INSERT INTO polls (${column}source_id, seq, started_at, duration_ms, cause, outcome,
      not_modified, bytes, found, created, skipped)
      VALUES (${value}'s', 1, 1, 1, 'tick', 'success', 0, 0, 0, 0, '{}') RETURNING id`)
    ids.push(next?.id)
    await db.close()
  }
  return ids
}

test('a poll record that a removed source left no trace of does not give its id to another one after a move', async () => {
  using shell = openShell()
  await fill(fileIn(shell), 3)
  const { db } = await openMigratedDatabase(fileIn(shell))
  await db.run(db.dialect.ids.keepNewestPoll ?? '')
  await db.run('DELETE FROM polls')
  await db.close()
  const [there, back] = [await postgres.freshDatabase(), fileIn(shell, 'back/tidings.db')]
  await move(shell, fileIn(shell), there)
  await move(shell, there, back)
  assert.deepEqual(await nextPollIds(fileIn(shell), there, back), [4, 4, 4])
})

test('a moved store goes on: posts are read, found and not stored twice, and secrets can be read', async () => {
  await using origin = await startOrigin()
  origin.route('/feed', { body: rss([{ title: 'Whales', guid: '1', publishedAt: Date.now() }]) })
  using shell = openShell()
  const file = fileIn(shell)
  await shell.tidings('add', `${origin.url.replace('//', '//me:pass@')}/feed`, '--type', 'rss', '--backfill', '1')
  assert.equal((await shell.tidings('articles', 'make')).code, 0)
  await shell.tidingsWith('s3cret', 'key', 'set', 'x')
  const there = await postgres.freshDatabase()

  const told = await shell.tidings('migrate-store', '--from', file, '--to', there)
  assert.equal(told.code, 0, told.err)
  assert.match(told.out, /2 secrets need the master key that is in .+master\.key: set app\.encryption\.master-key/)
  assert.match(told.err, /\d+ of \d+ rows copied/)
  assert.doesNotMatch(told.out + told.err, /s3cret|pass@/)

  shell.env.APP_ENCRYPTION_MASTER_KEY = readFileSync(join(shell.folder, 'master.key'), 'utf8').trim()
  const on = (...args: string[]) => shell.tidings(...args, '--database', there)
  const polled = await on('poll', '--all')
  assert.match(polled.out, /1 ok, 0 failed; 0 new posts/)
  assert.equal(origin.requests.at(-1)?.headers.authorization, `Basic ${btoa('me:pass')}`)
  assert.match((await on('posts', '--search', 'whales')).out, /Whales/)
  assert.match((await on('articles')).out, /Whales/)
  assert.match((await on('key', 'status', 'x')).out, /configured|stored|set/i)

  // And back, where the configured key is used too.
  const back = fileIn(shell, 'back/tidings.db')
  const returned = await move(shell, there, back)
  assert.deepEqual(returned.secrets, { total: 2, readable: 2, key: 'configured' })
  assert.match((await shell.tidings('posts', '--search', 'whales', '--database', back)).out, /Whales/)
  assert.match((await shell.tidings('poll', '--all', '--database', back)).out, /1 ok, 0 failed; 0 new posts/)

  // Ids go on, so that those who follow posts miss none.
  origin.route('/feed', { body: rss([{ title: 'Sharks', guid: '2', publishedAt: Date.now() }]) })
  for (const database of [there, back]) {
    assert.match((await shell.tidings('poll', '--all', '--database', database)).out, /1 new posts/)
    const { items } = (await shell.tidings('posts', '--json', '--database', database)).json<{
      items: { id: string }[]
    }>()
    assert.deepEqual(
      items.map(({ id }) => id),
      ['2', '1'],
    )
  }
})

test('a missing master key is reported, and the secrets move as they are', async () => {
  using shell = openShell()
  shell.env.APP_ENCRYPTION_MASTER_KEY = randomBytes(32).toString('base64')
  await shell.tidingsWith('s3cret', 'key', 'set', 'x')
  delete shell.env.APP_ENCRYPTION_MASTER_KEY
  const moved = await shell.tidings('migrate-store', '--from', fileIn(shell), '--to', await postgres.freshDatabase())
  assert.equal(moved.code, 0, moved.err)
  assert.match(moved.out, /Attention: the master key of 1 of 1 secrets is missing here/)
})

test('a copy that is killed goes on where it was, in both directions, and nobody uses it before', async () => {
  using shell = openShell()
  const there = await postgres.freshDatabase()
  await fill(fileIn(shell), 3000)
  const killed = spawn(process.execPath, [LAUNCHER, 'migrate-store', '--from', fileIn(shell), '--to', there])
  await using target = await watch(there)
  await until('the copy begins', async () => (await target.copiedRows()) > 0)
  await target.holdUp()
  await until('some rows are copied', async () => (await target.copiedRows()) > 5000)
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  const left = await target.copiedRows()
  await target.letOn()

  const early = await shell.tidings('list', '--database', there)
  assert.equal(early.code, 1)
  assert.match(early.err, /unfinished copy of another one: run the same "tidings migrate-store" again/)
  const asSource = await shell.tidings('migrate-store', '--from', there, '--to', fileIn(shell, 'third.db'))
  assert.deepEqual([asSource.code, /unfinished copy/.test(asSource.err)], [1, true])
  using stranger = openShell()
  await stranger.tidings('list')
  const foreign = await stranger.tidings('migrate-store', '--from', fileIn(stranger), '--to', there)
  assert.match(foreign.err, /unfinished copy of another store/)

  const { began, rows, tables } = await move(shell, fileIn(shell), there)
  assert.equal(began, 'resumed')
  assert.ok(rows > left)

  // And on the way back.
  const path = join(shell.folder, 'back', 'tidings.db')
  const killedToo = spawn(process.execPath, [LAUNCHER, 'migrate-store', '--from', there, '--to', `file:${path}`])
  await until('the copy back begins', () => rowsCopiedInto(path) > 0)
  await target.holdUp()
  await until('some rows are copied into the file', () => rowsCopiedInto(path) > 5000)
  killedToo.kill('SIGKILL')
  await once(killedToo, 'exit')
  await target.letOn()
  const unfinished = await shell.tidings('list', '--database', `file:${path}`)
  assert.deepEqual([unfinished.code, /unfinished copy of another one/.test(unfinished.err)], [1, true], unfinished.err)
  const back = await move(shell, there, `file:${path}`)
  assert.equal(back.began, 'resumed')
  assert.deepEqual(back.tables, tables)
  await (await openMigratedDatabase(`file:${path}`)).db.close()
})

test('if the source changed after the interruption, everything is copied anew', async () => {
  using shell = openShell()
  const there = await postgres.freshDatabase()
  await fill(fileIn(shell), 200)
  const ending = new AbortController()
  // The copy itself is interrupted by the rows that it has copied.
  using impatient = openShell({
    ending: ending.signal,
    migrateStore: (request) =>
      migrateStore({
        ...request,
        onProgress(progress) {
          request.onProgress(progress)
          if (progress.done > 1000) ending.abort()
        },
      }),
  })
  const stopped = await impatient.tidings('migrate-store', '--from', fileIn(shell), '--to', there)
  assert.equal(stopped.code, 130)
  assert.match(stopped.err, /Interrupted: \d+ of \d+ rows copied\. Run the same command again/)
  const { db } = await openMigratedDatabase(fileIn(shell))
  await db.run(`INSERT INTO users (id, name, created_at) VALUES ('late', 'Late', 1)`)
  await db.close()
  const { began } = await move(shell, fileIn(shell), there)
  assert.equal(began, 'again')
})

test('what is in use, not empty, missing or the same engine is refused', async () => {
  using shell = openShell()
  await shell.tidings('add', 'https://example.org/x', '--type', 'rss', '--no-validate')
  const [file, empty] = [fileIn(shell), await postgres.freshDatabase()]
  const refused = async (from: string, to: string): Promise<Typed> => {
    const typed = await shell.tidings('migrate-store', '--from', from, '--to', to)
    assert.notEqual(typed.code, 0)
    return typed
  }
  assert.match((await refused(fileIn(shell, 'none.db'), empty)).err, /There is no store at/)
  assert.ok(!existsSync(join(shell.folder, 'none.db')))
  assert.match((await refused(file, fileIn(shell, 'other.db'))).err, /same engine: "tidings backup"/)
  assert.match((await refused(empty, empty)).err, /same engine: pg_dump/)
  assert.equal((await refused('nonsense', empty)).code, 2)
  assert.match((await shell.tidings('migrate-store', '--form', file)).err, /Did you mean --from\?/)
  assert.match((await shell.tidings('migrate-store', '--from', file)).err, /Name both stores: --from URL --to URL/)

  const full = await postgres.freshDatabase()
  await shell.tidings('add', 'https://example.org/y', '--type', 'rss', '--no-validate', '--database', full)
  assert.match((await refused(file, full)).err, /The target is not empty, it has sources: choose an empty one/)
  assert.match((await shell.tidings('list', '--database', full)).out, /example\.org\/y/)

  await using serve = await startServe(shell.folder)
  assert.ok(serve.url)
  assert.match((await refused(file, empty)).err, /A tidings serve \(process \d+\) uses .+: stop it first/)
  await using other = await startRunning(['serve', '--port', '0', '--database', full])
  assert.ok(other.greeting)
  assert.match((await refused(full, fileIn(shell, 'new/tidings.db'))).err, /other connections to this database: stop/)
})
