import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standInEngine } from '../../test/support/api.ts'
import { ManualClock, TEST_START } from '../../test/support/manual-clock.ts'
import { tempStore } from '../../test/support/temp-store.ts'
import { until } from '../../test/support/until.ts'
import { BUILT_IN_TYPES } from '../domain/built-in-types.ts'
import type { StoredEvent } from '../domain/event.ts'
import { silentLog } from '../log.ts'
import { Metrics } from './metrics.ts'

let ids = 0

function polled(httpStatus: number): StoredEvent {
  const about = { userId: 'default', podcastId: 'default', sourceId: 's', host: 'a.example' }
  const data = { type: 'rss', outcome: 'success', trigger: 'tick', httpStatus } as const
  return { id: String(++ids), type: 'poll.finished', at: TEST_START, ...about, data }
}

test('counting goes on when the store fails, under an event and under the subscription', async () => {
  await using temp = await tempStore({ now: TEST_START })
  const lastBodyBytes = () => Promise.reject(new Error('the connection was lost'))
  const subscriptions = [
    async function* () {
      yield polled(304)
      yield polled(200)
      throw new Error('the connection was lost')
    },
    async function* () {
      yield polled(200)
    },
  ]
  const metrics = new Metrics({
    ...{ engine: standInEngine(), clock: new ManualClock(), log: silentLog, version: 'test', types: BUILT_IN_TYPES },
    store: { ...temp.store, lastBodyBytes },
    subscribe: () => subscriptions.shift()?.() ?? assert.fail('listened to more often than it failed'),
  })
  metrics.start()
  const counted = /^tidings_polls_total\{[^}]*outcome="success"[^}]*\} 3$/m
  await until('all three are counted', async () => counted.test(await metrics.text()))
  await metrics.close()
})
