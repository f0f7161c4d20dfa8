import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { silentLog } from '../../log.ts'
import { BackgroundIndex, pauseAfter } from './background-index.ts'

function countingStore(posts: number) {
  const store = {
    left: posts,
    calls: 0,
    failing: false,
    async indexSources() {
      return 0
    },
    async indexPosts() {
      store.calls++
      if (store.failing) throw new Error('the database is away')
      const some = Math.min(store.left, 20)
      store.left -= some
      return some
    },
  }
  return store
}

test('posts are indexed to the last one, and then nothing goes on after stop', async () => {
  const store = countingStore(500)
  const index = new BackgroundIndex({ store, log: silentLog, isPolling: () => false })
  index.start()
  index.start()
  await until('all are indexed', () => store.left === 0)
  await index.stop()
  const { calls } = store
  store.left = 20
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(store.calls, calls)
  index.start()
  await until('it goes on after another start', () => store.left === 0)
  await index.stop()
})

test('a failure is logged, and stop does not wait for the next try', async () => {
  const store = countingStore(1)
  store.failing = true
  const warnings: string[] = []
  const log = { ...silentLog, warn: (_fields: object, text: string) => void warnings.push(text) }
  const index = new BackgroundIndex({ store, log, isPolling: () => true })
  index.start()
  await until('it has failed', () => warnings.length > 0)
  await index.stop()
  assert.match(warnings[0] ?? '', /\[Search\]/)
})

test('while polls are under way, indexing makes them less than a tenth longer', () => {
  assert.ok(pauseAfter(20, true) > 10 * 20)
  assert.ok(pauseAfter(20, false) <= 20)
})
