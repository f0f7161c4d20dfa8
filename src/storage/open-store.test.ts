import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openStore } from './open-store.ts'

test('a store keeps what was written, in files that only their owner can read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-open-'))
  const path = join(folder, 'deep', 'data', 'tidings.db')
  try {
    const store = await openStore(`file:${path}`, { now: 42 })
    await store.writeMeta('a', 'b')
    assert.equal((await store.getUser('default'))?.createdAt, 42)
    const modes = ['', '-wal', '-shm'].map(async (suffix) => ((await stat(path + suffix)).mode & 0o777).toString(8))
    if (process.platform !== 'win32') {
      assert.deepEqual(await Promise.all(modes), ['600', '600', '600'])
      assert.equal(((await stat(join(folder, 'deep'))).mode & 0o777).toString(8), '700')
    }
    await store.close()
    const again = await openStore(pathToFileURL(path).href, { now: 43 })
    assert.equal(await again.readMeta('a'), 'b')
    assert.equal((await again.getUser('default'))?.createdAt, 42)
    await again.close()
    await assert.rejects(stat(`${path}-wal`), 'the log is folded into the file when the store is closed')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('a store in memory works and is empty when it is opened again', async () => {
  const store = await openStore('file::memory:')
  await store.ping()
  await store.writeMeta('a', 'b')
  await store.close()
  const other = await openStore('file::memory:')
  assert.equal(await other.readMeta('a'), null)
  await other.close()
})

test('an unknown kind of database URL is refused, and the error says what is expected', async () => {
  for (const url of ['mysql://x/y', 'tidings.db', '']) {
    await assert.rejects(openStore(url), /expected file:<path>, file::memory: or postgres:/)
  }
})
