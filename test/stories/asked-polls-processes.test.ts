// A worker and a serve as real processes: the host is the worker's, and the person asks the serve.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApp } from '../../src/app.ts'
import { configFrom } from '../../src/config.ts'
import { startOrigin } from '../support/origin.ts'
import { usePostgres } from '../support/postgres.ts'
import { rss } from '../support/product.ts'
import { startRunning, startServe } from '../support/serve-process.ts'
import { until } from '../support/until.ts'

const postgres = usePostgres()
const DAY = 24 * 3_600_000
/** A killed process is noticed after its heartbeat, and processes take their time on a busy machine. */
const TAKEN_OVER_WITHIN_MS = 300_000

test('a poll asked of one process is made by the one that has the host, and by another when that is killed', async () => {
  const database = await postgres.freshDatabase()
  await using origin = await startOrigin({ host: '127.0.0.2' })
  await using app = await createApp({ config: configFrom({ database: { url: database } }) })
  const add = async (path: string, dueInMs: number): Promise<string> => {
    const source = { type: 'rss', url: origin.url + path, pollIntervalMinutes: 1440, validate: false } as const
    const { id } = await app.catalogue.sources.create('default', source)
    const now = app.clock.now()
    await app.store.planSources([{ id, nextPollAt: now + dueInMs, lastPolled: now }])
    return id
  }
  const first = Promise.withResolvers<void>()
  origin.route('/held', async (_, response) => {
    await first.promise
    response.end(rss([]))
  })
  for (const path of ['/by-hand', '/again']) origin.route(path, { body: rss([]) })
  const held = await add('/held', -1000)
  const [byHand, again] = [await add('/by-hand', DAY), await add('/again', DAY)]

  const env = { APP_SOURCE_TICK_SECONDS: '1' }
  await using worker = await startRunning(['worker', '--database', database], env)
  await until('the worker has the host', () => origin.requestsTo('/held').length === 1)
  await using serve = await startServe('', ['--database', database], env)
  const api = `${serve.url}/api/users/default/podcasts/default/sources`
  const why = async (id: string) => ((await (await fetch(`${api}/${id}/why`)).json()) as { code: string }).code

  const answer = fetch(`${api}/${byHand}/poll?wait=true&timeout=60`, { method: 'POST' })
  await until('it waits', async () => (await why(byHand)) === 'lane-busy')
  first.resolve()
  const answered = await answer
  const told = await answered.text()
  const pollsOf = async (id: string) => (await app.store.listPolls(id, { limit: 9, cursor: null })).items
  await until('it is recorded', async () => (await pollsOf(byHand)).length > 0)
  const [record] = await pollsOf(byHand)
  assert.deepEqual([record?.trigger, record?.outcome], ['manual', 'success'])
  // A machine that is busy for a minute answers that the poll is queued.
  if (answered.status !== 202) assert.equal((JSON.parse(told) as { id: string }).id, record?.id, told)
  assert.equal(origin.requestsTo('/by-hand').length, 1)

  // Killed in the middle of a request, with a poll that waits behind it.
  const asked = origin.requestsTo('/held').length
  origin.route('/held', () => {})
  await app.store.planSources([{ id: held, nextPollAt: app.clock.now() }])
  await until('somebody has the host', () => origin.requestsTo('/held').length > asked)
  assert.equal((await fetch(`${api}/${again}/poll`, { method: 'POST' })).status, 202)
  origin.route('/held', { body: rss([]) })
  worker.process.kill('SIGKILL')
  await until('another process polls it', async () => (await pollsOf(again)).length > 0, TAKEN_OVER_WITHIN_MS)
  assert.deepEqual(
    (await pollsOf(again)).map(({ trigger, outcome }) => [trigger, outcome]),
    [['manual', 'success']],
  )
  assert.equal(origin.requestsTo('/again').length, 1)
  assert.equal(origin.mostAtOnce, 1)
})
