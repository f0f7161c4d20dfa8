// What was polled: totals by hour and day, and the polls of many sources.
import assert from 'node:assert/strict'
import type { PollRecord } from '../../src/domain/outcome.ts'
import type { PollQuery, PollTotals } from '../../src/ports/polling-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { aCandidate, aRecord, aSource, type Check, DAY_MS, NOW, poll, withSources } from './fixtures.ts'

const HOUR_MS = 3_600_000
const HOUR = Math.floor(NOW / HOUR_MS)
const DAY = Math.floor(NOW / DAY_MS)

function polled(store: Store, sourceId: string, record: Partial<PollRecord>) {
  return poll(store, sourceId, { effects: { record: aRecord(sourceId, record) } })
}

async function twoOwners(store: Store): Promise<void> {
  await store.addUser({ id: 'u2', name: 'Two', createdAt: NOW })
  await store.addPodcast({
    ...{ id: 'p2', userId: 'u2', name: 'Second', topic: null, maxArticleAgeDays: null, createdAt: NOW },
  })
  await withSources(
    store,
    aSource('s1'),
    aSource('s2', { host: 'b.example' }),
    aSource('s3', { podcastId: 'p2', userId: 'u2' }),
  )
}

async function ids(store: Store, query: Partial<PollQuery>): Promise<string[]> {
  const found: string[] = []
  let cursor: string | null = null
  do {
    const anything = { userId: null, sourceId: null, host: null, outcome: null, since: null }
    const page = await store.listAllPolls({ ...anything, ...query, limit: 2, cursor })
    found.push(...page.items.map(({ record, url }) => `${record.startedAt - NOW} ${url}`))
    cursor = page.nextCursor
  } while (cursor !== null)
  return found
}

export function pollTotalsContract(check: Check): void {
  check('hours have the totals of a podcast, a user or everybody', async ({ store }) => {
    await twoOwners(store)
    await polled(store, 's1', { startedAt: NOW - HOUR_MS, notModified: true, bytes: 10 })
    await polled(store, 's1', { outcome: 'permanent', bytes: 5 })
    await polled(store, 's2', { outcome: 'transient', bytes: 1 })
    await polled(store, 's3', { created: 3, bytes: 100 })
    const totals = async (scope: { podcastId?: string; userId?: string }, fromHour = HOUR - 1) =>
      [...(await store.pollHours({ podcastId: null, userId: null, ...scope, fromHour }))].sort(([a], [b]) => a - b)
    const before: PollTotals = { polls: 1, failures: 0, notModified: 1, created: 0, bytes: 10 }
    const own: PollTotals = { polls: 2, failures: 2, notModified: 0, created: 0, bytes: 6 }
    const other: PollTotals = { polls: 1, failures: 0, notModified: 0, created: 3, bytes: 100 }
    assert.deepEqual(await totals({ podcastId: 'default' }), [
      [HOUR - 1, before],
      [HOUR, own],
    ])
    assert.deepEqual(await totals({ userId: 'u2' }), [[HOUR, other]])
    assert.deepEqual(await totals({}, HOUR), [
      [HOUR, { polls: 3, failures: 2, notModified: 0, created: 3, bytes: 106 }],
    ])
    await store.removeSource('s3')
    assert.deepEqual(await totals({ userId: 'u2' }), [[HOUR, other]], 'what was done stays counted')
    await store.removePodcast('p2')
    assert.deepEqual(await totals({ userId: 'u2' }), [])
  })

  check('days of a source stay the same when clean-up turns records into totals', async ({ store }) => {
    await withSources(store, aSource('s1'), aSource('s2', { host: 'b.example' }))
    await polled(store, 's2', { startedAt: NOW })
    for (let n = 0; n < 130; n++) {
      const at = NOW - (130 - n) * HOUR_MS
      const outcome = n % 10 === 0 ? 'transient' : 'success'
      await polled(store, 's1', { startedAt: at, outcome, notModified: outcome === 'success', bytes: n })
    }
    const days = async () => [...(await store.pollDays('s1', DAY - 10))].sort(([a], [b]) => a - b)
    const before = await days()
    const sums = before.map(([, total]) => total)
    assert.equal(
      sums.reduce((sum, { polls }) => sum + polls, 0),
      130,
    )
    assert.deepEqual(before[1]?.[1].polls, 24)
    const limits = { now: NOW, maxArticleAgeDays: 7, pollHistoryDays: 1, batch: 1000 }
    const cleaned = await store.cleanUp(limits)
    assert.ok(cleaned.polls >= 27, String(cleaned.polls))
    assert.deepEqual(await days(), before)
    assert.deepEqual([...(await store.pollDays('s1', DAY))], before.slice(-1))
  })

  check('polls of many sources are listed newest first, with filters, across pages', async ({ store }) => {
    await twoOwners(store)
    await polled(store, 's1', { startedAt: NOW + 1 })
    await polled(store, 's3', { startedAt: NOW + 5 })
    await polled(store, 's2', { startedAt: NOW + 3, outcome: 'transient' })
    await polled(store, 's1', { startedAt: NOW + 3 })
    await polled(store, 's1', { startedAt: NOW + 2, outcome: 'permanent' })
    const [one, two, three] = ['https://a.example/s1', 'https://b.example/s2', 'https://a.example/s3']
    assert.deepEqual(await ids(store, {}), [`5 ${three}`, `3 ${one}`, `3 ${two}`, `2 ${one}`, `1 ${one}`])
    assert.deepEqual(await ids(store, { userId: 'u2' }), [`5 ${three}`])
    assert.deepEqual(await ids(store, { userId: 'default' }), [`3 ${one}`, `3 ${two}`, `2 ${one}`, `1 ${one}`])
    assert.deepEqual(await ids(store, { userId: 'u2', sourceId: 's1' }), [])
    assert.deepEqual(await ids(store, { sourceId: 's1', since: NOW + 2 }), [`3 ${one}`, `2 ${one}`])
    assert.deepEqual(await ids(store, { host: 'b.example' }), [`3 ${two}`])
    assert.deepEqual(await ids(store, { outcome: 'permanent' }), [`2 ${one}`])
    await store.removeSource('s1')
    assert.deepEqual(await ids(store, {}), [`5 ${three}`, `3 ${two}`])
  })

  check('polls of more sources than are looked at one by one are found by time', async ({ store }) => {
    const many = Array.from({ length: 260 }, (_, n) => aSource(`m${n}`, { host: `${n}.example` }))
    await withSources(store, ...many)
    for (const [n, { id }] of many.entries()) await polled(store, id, { startedAt: NOW + n })
    const found = await ids(store, { userId: 'default', since: NOW + 200 })
    assert.deepEqual(
      found.map((line) => Number(line.split(' ')[0])),
      Array.from({ length: 60 }, (_, n) => 259 - n),
    )
  })

  check('the number of posts of a source follows polls, slices and clean-up', async ({ store }) => {
    await withSources(store, aSource('s1'))
    const count = async () => (await store.getSource('s1'))?.postCount
    await store.addPosts('s1', 1, [aCandidate(1), aCandidate(2), aCandidate(2)], NOW - 30 * DAY_MS)
    assert.equal(await count(), 2)
    await poll(store, 's1', { posts: [aCandidate(2), aCandidate(3)] })
    assert.equal(await count(), 3)
    await store.cleanUp({ now: NOW, maxArticleAgeDays: 7, pollHistoryDays: 1, batch: 1000 })
    assert.equal(await count(), 1)
    assert.equal((await store.countsOf(['s1'])).get('s1')?.postCount, 1)
  })
}
