// On PostgreSQL no folder is shared by all processes: the master key is configured or there is none.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { usePostgres } from '../support/postgres.ts'
import { openShell } from '../support/run-cli.ts'
import { runProcess } from '../support/serve-process.ts'

const postgres = usePostgres()
const newKey = () => randomBytes(32).toString('base64')

test('without a master key every kind of secret is refused with what to do, and everything else works', async () => {
  using shell = openShell()
  const where = ['--database', await postgres.freshDatabase()]
  for (const refused of [
    await shell.tidingsWith('s3cret\n', 'key', 'set', 'x', ...where),
    await shell.tidingsWith('https://me:s3cret@a.example/feed\n', 'import', '-', ...where),
  ]) {
    assert.equal(refused.code, 1)
    assert.match(refused.out + refused.err, /no master key to encrypt secrets with\. Set app\.encryption\.master-key/)
    assert.doesNotMatch(refused.out + refused.err, /s3cret/)
  }
  assert.equal((await shell.tidingsWith('https://a.example/feed\n', 'import', '-', ...where)).code, 0)
  assert.match((await shell.tidings('list', ...where)).out, /https:\/\/a\.example\/feed/)
})

test('a rotation moves every secret, and a store without its key names what it cannot read', async () => {
  using shell = openShell()
  const database = await postgres.freshDatabase()
  const where = ['--database', database]
  const [old, next] = [newKey(), newKey()]
  shell.env.APP_ENCRYPTION_MASTER_KEY = old
  assert.equal((await shell.tidingsWith('s3cret\n', 'key', 'set', 'x', ...where)).code, 0)
  assert.equal((await shell.tidingsWith('https://me:pass@a.example/feed\n', 'import', '-', ...where)).code, 0)
  const rotated = await shell.tidingsWith(`${next}\n`, 'key', 'rotate', '--json', ...where)
  assert.deepEqual(rotated.json(), { resealed: 2, unreadable: 0 }, rotated.err)
  const store = await openStore(database)
  try {
    const rows = await store.secretsNotUnder('', 10)
    const under = (masterKey: string) => createSecrets({ masterKey, engine: 'postgres', dataDir: null })
    assert.deepEqual(await Promise.all(rows.map(under(next).open)), ['s3cret', 'me:pass'])
    assert.deepEqual(await Promise.all(rows.map(under(old).open)), [null, null])
  } finally {
    await store.close()
  }
  const missing = await runProcess(['list', ...where])
  assert.equal(missing.code, 0)
  assert.match(
    missing.err,
    /There is no master key, so these secrets cannot be read: the x key of user Default, the cred/,
  )
})

test('rotating the key while a process still ticks on the store warns that it must be restarted', async () => {
  using shell = openShell()
  const database = await postgres.freshDatabase()
  const where = ['--database', database]
  const rotate = async () => {
    const next = newKey()
    const rotated = await shell.tidingsWith(`${next}\n`, 'key', 'rotate', ...where)
    shell.env.APP_ENCRYPTION_MASTER_KEY = next
    return rotated
  }
  shell.env.APP_ENCRYPTION_MASTER_KEY = newKey()
  assert.equal((await rotate()).err, '')
  const store = await openStore(database)
  try {
    await store.writeMeta('last-tick-at', String(Date.now() - 5000))
    const told = await rotate()
    assert.equal(told.code, 0)
    assert.match(told.err, /^The last tick was 20\S+Z\. If a serve or worker still runs, it cannot read the secrets/)
    await store.writeMeta('last-tick-at', String(Date.now() - 600_000))
    assert.equal((await rotate()).err, '')
  } finally {
    await store.close()
  }
})
