// The same commands on PostgreSQL: the store is elsewhere, everything else is as before.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startOrigin } from '../support/origin.ts'
import { usePostgres } from '../support/postgres.ts'
import { rss } from '../support/product.ts'
import { openShell } from '../support/run-cli.ts'
import { runProcess } from '../support/serve-process.ts'

const postgres = usePostgres()

test('a source is added and polled, and all checks of doctor pass', async () => {
  await using origin = await startOrigin()
  origin.route('/feed', { body: rss([{ title: 'One', guid: '1', publishedAt: Date.now() }]) })
  using shell = openShell()
  const database = await postgres.freshDatabase()
  const added = await shell.tidings('add', `${origin.url}/feed`, '--backfill', '1', '--database', database)
  assert.equal(added.code, 0, added.err)
  assert.match((await shell.tidings('posts', '--database', database)).out, /One/)
  const doctor = await shell.tidings('doctor', '--database', database)
  assert.equal(doctor.code, 0, doctor.out)
  assert.ok(!existsSync(join(shell.folder, 'tidings.db')))
})

test('storing a secret is refused with a remedy until a master key is configured, and a wrong key is reported', async () => {
  using shell = openShell()
  const where = ['--database', await postgres.freshDatabase()]
  const refused = await shell.tidingsWith('s3cret', 'key', 'set', 'x', ...where)
  assert.equal(refused.code, 1)
  assert.match(
    refused.err,
    /Set app\.encryption\.master-key \(APP_ENCRYPTION_MASTER_KEY\) to base64 of 32 random bytes/,
  )
  assert.match((await shell.tidings('key', 'rotate', ...where)).err, /There is no master key to rotate/)

  const key = randomBytes(32).toString('base64')
  shell.env.APP_ENCRYPTION_MASTER_KEY = key
  assert.equal((await shell.tidingsWith('s3cret', 'key', 'set', 'x', ...where)).code, 0)
  const wrong = await runProcess(['status', ...where], {
    APP_ENCRYPTION_MASTER_KEY: randomBytes(32).toString('base64'),
  })
  assert.equal(wrong.code, 0)
  assert.match(wrong.err, /cannot be read: the x key of user Default\. Set app\.encryption\.master-key to the key/)
  assert.doesNotMatch(wrong.err, /s3cret/)
})

test('a server that is down or refuses is reported in a sentence, without the password', async () => {
  using shell = openShell()
  const gone = await startOrigin()
  await gone.close()
  const { code, out, err } = await shell.tidings('list', '--database', `postgres://me:hunter2@127.0.0.1:${gone.port}/d`)
  assert.deepEqual([code, out], [1, ''])
  assert.match(
    err,
    /^Cannot start: .+ECONNREFUSED.+ \(postgres:.+\/d\)\. Check that the server runs, and the address and port/,
  )
  assert.doesNotMatch(err, /hunter2/)
  const server = new URL(await postgres.freshDatabase())
  const wrong = new URL(server)
  wrong.password = 'hunter2'
  const nowhere = new URL(server)
  nowhere.pathname = '/nowhere'
  for (const [url, found, remedy] of [
    [wrong, 'password authentication failed', 'Correct user and password in app.database.url'],
    [nowhere, '"nowhere" does not exist', 'Create that database, or correct its name'],
  ] as const) {
    const told = await shell.tidings('worker', '--database', url.href)
    assert.deepEqual([told.code, told.out], [1, ''])
    assert.match(told.err, new RegExp(`^Cannot start: .*${found}.*\\. ${remedy}`))
    assert.doesNotMatch(told.err, /hunter2/)
    const doctor = await shell.tidings('doctor', '--database', url.href)
    assert.match(doctor.out, new RegExp(`^BAD {2}database +Cannot start: .*${found}.*\\.\n +-> ${remedy}`, 'm'))
  }
})
