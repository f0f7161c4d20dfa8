import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startApi, type TestApi } from '../../../test/support/api.ts'
import { NOTHING_SKIPPED, type PollRecord } from '../../domain/outcome.ts'
import { HostNotFree, Problem } from '../../domain/problem.ts'

const SOURCES = '/api/users/default/podcasts/default/sources'

describe('polling over REST', () => {
  let api: TestApi
  let id: string
  let path: string
  before(async () => {
    api = await startApi()
    id = (await api.catalogue.sources.create('default', { type: 'rss', url: 'https://example.org/feed' })).id
    path = `${SOURCES}/${id}`
  })
  after(() => api.close())

  const record = (): PollRecord => ({
    ...{ id: '7', sourceId: id, startedAt: api.clock.now(), durationMs: 12, trigger: 'manual', outcome: 'success' },
    ...{ httpStatus: 200, notModified: false, bytes: 10, found: 2, created: 1, gap: false, reason: null },
    skipped: { ...NOTHING_SKIPPED, duplicate: 1 },
  })
  const queue = (finished: Promise<PollRecord>) => {
    finished.catch(() => {})
    const now = api.clock.now()
    api.engine.queuePoll = async () => ({
      queuedAt: now,
      expected: async () => ({ expectedAt: now + 2000, reason: 'waits for spacing' }),
      finished,
    })
  }

  it('without wait the poll is queued, and the answer says when it is expected', async () => {
    queue(Promise.resolve(record()))
    const told = await api.ask('POST', `${path}/poll`)
    assert.equal(told.status, 202)
    assert.deepEqual(told.body, {
      queuedAt: '2026-02-17T10:00:00.000Z',
      expectedAt: '2026-02-17T10:00:02.000Z',
      reason: 'waits for spacing',
    })
  })

  it('with wait the answer is the record of the poll', async () => {
    queue(Promise.resolve(record()))
    const told = await api.ask('POST', `${path}/poll?wait=true`)
    assert.equal(told.status, 200)
    assert.deepEqual(told.body, { ...record(), startedAt: '2026-02-17T10:00:00.000Z' })
  })

  it('the trigger is manual or create, and nothing else', async () => {
    const triggers: unknown[] = []
    queue(Promise.resolve(record()))
    const { queuePoll } = api.engine
    api.engine.queuePoll = (sourceId, trigger) => {
      triggers.push(trigger)
      return queuePoll(sourceId, trigger)
    }
    await api.ask('POST', `${path}/poll`)
    await api.ask('POST', `${path}/poll?trigger=create`)
    assert.deepEqual(triggers, ['manual', 'create'])
    assert.equal((await api.ask('POST', `${path}/poll?trigger=tick`)).status, 400)
  })

  it('a poll that does not finish in time is 202', async () => {
    queue(new Promise(() => {}))
    assert.equal((await api.ask('POST', `${path}/poll?wait=true&timeout=0.05`)).status, 202)
    assert.equal((await api.ask('POST', `${path}/poll?wait=true&timeout=0`)).status, 202)
  })

  it('a poll that was postponed because its redirect leads to a host that is not free is 202 with the time; a disabled source is refused', async () => {
    const until = api.clock.now() + 90_000
    queue(Promise.reject(new HostNotFree(until, 'The poll was put off.')))
    const told = await api.ask('POST', `${path}/poll?wait=true`)
    assert.equal(told.status, 202)
    assert.deepEqual([told.body.expectedAt, told.body.reason], [new Date(until).toISOString(), 'The poll was put off.'])
    await api.catalogue.sources.update(id, { enabled: false })
    assert.equal((await api.ask('POST', `${path}/poll?wait=true`)).status, 503)
    await api.catalogue.sources.update(id, { enabled: true })
  })

  it('a source that changed during the poll is a conflict', async () => {
    queue(Promise.reject(new Problem('source-changed', 'Its URL changed.')))
    const told = await api.ask('POST', `${path}/poll?wait=true`)
    assert.equal(told.status, 409)
    assert.equal(told.body.code, 'source-changed')
    // Nobody waits: what becomes of it is not our business, and does not end the process.
    assert.equal((await api.ask('POST', `${path}/poll`)).status, 202)
  })

  it('a bad wait or timeout is 400', async () => {
    for (const [query, field] of [
      ['wait=maybe', 'wait'],
      ['timeout=-1', 'timeout'],
      ['timeout=long', 'timeout'],
    ]) {
      const told = await api.ask('POST', `${path}/poll?${query}`)
      assert.equal(told.status, 400)
      assert.equal(told.body.errors[0].path, field)
    }
  })

  it('an empty JSON body counts as no body', async () => {
    queue(Promise.resolve(record()))
    const told = await api.ask('POST', `${path}/poll`, { headers: { 'content-type': 'application/json' } })
    assert.equal(told.status, 202)
  })

  it('why answers one sentence', async () => {
    const told = await api.ask('GET', `${path}/why`)
    assert.deepEqual(told.body, {
      due: false,
      nextPollAt: null,
      expectedAt: null,
      code: 'new',
      sentence: 'Not polled yet.',
    })
  })

  it('polls are listed in the public shape', async () => {
    const { id: _, ...rest } = record()
    await api.store.recordPoll({
      ...{ sourceId: id, version: 1, posts: [], tombstones: [], carried: null, at: api.clock.now(), lane: null },
      decide: () => ({ source: {}, host: null, record: rest, events: [] }),
    })
    const told = await api.ask('GET', `${path}/polls`)
    assert.equal(told.body.nextCursor, null)
    assert.deepEqual(
      told.body.items.map(({ id: __, ...item }: { id: string }) => item),
      [{ ...rest, startedAt: '2026-02-17T10:00:00.000Z' }],
    )
  })

  it('a waiting caller is answered when the server closes', async () => {
    await using other = await startApi()
    const source = await other.catalogue.sources.create('default', { type: 'rss', url: 'https://example.org/' })
    const asked = Promise.withResolvers<void>()
    other.engine.queuePoll = async () => {
      asked.resolve()
      return { queuedAt: 0, expected: async () => ({ expectedAt: 0, reason: 'r' }), finished: new Promise(() => {}) }
    }
    const waiting = other.ask('POST', `${SOURCES}/${source.id}/poll?wait=true`)
    await asked.promise
    await other.api.close()
    assert.equal((await waiting).status, 202)
  })
})

describe('rate limits without admin rights', () => {
  it('one manual poll a minute per source, 30 per user, 10 previews per token', async () => {
    await using api = await startApi({ config: { server: { auth: 'required' } } })
    const { token } = await api.catalogue.tokens.create('default', { name: 't' })
    const { token: admin } = await api.catalogue.tokens.create('default', { name: 'a', admin: true })
    const finished = new Promise<PollRecord>(() => {})
    api.engine.queuePoll = async () => ({
      queuedAt: 0,
      expected: async () => ({ expectedAt: 0, reason: 'r' }),
      finished,
    })
    const ids: string[] = []
    for (let n = 0; n < 32; n++) {
      ids.push((await api.catalogue.sources.create('default', { type: 'rss', url: `https://example.org/${n}` })).id)
    }
    const poll = (id: string | undefined, by: string) => api.ask('POST', `${SOURCES}/${id}/poll`, { token: by })
    assert.equal((await poll(ids[0], token)).status, 202)
    await api.clock.advance(20_000)
    const again = await poll(ids[0], token)
    assert.equal(again.status, 429)
    assert.equal(again.body.code, 'too-many-requests')
    assert.equal(again.headers['retry-after'], '40')
    for (const id of ids.slice(1, 30)) assert.equal((await poll(id, token)).status, 202)
    assert.equal((await poll(ids[30], token)).status, 429)
    for (let n = 0; n < 3; n++) assert.equal((await poll(ids[0], admin)).status, 202)
    await api.clock.advance(40_000)
    assert.equal((await poll(ids[0], token)).status, 202)

    const preview = (by: string) =>
      api.ask('POST', '/api/preview', { token: by, body: { url: 'https://example.org/' } })
    for (let n = 0; n < 10; n++) assert.equal((await preview(token)).status, 200)
    assert.equal((await preview(token)).status, 429)
    const discovery = await api.ask('POST', SOURCES, { token, body: { url: 'https://new.example/' } })
    assert.equal(discovery.status, 429)
    assert.equal((await preview(admin)).status, 200)
    await api.clock.advance(60_000)
    assert.equal((await preview(token)).status, 200)
  })
})
