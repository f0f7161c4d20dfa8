import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openStore } from './open-store.ts'

const whole = await openStore('file::memory:')
const ofCommand = await openStore('file::memory:', { isForCommand: true })
after(() => Promise.all([whole.close(), ofCommand.close()]))

test('the store of a command has every member of a store', () => {
  for (const name of Object.keys(whole) as (keyof typeof whole)[]) {
    assert.equal(typeof ofCommand[name], typeof whole[name], name)
  }
})

test('what is loaded at first use works on the same database as the rest', async () => {
  await ofCommand.addUser({ id: 'u1', name: 'Ada', createdAt: 1 })
  assert.equal((await ofCommand.getUser('u1'))?.name, 'Ada')
  assert.equal((await ofCommand.forRequests().totals({ userId: null, now: 2 })).users, 2)
  assert.equal(await ofCommand.schemaVersion(), await whole.schemaVersion())
})
