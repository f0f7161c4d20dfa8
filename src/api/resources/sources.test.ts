import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startApi, type TestApi } from '../../../test/support/api.ts'
import { sourceAnswer } from '../../catalogue/shapes/answers.ts'

const SOURCES = '/api/users/default/podcasts/default/sources'

describe('sources over REST', () => {
  let api: TestApi
  before(async () => {
    api = await startApi()
  })
  after(() => api.close())

  it('a new source comes back with every public field and its defaults', async () => {
    const asked = { body: { type: 'rss', url: 'https://example.org/feed' } }
    const { status, body, headers } = await api.ask('POST', SOURCES, asked)
    assert.equal(status, 201)
    assert.equal(headers.location, `${SOURCES}/${body.id}`)
    assert.equal((await api.ask('GET', String(headers.location))).body.id, body.id)
    assert.deepEqual(Object.keys(body).toSorted(), Object.keys(sourceAnswer.shape).toSorted())
    assert.equal(body.pollIntervalMinutes, 30)
    assert.equal(body.effectivePollIntervalMinutes, 30)
    assert.equal(body.host, 'example.org')
    assert.equal(body.enabled, true)
    assert.equal(body.health, 'new')
    assert.equal(body.honourFreshness, true)
    assert.equal(body.createdAt, '2026-02-17T10:00:00.000Z')
    for (const field of ['lastPolled', 'lastSucceededAt', 'lastSeenId', 'nextPollAt', 'disabledReason', 'label']) {
      assert.equal(body[field], null, field)
    }
  })

  it('the address is fetched by default, and not with validate: false', async () => {
    const before = api.engine.tested.length
    await api.ask('POST', SOURCES, { body: { type: 'rss', url: 'https://example.org/a', validate: false } })
    assert.equal(api.engine.tested.length, before)
    await api.ask('POST', SOURCES, { body: { type: 'rss', url: 'https://example.org/b' } })
    assert.equal(api.engine.tested.length, before + 1)
  })

  it('all problems of a body are reported together, by field', async () => {
    const body = {
      type: 'podcast',
      url: 'ftp://u:secret@example.org',
      pollIntervalMinutes: 0,
      label: 'a\u0007b',
      colour: 'red',
    }
    const told = await api.ask('POST', SOURCES, { body })
    assert.equal(told.status, 400)
    assert.equal(told.body.code, 'invalid-input')
    assert.match(String(told.headers['content-type']), /^application\/problem\+json/)
    const paths = told.body.errors.map((error: { path: string }) => error.path).toSorted()
    assert.deepEqual(paths, ['colour', 'label', 'pollIntervalMinutes', 'type', 'url'])
    assert.doesNotMatch(told.text, /secret/)
  })

  it('a number out of range is refused with the range and what was given', async () => {
    const body = { type: 'rss', url: 'https://example.org/ranges', pollIntervalMinutes: 10081 }
    const told = await api.ask('POST', SOURCES, { body })
    assert.deepEqual(told.body.errors, [
      { path: 'pollIntervalMinutes', message: 'expected a whole number from 1 to 10080, got 10081' },
    ])
  })

  it('the same URL in the podcast is a conflict, also with another fragment or credentials', async () => {
    const first = await api.ask('POST', SOURCES, { body: { type: 'rss', url: 'https://twice.example/feed' } })
    for (const url of [
      'https://twice.example/feed#x',
      'HTTPS://TWICE.example:443/feed',
      'https://a:b@twice.example/feed',
    ]) {
      const told = await api.ask('POST', SOURCES, { body: { type: 'rss', url } })
      assert.equal(told.status, 409, url)
      assert.equal(told.body.code, 'source-exists')
      assert.ok(told.body.detail.includes(first.body.id))
      assert.equal(told.body.errors[0].path, 'url')
    }
  })

  it('the answer of GET can be edited and sent back with PUT', async () => {
    const given = {
      type: 'rss',
      url: 'https://round.example/feed',
      label: 'Round',
      maxFailures: 9,
      enabled: false,
      validate: false,
    }
    const made = await api.ask('POST', SOURCES, { body: given })
    const path = `${SOURCES}/${made.body.id}`
    const got = await api.ask('GET', path)
    const put = await api.ask('PUT', path, { body: { ...got.body, label: 'Trip' } })
    assert.equal(put.status, 200)
    assert.deepEqual(put.body, { ...got.body, label: 'Trip' })
  })

  it('PUT sets missing fields to their defaults, but leaves enabled as it is', async () => {
    const given = {
      type: 'rss',
      url: 'https://put.example/feed',
      label: 'L',
      maxFailures: 9,
      enabled: false,
      validate: false,
    }
    const made = await api.ask('POST', SOURCES, { body: given })
    const path = `${SOURCES}/${made.body.id}`
    const put = await api.ask('PUT', path, { body: { type: 'rss', url: given.url } })
    assert.equal(put.body.label, null)
    assert.equal(put.body.maxFailures, null)
    assert.equal(put.body.enabled, false)
    const bare = await api.ask('PUT', path, { body: { label: 'x' } })
    assert.equal(bare.status, 400)
    assert.deepEqual(
      bare.body.errors.map((error: { path: string }) => error.path),
      ['type', 'url'],
    )
  })

  it('PATCH changes the fields it has, and null clears an override', async () => {
    const given = { type: 'rss', url: 'https://patch.example/feed', label: 'L', pollDelaySeconds: 7, validate: false }
    const made = await api.ask('POST', SOURCES, { body: given })
    const path = `${SOURCES}/${made.body.id}`
    const patched = await api.ask('PATCH', path, { body: { pollDelaySeconds: null, pollIntervalMinutes: 5 } })
    assert.equal(patched.body.pollDelaySeconds, null)
    assert.equal(patched.body.pollIntervalMinutes, 5)
    assert.equal(patched.body.label, 'L')
    const back = await api.ask('PATCH', path, { body: { pollIntervalMinutes: null } })
    assert.equal(back.body.pollIntervalMinutes, 30)
  })

  it('a deleted source is gone', async () => {
    const made = await api.ask('POST', SOURCES, {
      body: { type: 'rss', url: 'https://gone.example/', validate: false },
    })
    const path = `${SOURCES}/${made.body.id}`
    assert.equal((await api.ask('DELETE', path)).status, 204)
    const told = await api.ask('GET', path)
    assert.equal(told.status, 404)
    assert.equal(told.body.code, 'not-found')
    assert.equal((await api.ask('DELETE', path)).status, 404)
  })

  it('a list is filtered by host in any spelling, and by lane', async () => {
    const { body: podcast } = await api.ask('POST', '/api/users/default/podcasts', { body: { name: 'Hosts' } })
    const list = `/api/users/default/podcasts/${podcast.id}/sources`
    const add = (type: string, url: string) =>
      api.ask('POST', list, { body: { type, url, label: type, validate: false } })
    await add('rss', 'https://xn--bcher-kva.example/feed')
    await add('twitter', '@tidings')
    for (const [host, expected] of [
      ['Bücher.example', ['rss']],
      ['BÜCHER.EXAMPLE.', ['rss']],
      ['xn--bcher-kva.example', ['rss']],
      ['x:default', ['twitter']],
      ['x.com', ['twitter']],
      ['x:other', []],
    ] as const) {
      const told = await api.ask('GET', `${list}?host=${encodeURIComponent(host)}`)
      assert.deepEqual(
        told.body.items.map((source: { label: string }) => source.label),
        expected,
        host,
      )
    }
  })

  it('lists are paged to their end and filtered', async () => {
    const { body: podcast } = await api.ask('POST', '/api/users/default/podcasts', { body: { name: 'Paged' } })
    const list = `/api/users/default/podcasts/${podcast.id}/sources`
    for (const n of [1, 2, 3, 4, 5]) {
      const url = n === 5 ? 'https://other.example/5' : `https://paged.example/${n}`
      await api.ask('POST', list, {
        body: { type: n === 4 ? 'website' : 'rss', url, label: `No ${n}`, enabled: n !== 3, validate: false },
      })
    }
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const told = await api.ask('GET', `${list}?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      seen.push(...told.body.items.map((source: { label: string }) => source.label))
      cursor = told.body.nextCursor
    } while (cursor !== null)
    assert.deepEqual(seen.toSorted(), ['No 1', 'No 2', 'No 3', 'No 4', 'No 5'])
    const labels = async (query: string) => {
      const told = await api.ask('GET', `${list}?${query}`)
      return told.body.items.map((source: { label: string }) => source.label)
    }
    assert.deepEqual(await labels('type=website'), ['No 4'])
    assert.deepEqual(await labels('host=OTHER.example'), ['No 5'])
    assert.deepEqual(await labels('health=disabled'), ['No 3'])
    assert.deepEqual(await labels('q=no%202'), ['No 2'])
    assert.deepEqual(await labels('url=https://other.example/5%23top'), ['No 5'])
  })

  for (const [query, path] of [
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['limit=many', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['health=sick', 'health'],
    ['type=atom', 'type'],
    ['helth=ok', 'helth'],
  ] as const) {
    it(`a list asked with ${query} names ${path} as wrong`, async () => {
      const told = await api.ask('GET', `${SOURCES}?${query}`)
      assert.equal(told.status, 400)
      assert.deepEqual(
        told.body.errors.map((error: { path: string }) => error.path),
        [path],
      )
    })
  }
})
