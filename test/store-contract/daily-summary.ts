import assert from 'node:assert/strict'
import { writeDailySummaries } from '../../src/polling/planning/daily-summary.ts'
import { type Check, DAY_MS, NOW } from './fixtures.ts'

export function dailySummaryContract(check: Check): void {
  check('processes that summarise the same day write one event for each user and day', async ({ store, again }) => {
    await store.addUser({ id: 'ann', name: 'Ann', createdAt: NOW })
    const stores = [store, await again(), await again()]
    for (let day = 0; day < 4; day++) {
      // Each of them ticks twice at the same time as the others.
      const ticks = [...stores, ...stores].map((each, n) => writeDailySummaries(each, NOW + day * DAY_MS + n))
      await Promise.all(ticks)
    }
    const told = (await store.eventsAfter('0', 100)).filter(({ type }) => type === 'summary.daily')
    const days = told.map(({ userId, at }) => `${userId} ${new Date(at).toISOString().slice(0, 10)}`)
    const expected = [1, 2, 3].map((day) => new Date(NOW + day * DAY_MS).toISOString().slice(0, 10))
    assert.deepEqual(
      days.toSorted(),
      ['ann', 'default'].flatMap((user) => expected.map((day) => `${user} ${day}`)),
    )
    const spans = told
      .filter(({ userId }) => userId === 'ann')
      .map(({ data }) => data as { from: string; until: string })
    assert.deepEqual(
      spans.slice(1).map(({ from }) => from),
      spans.slice(0, -1).map(({ until }) => until),
      'each begins where the last ended',
    )
    const first = await store.listSummaries('ann', { limit: 2, cursor: null })
    const rest = await store.listSummaries('ann', { limit: 2, cursor: first.nextCursor })
    const listed = [...first.items, ...rest.items].map(({ data }) => data.until)
    assert.deepEqual([listed, rest.nextCursor], [spans.map(({ until }) => until).toReversed(), null])
  })
}
