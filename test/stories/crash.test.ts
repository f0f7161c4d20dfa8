// Real processes that are killed by SIGKILL, at chosen points between a request and the commit of its poll, and at random
// moments. `npm run simulate -- crashes --kills 200 [--engine postgres]` kills more of them.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCrashes } from '../../bench/crashes/run-crashes.ts'
import { usePostgres } from '../support/postgres.ts'

const KILLS = { sqlite: 19, postgres: 6 }
const WORDS = 'nothing is lost, nothing is stored twice, nobody is punished, no host is asked too soon'

const postgres = usePostgres()

test(`killed again and again, at any moment: ${WORDS} (SQLite)`, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tidings-crash-'))
  try {
    const { broken, requests, at } = await runCrashes({ url: `file:${dir}/tidings.db`, kills: KILLS.sqlite })
    assert.deepEqual(broken, [])
    assert.ok(requests >= KILLS.sqlite && Object.keys(at).length >= 4, JSON.stringify(at))
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
})

test(`killed again and again, at any moment: ${WORDS} (PostgreSQL)`, async () => {
  const { broken } = await runCrashes({ url: await postgres.freshDatabase(), kills: KILLS.postgres, seed: 2 })
  assert.deepEqual(broken, [])
})
