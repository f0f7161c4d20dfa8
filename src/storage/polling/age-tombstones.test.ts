import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { aCandidate, aSource, NOW, poll, withSources } from '../../../test/store-contract/fixtures.ts'
import { tempStore } from '../../../test/support/temp-store.ts'
import type { Db } from '../database/db.ts'
import { ageTombstones } from './age-tombstones.ts'

const hashOf = (n: number) => createHash('sha256').update(String(n)).digest('hex')

test('a poll reads no more tombstones of a source with thousands than of one with a few hundred', async () => {
  await using temp = await tempStore({ now: NOW })
  const { store, db } = temp
  const mostRead: number[] = []
  for (const [id, count] of [
    ['few', 300],
    ['many', 5000],
  ] as const) {
    await withSources(store, aSource(id))
    const entries = Array.from({ length: count }, (_, n) => aCandidate(n, { contentHash: hashOf(n) }))
    await poll(store, id, { tombstones: entries })
    const carried = {
      hashes: new Set(entries.slice(0, 30).map((entry) => entry.contentHash)),
      guids: new Set<string>(),
    }
    let most = 0
    for (let n = 0; n < 10; n++) {
      let read = 0
      const counting = {
        dialect: db.dialect,
        all: async (...args: Parameters<Db['all']>) => {
          const rows = await db.all(...args)
          read += rows.length
          return rows
        },
        get: db.get.bind(db),
        run: db.run.bind(db),
      }
      await ageTombstones(counting, counting, id, carried, NOW + n * 1_800_000)
      most = Math.max(most, read)
    }
    mostRead.push(most)
  }
  assert.deepEqual(mostRead, [230, 230])
})
