import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApi } from '../../../test/support/api.ts'
import type { Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'

const full = Object.assign(new Error('database or disk is full'), { storeIsAway: true, storageFull: true })
const away = Object.assign(new Error('/data/tidings.db was deleted'), { storeIsAway: true })

async function readiness(changed: Partial<Store>, log?: Log) {
  await using api = await startApi({ store: (opened) => ({ ...opened, ...changed }), ...(log ? { log } : {}) })
  const told = await api.ask('GET', '/readyz')
  return [told.status, told.body.code, told.body.detail] as const
}

test('a store that cannot be written is not ready, and says nothing of its place', async () => {
  for (const [error, detail] of [
    [full, /disk of the database is full/],
    [away, /cannot be written/],
  ] as const) {
    const [status, code, told] = await readiness({ probeWrite: async () => Promise.reject(error) })
    assert.deepEqual([status, code], [503, 'not-ready'])
    assert.match(told, detail)
    assert.doesNotMatch(told, /\/data/)
  }
})

test('a disk that is nearly full is not ready; one log line says so, and one more when it happens again', async () => {
  const lines: string[] = []
  const say = (_fields: object, message: string) => void lines.push(message)
  const log = { debug: () => {}, info: () => {}, warn: say, error: say }
  let freeBytes = 10_000_000
  const changed = { diskSpace: async () => ({ freeBytes, totalBytes: 1e9 }) }
  await using api = await startApi({ log, store: (opened) => ({ ...opened, ...changed }) })
  const ask = async () => (await api.ask('GET', '/readyz')).status
  assert.deepEqual([await ask(), await ask(), await ask()], [503, 503, 503])
  assert.equal(lines.filter((line) => /nearly full: 10 MB/.test(line)).length, 1)
  freeBytes = 500_000_000
  assert.equal(await ask(), 200)
})

test('asking often does not cause many writes', async () => {
  let writes = 0
  const probeWrite = async () => {
    writes++
  }
  await using api = await startApi({ store: (opened) => ({ ...opened, probeWrite }) })
  for (let n = 0; n < 20; n++) assert.equal((await api.ask('GET', '/readyz')).status, 200)
  assert.ok(writes <= 3, `${writes} writes`)
})

test('a write to a full disk is 507, one to a store that is away is 503', async () => {
  for (const [error, status, code] of [
    [full, 507, 'storage-full'],
    [away, 503, 'store-away'],
  ] as const) {
    const addPodcast = async () => Promise.reject(error)
    await using api = await startApi({ store: (opened) => ({ ...opened, addPodcast }) })
    const told = await api.ask('POST', '/api/users/default/podcasts', { body: { name: 'p' } })
    assert.deepEqual([told.status, told.body.code], [status, code])
  }
})
