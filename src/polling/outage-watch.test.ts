import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { tempStore } from '../../test/support/temp-store.ts'
import { configFrom } from '../config.ts'
import { silentLog } from '../log.ts'
import { OutageWatch } from './outage-watch.ts'

test('a store that could not tell of the last life is asked again, so that one moment does not stop polling for good', async () => {
  await using temp = await tempStore()
  let asked = 0
  const readMeta = async (key: string) => {
    if (++asked === 1) throw new Error('the store is away')
    return temp.store.readMeta(key)
  }
  const watch = new OutageWatch({
    clock: new ManualClock(),
    log: silentLog,
    store: { ...temp.store, readMeta },
    rules: configFrom({}).source,
    probe: async () => null,
    spreadOverdue: async () => {},
  })
  await assert.rejects(watch.ready(), /the store is away/)
  await watch.tick(0)
  assert.equal(asked, 2)
  await watch.ready()
  assert.equal(asked, 2)
})
