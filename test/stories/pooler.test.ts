// Behind a connection pooler in transaction mode nothing may depend on a session: no prepared statement, no lock, no
// setting, no LISTEN. Two processes poll and are asked through one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Log } from '../../src/ports/log.ts'
import { startOrigin } from '../support/origin.ts'
import { usePostgres } from '../support/postgres.ts'
import { rss, startProduct } from '../support/product.ts'
import { startPooler } from '../support/transaction-pooler.ts'
import { until } from '../support/until.ts'

const postgres = usePostgres()

test('two processes poll, follow posts and search behind a pooler that gives each transaction another connection', async () => {
  await using pooler = await startPooler(await postgres.freshDatabase())
  const warnings: string[] = []
  const warn = (_: unknown, message: string) => void warnings.push(message)
  const log: Log = { debug: () => {}, info: () => {}, warn, error: warn }
  const config = { database: { url: pooler.url }, source: { tickSeconds: 1 } }
  await using one = await startProduct({ config, log })
  await using other = await startProduct({ config, log })
  const origins = await Promise.all(['127.0.0.2', '127.0.0.3', '127.0.0.4'].map((host) => startOrigin({ host })))
  const ids: string[] = []
  for (const [n, origin] of origins.entries()) {
    const publishedAt = Date.now() - 1000
    origin.route('/feed', { body: rss([{ title: `Whales ${n}`, guid: '1', publishedAt }]) })
    const source = { type: 'rss', url: `${origin.url}/feed`, backfillDays: 1, pollIntervalMinutes: 1 } as const
    ids.push((await one.tidings.catalogue.sources.create('default', source)).id)
  }
  try {
    await Promise.all([one.tidings.start(), other.tidings.start()])
    for (const [n, id] of ids.entries()) await (n % 2 === 0 ? one : other).tidings.poll(id)
    const found = async () => (await other.tidings.posts.list('default', { q: 'whales' })).items.length
    await until('all posts are found', async () => (await found()) === 3)
    const followed = await one.tidings.posts.list('default', { after: '0' })
    assert.equal(followed.items.length, 3)
    const before = pooler.changes()
    await Promise.all(ids.map((id) => one.tidings.poll(id)))
    assert.ok(pooler.changes() > before && before > 20, `${before} changes of connections`)
    await until('both have worked on', async () => (await other.tidings.polls.list(ids[0] ?? '')).items.length >= 2)
  } finally {
    await Promise.all([one.tidings.stop(), other.tidings.stop()])
    for (const origin of origins) await origin[Symbol.asyncDispose]()
  }
  assert.deepEqual(warnings, [])
})
