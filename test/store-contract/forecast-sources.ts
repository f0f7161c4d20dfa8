import assert from 'node:assert/strict'
import type { Source } from '../../src/domain/source.ts'
import type { Store } from '../../src/ports/store.ts'
import { aSource, type Check, NOW } from './fixtures.ts'

const PLAN = { pollIntervalMinutes: 45, adaptive: true, learnedIntervalMinutes: 20, nextPollAt: NOW + 5 }

async function add(store: Store, id: string, given: Partial<Source> = {}): Promise<void> {
  const url = `https://${given.lane ?? 'a.example'}/${id}`
  await store.addSource(aSource(id, { lane: 'a.example', ...PLAN, url, urlKey: url, ...given }), [], null)
}

export function forecastSourcesContract(check: Check): void {
  check('a forecast reads the plans of enabled sources that have a host, of one user or of all', async ({ store }) => {
    await store.addUser({ id: 'ann', name: 'Ann', createdAt: NOW })
    await store.addPodcast({ id: 'p2', userId: 'ann', name: 'P', topic: null, maxArticleAgeDays: null, createdAt: NOW })
    await add(store, 's1')
    await add(store, 's2', { podcastId: 'p2', userId: 'ann' })
    await add(store, 's3', { enabled: false, nextPollAt: null })
    await add(store, 's4', { lane: '', host: null })
    assert.deepEqual([await store.countSources(null), await store.countSources('ann')], [2, 1])
    const ids = async (userId: string | null) => (await store.sampleSources(userId, 1)).map(({ id }) => id).sort()
    assert.deepEqual([await ids(null), await ids('ann')], [['s1', 's2'], ['s2']])
    const [own] = await store.sampleSources('ann', 1)
    const { pollIntervalMinutes, adaptive, learnedIntervalMinutes, nextPollAt, userId } = own ?? {}
    assert.deepEqual(
      { pollIntervalMinutes, adaptive, learnedIntervalMinutes, nextPollAt, userId },
      { ...PLAN, userId: 'ann' },
    )
    assert.equal((await store.sourcesOfLanes(null, ['a.example', 'b.example'])).length, 2)
    assert.equal((await store.sourcesOfLanes('ann', ['a.example'])).length, 1)
  })

  check('a sample has about its share of the sources, always the same ones, whatever their host', async ({ store }) => {
    for (let n = 0; n < 400; n++) await add(store, `s${n}`, { lane: `h${n % 4}.example` })
    const sample = await store.sampleSources(null, 0.25)
    assert.ok(sample.length > 60 && sample.length < 140, `${sample.length} of 400`)
    assert.equal(new Set(sample.map(({ lane }) => lane)).size, 4)
    const again = await store.sampleSources(null, 0.25)
    assert.deepEqual(
      again.map(({ id }) => id),
      sample.map(({ id }) => id),
    )
    assert.equal(new Set((await store.sampleSources(null, 1)).map(({ id }) => id)).size, 400)
  })

  check('lanes come by name with their size, and those that are left alone are told', async ({ store }) => {
    for (const [id, lane] of Object.entries({ s1: 'b.example', s2: 'a.example', s3: 'b.example', s4: '' })) {
      await add(store, id, { lane })
    }
    assert.deepEqual(await store.lanesAfter('', 5), [
      { lane: 'a.example', sources: 1 },
      { lane: 'b.example', sources: 2 },
    ])
    assert.deepEqual(await store.lanesAfter('a.example', 1), [{ lane: 'b.example', sources: 2 }])
    await store.changeHost('a.example', () => ({ closedUntil: NOW + 1 }))
    await store.changeHost('b.example', () => ({ closedUntil: NOW }))
    const left = await store.hostsLeftAlone(['a.example', 'b.example', 'c.example'], NOW)
    assert.deepEqual(
      left.map(({ lane }) => lane),
      ['a.example'],
    )
  })
}
