// Polls by hand where several processes share the work: whichever process is asked, the one that has the host makes the
// poll, and whoever asked gets the answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type App, createApp } from '../../src/app.ts'
import { configFrom } from '../../src/config.ts'
import { Problem } from '../../src/domain/problem.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { usePostgres } from '../support/postgres.ts'
import { rss } from '../support/product.ts'
import { until } from '../support/until.ts'

const postgres = usePostgres()
const HOST = '127.0.0.2'

interface World extends AsyncDisposable {
  readonly origin: Origin
  readonly one: App
  readonly other: App
  /** Sources on the host, with ids by path, due in a day. */
  add(...paths: string[]): Promise<string[]>
  /** `one` alone works, and waits for the answer of its host. Returns what lets the host answer. */
  holdHost(...alsoDue: string[]): Promise<() => void>
  asked(): string[]
}

async function sharingWorld(): Promise<World> {
  const origin = await startOrigin({ host: HOST })
  const url = await postgres.freshDatabase()
  const http = { allowPrivateNetworks: ['127.0.0.0/8'] }
  const config = configFrom({ database: { url }, http, source: { tickSeconds: 1 } })
  const [one, other] = [await createApp({ config }), await createApp({ config })]
  const day = 24 * 3_600_000
  const add = async (...paths: string[]): Promise<string[]> => {
    const ids: string[] = []
    for (const path of paths) {
      origin.route(path, { body: rss([]) })
      const source = { type: 'rss', url: origin.url + path, pollIntervalMinutes: 1440, validate: false } as const
      const { id } = await one.catalogue.sources.create('default', source)
      const now = one.clock.now()
      await one.store.planSources([{ id, nextPollAt: now + day, lastPolled: now }])
      ids.push(id)
    }
    return ids
  }
  return {
    ...{ origin, one, other, add },
    asked: () => origin.requests.map(({ path }) => path),
    async holdHost(...alsoDue) {
      const ids = await add('/held', ...alsoDue)
      const held = Promise.withResolvers<void>()
      origin.route('/held', async (_, response) => {
        await held.promise
        response.end(rss([]))
      })
      const now = one.clock.now()
      await one.store.planSources(ids.map((id, n) => ({ id, nextPollAt: now - 1000 + n })))
      await one.engine.start()
      await until('the host is asked', () => origin.requests.length === 1)
      return held.resolve
    },
    async [Symbol.asyncDispose]() {
      await one.close()
      await other.close()
      await origin.close()
    },
  }
}

test('a poll by hand comes next on a host that another process has, is made there, and its caller gets the record', async () => {
  await using world = await sharingWorld()
  const { one, other, add } = world
  const [byHand = ''] = await add('/by-hand')
  const answer = await world.holdHost('/1', '/2', '/3')
  await other.engine.start()
  const { finished, expected } = await other.engine.queuePoll(byHand)
  assert.equal((await other.engine.why(byHand)).code, 'lane-busy')
  assert.ok((await expected()).expectedAt > 0)
  await until(
    'the process that has the host knows of it',
    async () => (await one.engine.why(byHand)).code === 'lane-busy',
  )
  answer()
  const record = await finished
  assert.deepEqual([record.sourceId, record.trigger, record.outcome], [byHand, 'manual', 'success'])
  assert.equal(world.asked()[1], '/by-hand')
  await until('the rest is polled', () => world.asked().length === 5)
  assert.equal(other.engine.status().polls, 0)
  assert.equal(world.origin.mostAtOnce, 1)
})

test('polls by hand are made in the order in which they were asked for, in whichever process', async () => {
  await using world = await sharingWorld()
  const { one, other, add } = world
  const paths = ['/1', '/2', '/3', '/4', '/5', '/6']
  const ids = await add(...paths)
  const answer = await world.holdHost()
  await other.engine.start()
  const polls: Promise<unknown>[] = []
  for (const [n, id] of ids.entries()) polls.push((await (n % 2 ? one : other).engine.queuePoll(id)).finished)
  const knowsAll = async () =>
    (await Promise.all(ids.map((id) => one.engine.why(id)))).every((why) => why.code === 'lane-busy')
  await until('all wait in one lane', knowsAll)
  answer()
  await Promise.all(polls)
  assert.deepEqual(world.asked(), ['/held', ...paths])
})

test('a poll by hand of a source that another process is polling gets that record', async () => {
  await using world = await sharingWorld()
  const { one, other } = world
  const answer = await world.holdHost()
  await other.engine.start()
  const [{ id } = { id: '' }] = (await one.store.listSources({ podcastId: 'default', limit: 1, cursor: null })).items
  const polls = [await other.engine.queuePoll(id), await other.engine.queuePoll(id), await one.engine.queuePoll(id)]
  answer()
  const records = await Promise.all(polls.map(({ finished }) => finished))
  assert.deepEqual(new Set(records.map(({ id: recordId }) => recordId)).size, 1)
  assert.equal(records[0]?.trigger, 'tick')
  assert.deepEqual(world.asked(), ['/held'])
})

test('what waits in a process that ends is made by another, and nothing twice', async () => {
  await using world = await sharingWorld()
  const { one, other, add } = world
  const ids = await add('/1', '/2')
  const answer = await world.holdHost()
  await other.engine.start()
  const polls = [await other.engine.queuePoll(ids[0] ?? ''), await other.engine.queuePoll(ids[1] ?? '')]
  await until('it is known there', async () => (await one.engine.why(ids[1] ?? '')).code === 'lane-busy')
  const stopped = one.engine.stop()
  answer()
  await stopped
  const records = await Promise.all(polls.map(({ finished }) => finished))
  assert.deepEqual(
    records.map(({ sourceId }) => sourceId),
    ids,
  )
  const asked = world.asked().filter((path) => path !== '/held')
  assert.deepEqual(asked, ['/1', '/2'])
})

test('a poll by hand waits for a closed lane to open, but for no breaker', async () => {
  await using world = await sharingWorld()
  const { one, other, add } = world
  const [id = ''] = await add('/by-hand')
  const opensAt = one.clock.now() + 1500
  await one.store.changeHost(HOST, ({ breaker }) => ({
    closedUntil: opensAt,
    breaker: { ...breaker, state: 'open', since: one.clock.now(), probeAt: opensAt + 3_600_000, waitMs: 3_600_000 },
  }))
  await Promise.all([one.engine.start(), other.engine.start()])
  const record = await other.engine.poll(id)
  assert.equal(record.trigger, 'manual')
  assert.ok(record.startedAt >= opensAt, `${record.startedAt - opensAt} ms after it opened`)
  assert.equal((await one.store.hostState(HOST))?.breaker.state, 'closed')
})

test('a poll that nobody waits for any more is not made', async () => {
  await using world = await sharingWorld()
  const { one, other, add } = world
  const [dropped = '', wanted = ''] = await add('/dropped', '/wanted')
  const answer = await world.holdHost()
  await other.engine.start()
  const caller = new AbortController()
  const poll = other.engine.poll(dropped, { signal: caller.signal })
  await until('it waits where the host is', async () => (await one.engine.why(dropped)).code === 'lane-busy')
  caller.abort(new Error('enough'))
  await assert.rejects(poll, /enough/)
  await until('it does not wait any more', async () => (await one.engine.why(dropped)).code === 'not-due')
  const { finished } = await other.engine.queuePoll(wanted)
  answer()
  await finished
  assert.deepEqual(world.asked(), ['/held', '/wanted'])
})

test('whoever asks for a poll of a source that is removed meanwhile is told so by the process that found out', async () => {
  await using world = await sharingWorld()
  const { one, other, add } = world
  const [id = ''] = await add('/removed')
  const answer = await world.holdHost()
  await other.engine.start()
  const { finished } = await other.engine.queuePoll(id)
  const isRefused = assert.rejects(finished, (error) => error instanceof Problem && error.code === 'not-found')
  await one.catalogue.sources.remove(id)
  answer()
  await isRefused
})

test('a poll that two people asked for in different processes is made when one of them gives up', async () => {
  await using world = await sharingWorld()
  const { one, other, add } = world
  const [id = ''] = await add('/by-hand')
  const answer = await world.holdHost()
  await other.engine.start()
  const caller = new AbortController()
  const first = other.engine.poll(id, { signal: caller.signal })
  await until('it waits where the host is', async () => (await one.engine.why(id)).code === 'lane-busy')
  await using third = await createApp({ config: one.config })
  await third.engine.start()
  const polls = [await one.engine.queuePoll(id), await third.engine.queuePoll(id)]
  caller.abort(new Error('enough'))
  await assert.rejects(first, /enough/)
  answer()
  const records = await Promise.all(polls.map(({ finished }) => finished))
  assert.deepEqual(
    records.map(({ id: recordId, trigger }) => [recordId, trigger]),
    [
      [records[0]?.id, 'manual'],
      [records[0]?.id, 'manual'],
    ],
  )
  assert.deepEqual(world.asked(), ['/held', '/by-hand'])
})
