// Ten thousand sources that are overdue at once, after an hour in which nothing was polled.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { inProcessDocuments } from '../../bench/seeds/in-process-documents.ts'
import { createEngine } from '../../src/app/engine.ts'
import { configFrom } from '../../src/config.ts'
import { BUILT_IN_TYPES } from '../../src/domain/built-in-types.ts'
import { statusFailure } from '../../src/fetching/failure.ts'
import { silentLog } from '../../src/log.ts'
import type { Fetcher } from '../../src/ports/fetcher.ts'
import { secretsUnder } from '../../src/secrets/secrets.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { NOW } from '../store-contract/fixtures.ts'
import { seedSources } from '../store-contract/many-sources.ts'
import { ManualClock } from '../support/manual-clock.ts'

const SOURCES = 10_000
const HOUR = 3_600_000

test('10,000 sources that are overdue at once are spread over half an hour', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tidings-overdue-'))
  const path = join(dir, 'tidings.db')
  await (await openStore(`file:${path}`, { now: NOW })).close()
  await seedSources(path, { sources: SOURCES, due: SOURCES, lanes: 500 })
  const store = await openStore(`file:${path}`, { now: NOW })
  const clock = new ManualClock(NOW)
  let asked = 0
  const fetcher: Fetcher = {
    fetch: async ({ url }) => {
      asked++
      const answered = { status: 500, url, headers: {}, trail: [], wireBytes: 0 }
      return { kind: 'status', failure: statusFailure(500), excerpt: '', ...answered }
    },
    close: async () => {},
  }
  const parts = { clock, store, fetcher, types: BUILT_IN_TYPES, addedTypes: [], sharesFile: false, log: silentLog }
  const more = { config: configFrom({}), random: () => 0, secrets: secretsUnder(Buffer.alloc(32)) }
  const engine = createEngine({ ...parts, ...more, documents: inProcessDocuments(() => null) })
  try {
    await store.writeMeta('last-tick-at', String(NOW - HOUR))
    await engine.tick()
    await engine.drain()
    // A tick is a thirtieth of half an hour.
    assert.equal(asked, Math.ceil(SOURCES / 30))
    assert.equal(await store.countOverdue(NOW), 0)
    assert.equal((await store.countOverdue(NOW + HOUR / 2)) + asked, SOURCES, 'the others within half an hour')
  } finally {
    await engine.stop()
    await store.close()
    await rm(dir, { recursive: true, force: true })
  }
})
