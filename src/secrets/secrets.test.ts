import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Problem } from '../domain/problem.ts'
import type { Source } from '../domain/source.ts'
import type { SecretRow } from '../ports/secret-store.ts'
import { checkMasterKey } from './check-master-key.ts'
import { keyFileIn } from './key-file.ts'
import { rotateKey } from './rotate-key.ts'
import { createSecrets, secretsUnder } from './secrets.ts'

const PLACE = { scope: 'key', ownerId: 'default', name: 'x' } as const
const NOW = Date.UTC(2026, 0, 1)

function withKey(masterKey = randomBytes(32).toString('base64')) {
  return createSecrets({ masterKey, engine: 'postgres', dataDir: null })
}

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-secrets-'))
  try {
    await run(join(folder, 'data'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The rows of the secrets table, in the order they were put. */
function rowsStore(rows: readonly SecretRow[]) {
  const at = (row: Pick<SecretRow, 'scope' | 'ownerId' | 'name'>) => `${row.scope}/${row.ownerId}/${row.name}`
  const table = new Map(rows.map((row) => [at(row), row]))
  return {
    table,
    async resealSecret(row: SecretRow, was: string) {
      if (table.get(at(row))?.sealed !== was) return false
      table.set(at(row), row)
      return true
    },
    async secretsNotUnder(keyId: string, limit: number) {
      return [...table.values()].filter((row) => row.keyId !== keyId).slice(0, limit)
    },
    async getSource(id: string) {
      return id === 's1' ? ({ url: 'https://a.example/feed' } as Source) : null
    },
    async getUser(id: string) {
      return { id, name: 'Anna', createdAt: 0 }
    },
  }
}

describe('sealing', () => {
  test('a sealed secret can be opened, and the stored row does not show it', async () => {
    const secrets = withKey()
    for (const plain of ['s3cret', '', 'päss 日本', 'x'.repeat(10_000)]) {
      const row = await secrets.seal(PLACE, plain, NOW)
      assert.equal(await secrets.open(row), plain)
      assert.deepEqual([row.scope, row.ownerId, row.name, row.updatedAt], ['key', 'default', 'x', NOW])
      assert.match(row.sealed, /^v1\.[\w-]{16}\.[\w-]{22}\.[\w-]*$/)
      if (plain) assert.ok(!JSON.stringify(row).includes(plain))
    }
  })

  test('the same secret is sealed differently each time', async () => {
    const secrets = withKey()
    const sealed = await Promise.all(Array.from({ length: 50 }, () => secrets.seal(PLACE, 'same', NOW)))
    assert.equal(new Set(sealed.map((row) => row.sealed.split('.')[1])).size, 50)
  })

  test('a sealed text does not open in the row of another scope, owner or name', async () => {
    const secrets = withKey()
    const row = await secrets.seal(PLACE, 's3cret', NOW)
    assert.equal(await secrets.open({ ...row, ownerId: 'someone' }), null)
    assert.equal(await secrets.open({ ...row, name: 'y' }), null)
    assert.equal(await secrets.open({ ...row, scope: 'source' }), null)
  })

  test('a damaged text or a different key opens nothing', async () => {
    const secrets = withKey()
    const row = await secrets.seal(PLACE, 's3cret', NOW)
    const flipped = row.sealed.slice(0, -1) + (row.sealed.endsWith('A') ? 'B' : 'A')
    const short = row.sealed.replace(/\.[\w-]{22}\./, '.AAAA.')
    for (const sealed of [flipped, short, '', 'v1', 'v2.a.b.c', row.sealed.slice(0, 20), `${row.sealed}.AA`]) {
      assert.equal(await secrets.open({ ...row, sealed }), null, sealed)
    }
    const other = withKey()
    assert.equal(await other.open(row), null)
    assert.equal(await other.open({ ...row, keyId: (await other.keyId()) ?? '' }), null)
  })
})

describe('the master key', () => {
  test('on PostgreSQL without a key, storing fails with the remedy and nothing opens', async () => {
    const secrets = createSecrets({ masterKey: null, engine: 'postgres', dataDir: null })
    await assert.rejects(secrets.seal(PLACE, 's3cret', NOW), (error) => {
      assert.ok(error instanceof Problem)
      assert.equal(error.code, 'secrets-unavailable')
      assert.match(error.message, /app\.encryption\.master-key .*base64 of 32 random bytes.*tidings key generate/)
      return true
    })
    assert.equal(await secrets.open(await withKey().seal(PLACE, 'x', NOW)), null)
    assert.equal(await secrets.keyId(), null)
  })

  test('on SQLite it is created with the first secret, readable by the owner only, and reused later', () =>
    inFolder(async (dataDir) => {
      const open = () => createSecrets({ masterKey: null, engine: 'sqlite', dataDir })
      assert.equal(await open().keyId(), null)
      const row = await open().seal(PLACE, 's3cret', NOW)
      assert.deepEqual(await readdir(dataDir), ['master.key'])
      if (process.platform !== 'win32') assert.equal((await stat(join(dataDir, 'master.key'))).mode & 0o777, 0o600)
      assert.equal(await open().open(row), 's3cret')
    }))

  test('when many processes create it at the same time, all use the same key', () =>
    inFolder(async (dataDir) => {
      const all = Array.from({ length: 8 }, () => createSecrets({ masterKey: null, engine: 'sqlite', dataDir }))
      const rows = await Promise.all(all.map((secrets) => secrets.seal(PLACE, 's3cret', NOW)))
      assert.equal(new Set(rows.map((row) => row.keyId)).size, 1)
      assert.deepEqual(await readdir(dataDir), ['master.key'])
    }))

  test('a damaged key file is reported, not replaced', () =>
    inFolder(async (dataDir) => {
      const secrets = createSecrets({ masterKey: null, engine: 'sqlite', dataDir })
      await secrets.seal(PLACE, 's3cret', NOW)
      await writeFile(join(dataDir, 'master.key'), 'garbage')
      await assert.rejects(secrets.seal(PLACE, 's3cret', NOW), /master\.key does not hold a master key/)
      assert.equal(await readFile(join(dataDir, 'master.key'), 'utf8'), 'garbage')
    }))

  test('a store in memory has its own key while it is open', async () => {
    const secrets = createSecrets({ masterKey: null, engine: 'sqlite', dataDir: null })
    assert.equal(await secrets.open(await secrets.seal(PLACE, 's3cret', NOW)), 's3cret')
  })
})

describe('the check at start', () => {
  test('the right key, or no stored secret, is not reported', async () => {
    const secrets = withKey()
    assert.equal(await checkMasterKey(secrets, rowsStore([])), null)
    assert.equal(await checkMasterKey(secrets, rowsStore([await secrets.seal(PLACE, 'a', NOW)])), null)
  })

  test('a wrong key is reported with the unreadable secrets and what to do', async () => {
    const old = withKey()
    const rows = await Promise.all([
      old.seal(PLACE, 'a', NOW),
      old.seal({ scope: 'source', ownerId: 's1', name: 'url' }, 'a', NOW),
      old.seal({ scope: 'webhook', ownerId: 'w1', name: 'secret' }, 'a', NOW),
    ])
    assert.deepEqual(await checkMasterKey(withKey(), rowsStore(rows)), {
      found:
        'The master key is not the one that encrypted the stored secrets, so these secrets cannot be read: the x key of user Anna, the credentials of https://a.example/feed, the secret of webhook w1',
      remedy:
        'Set app.encryption.master-key to the key that encrypted them (or restore the file master.key next to the database), run an interrupted "tidings key rotate" again, or store them again.',
    })
    const none = createSecrets({ masterKey: null, engine: 'postgres', dataDir: null })
    assert.match((await checkMasterKey(none, rowsStore(rows)))?.found ?? '', /^There is no master key, so these/)
  })

  test('many unreadable secrets are counted, not listed', async () => {
    const old = withKey()
    const ids = Array.from({ length: 12 }, (_, index) => `w${index}`)
    const rows = await Promise.all(ids.map((ownerId) => old.seal({ scope: 'webhook', ownerId, name: 's' }, 'a', NOW)))
    assert.match((await checkMasterKey(withKey(), rowsStore(rows)))?.found ?? '', /the secret of webhook w4, 7 others$/)
  })
})

describe('rotation', () => {
  async function sealed(secrets: ReturnType<typeof withKey>, count: number) {
    const ids = Array.from({ length: count }, (_, index) => `u${index}`)
    return Promise.all(ids.map((ownerId) => secrets.seal({ ...PLACE, ownerId }, `secret of ${ownerId}`, NOW)))
  }

  test('every secret moves to the new key, with its time, batch by batch', async () => {
    const [from, to] = [withKey(), secretsUnder(randomBytes(32))]
    const store = rowsStore(await sealed(from, 25))
    assert.deepEqual(await rotateKey({ store, from, to, batch: 4 }), { resealed: 25, unreadable: [] })
    for (const row of store.table.values()) {
      assert.equal(await to.open(row), `secret of ${row.ownerId}`)
      assert.equal(await from.open(row), null)
      assert.equal(row.updatedAt, NOW)
    }
  })

  test('an interrupted rotation continues where it stopped', async () => {
    const [from, to] = [withKey(), secretsUnder(randomBytes(32))]
    const store = rowsStore(await sealed(from, 10))
    let left = 4
    const dying = {
      ...store,
      resealSecret: async (row: SecretRow, was: string) => {
        if (left-- === 0) throw new Error('killed')
        return store.resealSecret(row, was)
      },
    }
    await assert.rejects(rotateKey({ store: dying, from, to, batch: 3 }), /killed/)
    assert.deepEqual(await rotateKey({ store, from, to, batch: 3 }), { resealed: 6, unreadable: [] })
  })

  test('a secret that a person stores or removes meanwhile stays stored or removed', async () => {
    const [from, to] = [withKey(), secretsUnder(randomBytes(32))]
    const store = rowsStore(await sealed(from, 3))
    const [first, second] = [...store.table.values()]
    assert.ok(first && second)
    const theirs = await from.seal(first, 'stored meanwhile', NOW + 1)
    const busy = {
      ...store,
      resealSecret: async (row: SecretRow, was: string) => {
        if (was === first.sealed) {
          store.table.set('key/u0/x', theirs)
          store.table.delete('key/u1/x')
        }
        return store.resealSecret(row, was)
      },
    }
    assert.equal((await rotateKey({ store: busy, from, to, batch: 3 })).resealed, 2)
    assert.deepEqual([...store.table.keys()].sort(), ['key/u0/x', 'key/u2/x'])
    const kept = store.table.get('key/u0/x')
    assert.equal(kept && (await to.open(kept)), 'stored meanwhile')
  })

  test('a secret that neither key opens is left unchanged and reported, and the rotation continues', async () => {
    const [from, to, lost] = [withKey(), secretsUnder(randomBytes(32)), withKey()]
    const foreign = (await sealed(lost, 7)).map((row) => ({ ...row, scope: 'webhook' as const }))
    const store = rowsStore([...foreign, ...(await sealed(from, 7))])
    const { resealed, unreadable } = await rotateKey({ store, from, to, batch: 2 })
    assert.equal(resealed, 7)
    assert.deepEqual(unreadable, foreign)
  })

  test('with a key file, both keys open secrets during the rotation and only the new one afterwards', () =>
    inFolder(async (dataDir) => {
      const secrets = createSecrets({ masterKey: null, engine: 'sqlite', dataDir })
      const before = await secrets.seal(PLACE, 'before', NOW)
      const file = keyFileIn(dataDir)
      const next = await file.readOrMakeNext()
      assert.deepEqual(await file.readOrMakeNext(), next)
      const during = await secrets.seal(PLACE, 'during', NOW)
      assert.equal(await secrets.open(before), 'before')
      assert.equal(await secrets.open(during), 'during')
      await file.adoptNext()
      assert.equal(await secrets.open(before), null)
      assert.equal(await secrets.open(during), 'during')
      assert.deepEqual(await readdir(dataDir), ['master.key'])
    }))
})
