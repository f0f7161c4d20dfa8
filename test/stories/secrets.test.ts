// The master key: changed in the middle of a crash, missing, and wrong.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { startFakeX } from '../support/fake-x.ts'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { openShell, type Shell } from '../support/run-cli.ts'
import { runProcess } from '../support/serve-process.ts'
import { startWholeProduct } from '../support/whole-product.ts'

const DYING = fileURLToPath(new URL('../support/rotate-and-die.ts', import.meta.url))
const SECRETS = 12

async function killedRotation(...args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [DYING, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const [, signal] = await once(child, 'close')
  assert.equal(signal, 'SIGKILL', said)
}

/** A store with an X key and sources with credentials. */
async function fill(shell: Shell): Promise<void> {
  assert.equal((await shell.tidingsWith('key-of-x\n', 'key', 'set', 'x')).code, 0)
  const urls = Array.from({ length: SECRETS - 1 }, (_, n) => `https://me:pass-${n}@a${n}.example/feed`)
  const { code, err } = await shell.tidingsWith(`${urls.join('\n')}\n`, 'import', '-')
  assert.equal(code, 0, err)
}

/** What can be read with what is there: how many secrets, and under how many keys. */
async function readable({ folder }: Shell, masterKey: string | null = null) {
  const store = await openStore(`file:${join(folder, 'tidings.db')}`)
  try {
    const secrets = createSecrets({ masterKey, engine: 'sqlite', dataDir: folder })
    const rows = await store.secretsNotUnder('', 1000)
    const plain = (await Promise.all(rows.map((row) => secrets.open(row)))).filter((text) => text !== null)
    return { plain: plain.sort(), keys: new Set(rows.map(({ keyId }) => keyId)).size }
  } finally {
    await store.close()
  }
}

const ALL = ['key-of-x', ...Array.from({ length: SECRETS - 1 }, (_, n) => `me:pass-${n}`)].sort()

describe('a rotation that is killed', () => {
  for (const [when, after] of [
    ['before its first secret', 0],
    ['in the middle', 5],
    ['before its last secret', SECRETS - 1],
    ['before the new key takes the place of the old one', SECRETS],
  ] as const) {
    test(`${when} leaves everything readable, and the same command ends it`, async () => {
      using shell = openShell()
      await fill(shell)
      await killedRotation(shell.folder, String(after))
      const between = await readable(shell)
      assert.deepEqual(between.plain, ALL)
      assert.equal(between.keys, after === 0 || after === SECRETS ? 1 : 2)
      assert.ok(existsSync(join(shell.folder, 'master.key.next')))
      const resumed = await shell.tidings('key', 'rotate', '--json')
      assert.deepEqual(resumed.json(), { resealed: SECRETS - after, unreadable: 0 }, resumed.err)
      const done = await readable(shell)
      assert.deepEqual([done.plain, done.keys], [ALL, 1])
      assert.ok(!existsSync(join(shell.folder, 'master.key.next')))
    })
  }

  test('with configured keys it is ended with the same new key; in between, what is lost from sight is told', async () => {
    using shell = openShell()
    const [old, next] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
    shell.env.APP_ENCRYPTION_MASTER_KEY = old
    await fill(shell)
    await killedRotation(shell.folder, '5', old, next)
    assert.equal((await readable(shell, old)).plain.length, SECRETS - 5)
    const told = await runProcess(['status', '--data', shell.folder], { APP_ENCRYPTION_MASTER_KEY: old })
    assert.match(
      told.err,
      /cannot be read: the x key of user Default, .* run an interrupted \\"tidings key rotate\\" again/,
    )
    const rotated = await shell.tidingsWith(`${next}\n`, 'key', 'rotate', '--json')
    assert.deepEqual(rotated.json(), { resealed: SECRETS - 5, unreadable: 0 }, rotated.err)
    assert.deepEqual((await readable(shell, next)).plain, ALL)
    assert.deepEqual((await readable(shell, old)).plain, [])
    for (const said of [rotated.out, rotated.err]) assert.ok(!said.includes(next) && !said.includes(old))
  })

  test('it is one line of the audit, without a key', async () => {
    using shell = openShell()
    await fill(shell)
    const { code, err } = await runProcess(['key', 'rotate', '--data', shell.folder], { APP_LOG_LEVEL: 'info' })
    const audits = err.split('\n').filter((line) => line.includes('[Audit]'))
    assert.deepEqual([code, audits.length], [0, 1], err)
    assert.partialDeepStrictEqual(JSON.parse(audits[0] ?? ''), { msg: '[Audit] master key rotated', resealed: SECRETS })
    assert.ok(!err.includes((await readFile(join(shell.folder, 'master.key'), 'utf8')).trim()))
  })
})

test('under a wrong master key what cannot be read is named, everything else works, and storing again mends it', async () => {
  await using origin = await startOrigin()
  await using x = await startFakeX()
  for (const path of ['/open', '/closed']) origin.route(path, { body: rss([]) })
  x.accounts.add('11', 'birds')
  x.allowKey('key-of-ann')
  const config = (masterKey: string) => ({
    ...{ encryption: { masterKey }, x: { baseUrl: x.url } },
    http: { allowPrivateNetworks: ['127.0.0.0/8'] },
  })
  const right = await startWholeProduct({ config: config(randomBytes(32).toString('base64')) })
  const admin = await right.admin()
  const ann = await right.person('Ann')
  const add = async (body: Record<string, unknown>): Promise<string> =>
    (await right.ask('POST', ann.sources, { token: admin, body: { ...body, validate: false } })).body.id
  const closedUrl = `${origin.url}/closed`
  const open = await add({ type: 'rss', url: `${origin.url}/open` })
  const closed = await add({ type: 'rss', url: closedUrl.replace('//', '//me:s3cret@') })
  const bird = await add({ type: 'twitter', url: '@birds' })
  const storeKey = { token: ann.token, body: { apiKey: 'key-of-ann' } }
  await right.ask('PUT', `/api/users/${ann.id}/keys/x`, storeKey)
  await right.stop()

  const { dir, clock } = right
  const wrong = await startWholeProduct({ dir, clock, config: config(randomBytes(32).toString('base64')) })
  try {
    const [told] = wrong.lines().filter(({ level }) => level === 'error')
    assert.match(
      told?.msg ?? '',
      /these secrets cannot be read: the x key of user Ann, the credentials of http:\S+\/closed\. /,
    )
    assert.match(
      told?.msg ?? '',
      /Set app\.encryption\.master-key to the key that encrypted them .* Everything else works\.$/,
    )
    assert.equal((await wrong.app.engine.poll(open)).outcome, 'success')
    const asked = origin.requests.length
    for (const id of [closed, bird]) {
      const record = await wrong.app.engine.poll(id)
      assert.equal(record.outcome, 'transient')
      assert.match(record.reason ?? '', /cannot be read with the master key in use; store it again or restore/)
    }
    assert.deepEqual([origin.requests.length, x.requests.length], [asked, 0], 'nobody is asked without its secret')
    assert.equal((await wrong.ask('GET', `/api/users/${ann.id}/keys/x`, { token: ann.token })).body.configured, true)
    assert.equal((await wrong.ask('PUT', `/api/users/${ann.id}/keys/x`, storeKey)).status, 204)
    const again = { token: admin, body: { url: closedUrl.replace('//', '//me:s3cret@') } }
    assert.equal((await wrong.ask('PATCH', `${ann.sources}/${closed}`, again)).status, 200)
    for (const id of [closed, bird]) assert.equal((await wrong.app.engine.poll(id)).outcome, 'success')
    const sent = origin.requestsTo('/closed').at(-1)?.headers.authorization
    assert.equal(sent, `Basic ${Buffer.from('me:s3cret').toString('base64')}`)
  } finally {
    await wrong.stop()
    await rm(dir, { recursive: true, force: true })
  }
})
