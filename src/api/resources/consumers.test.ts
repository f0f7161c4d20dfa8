// The consumer's side of the API: articles on demand, cursors, webhooks, and posts by words and label.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startApi, type TestApi } from '../../../test/support/api.ts'
import { candidate, putPosts } from '../../../test/support/posts.ts'
import { EVENT_TYPES } from '../../domain/event.ts'
import type { Candidate } from '../../domain/post.ts'

const PODCAST = '/api/users/default/podcasts/default'
const HOOKS = '/api/users/default/webhooks'
const SECRET = `whsec_${Buffer.alloc(24, 9).toString('base64')}`

async function addSource(api: TestApi, url: string, posts: readonly Candidate[], settings = {}): Promise<string> {
  const { id } = await api.catalogue.sources.create('default', { type: 'rss', url, ...settings })
  await putPosts(api.store, id, posts, api.clock.now())
  return id
}

const paths = (told: { body: { errors: { path: string }[] } }) => told.body.errors.map(({ path }) => path)

describe('articles', () => {
  it('are created on demand, listed by state and shown with their posts', async () => {
    await using api = await startApi()
    const sourceId = await addSource(api, 'https://a.example/feed', [candidate('A'), candidate('B')])
    const told = await api.ask('POST', `${PODCAST}/articles`, { body: {} })
    assert.equal(told.status, 200)
    assert.deepEqual(Object.keys(told.body), ['created', 'waiting'])
    const [a, b] = told.body.created
    const { id, postIds, contentHash, ...rest } = a
    assert.deepEqual(rest, {
      ...{
        sourceId,
        title: 'A',
        body: 'About A',
        url: 'https://posts.example/A',
        author: null,
        isProcessed: false,
        processedAt: null,
      },
      ...{ publishedAt: '2026-02-17T10:00:00.000Z', createdAt: '2026-02-17T10:00:00.000Z' },
    })
    assert.equal(contentHash, candidate('A').contentHash)
    assert.deepEqual((await api.ask('POST', `${PODCAST}/articles`)).body, { created: [], waiting: 0 })

    const one = await api.ask('GET', `${PODCAST}/articles/${id}`)
    assert.deepEqual(
      one.body.posts.map((post: { id: string; title: string }) => [post.id, post.title]),
      [[postIds[0], 'A']],
    )
    const list = async (query: string) =>
      (await api.ask('GET', `${PODCAST}/articles?${query}`)).body.items.map(({ title }: { title: string }) => title)
    assert.deepEqual(await list(''), ['B', 'A'])
    assert.deepEqual((await api.ask('POST', `${PODCAST}/articles/processed`, { body: { ids: [id] } })).body, {
      updated: 1,
    })
    assert.deepEqual([await list('processed=true'), await list('processed=false')], [['A'], ['B']])
    const mixed = await api.ask('POST', `${PODCAST}/articles/processed`, { body: { ids: [b.id, '999'] } })
    assert.equal(mixed.status, 404)
    assert.deepEqual(await list('processed=false'), ['B'])
    await api.ask('POST', `${PODCAST}/articles/unprocessed`, { body: { ids: [id] } })
    assert.deepEqual(await list('processed=false'), ['B', 'A'])
    for (const unknown of ['999', 'x']) {
      assert.equal((await api.ask('GET', `${PODCAST}/articles/${unknown}`)).status, 404)
    }
  })

  it('are created for a time window, and again on request', async () => {
    await using api = await startApi()
    await addSource(api, 'https://a.example/feed', [candidate('Old')])
    await api.clock.advance(2 * 24 * 3_600_000)
    await addSource(api, 'https://b.example/feed', [candidate('New')])
    const titles = async (body: unknown) =>
      (await api.ask('POST', `${PODCAST}/articles`, { body })).body.created.map(({ title }: { title: string }) => title)
    assert.deepEqual(await titles({ windowDays: 1 }), ['New'])
    assert.deepEqual(await titles({}), ['Old'])
    const { items } = (await api.ask('GET', `${PODCAST}/posts`)).body
    assert.deepEqual(await titles({ reprocessPostIds: [items[0].id] }), ['New'])
  })

  it('are never created from posts that clean-up would remove at once, however wide the window', async () => {
    await using api = await startApi()
    const { clock } = api
    await clock.advance(4 * 24 * 3_600_000)
    await api.ask('PATCH', PODCAST, { body: { maxArticleAgeDays: 1 } })
    const edge = candidate('Edge', { publishedAt: clock.now() - 24 * 3_600_000 })
    const undated = candidate('Undated', { publishedAt: null })
    await addSource(api, 'https://a.example/feed', [candidate('Over-age'), edge, undated])
    const { created } = (await api.ask('POST', `${PODCAST}/articles`, { body: { windowDays: 30 } })).body
    const limits = { now: clock.now(), maxArticleAgeDays: 7, pollHistoryDays: 30, batch: 100 }
    assert.equal((await api.store.cleanUp(limits)).articles, 0)
    assert.deepEqual(created.map(({ title }: { title: string }) => title).sort(), ['Edge', 'Undated'])
  })

  it('a wrong request names the field and changes nothing', async () => {
    await using api = await startApi()
    await addSource(api, 'https://a.example/feed', [candidate('A')])
    for (const [body, path] of [
      [{ windowDays: 0 }, 'windowDays'],
      [{ windowDays: 'week' }, 'windowDays'],
      [{ reprocessPostIds: '1' }, 'reprocessPostIds'],
      [{ days: 1 }, 'days'],
    ] as const) {
      const told = await api.ask('POST', `${PODCAST}/articles`, { body })
      assert.deepEqual([told.status, paths(told)], [400, [path]])
    }
    assert.equal((await api.ask('POST', `${PODCAST}/articles`, { body: { reprocessPostIds: ['7'] } })).status, 404)
    assert.equal((await api.ask('GET', `${PODCAST}/posts?unlinked=true`)).body.items.length, 1)
  })
})

describe('posts', () => {
  it('are found by words, source and label', async () => {
    await using api = await startApi()
    const posts = [candidate('Rust', { body: 'about crabs' }), candidate('Go', { body: 'about gophers' })]
    const id = await addSource(api, 'https://a.example/feed', posts, { label: 'Languages' })
    await addSource(api, 'https://b.example/feed', [candidate('Tea', { body: 'about leaves' })])
    const titles = async (query: string) =>
      (await api.ask('GET', `${PODCAST}/posts?${query}`)).body.items.map(({ title }: { title: string }) => title)
    assert.deepEqual(await titles('q=about'), ['Tea', 'Go', 'Rust'])
    assert.deepEqual(await titles('q=about+CRABS'), ['Rust'])
    assert.deepEqual(await titles('label=Languages'), ['Go', 'Rust'])
    assert.deepEqual(await titles('label=Languages&q=gophers'), ['Go'])
    assert.deepEqual(await titles(`source=${id}&q=leaves`), [])
    assert.deepEqual(await titles('label=languages'), [])
  })

  it('are found by the language they state', async () => {
    await using api = await startApi()
    const posts = [
      ...[candidate('Hello', { language: 'en' }), candidate('Colour', { language: 'en-GB' })],
      ...[candidate('Olá', { language: 'pt-BR' }), candidate('Filipino', { language: 'fil' }), candidate('None')],
    ]
    await addSource(api, 'https://a.example/feed', posts)
    const titles = async (query: string) =>
      (await api.ask('GET', `${PODCAST}/posts?${query}`)).body.items.map(({ title }: { title: string }) => title)
    assert.deepEqual(await titles('language=EN'), ['Colour', 'Hello'])
    assert.deepEqual(await titles('language=en-gb'), ['Colour'])
    assert.deepEqual(await titles('language=fi'), [])
    assert.deepEqual(await titles('language=fil&after=0'), ['Filipino'])
    assert.deepEqual(await titles('language=pt&q=about'), ['Olá'])
    const told = await api.ask('GET', `${PODCAST}/posts?language=no+language`)
    assert.deepEqual([told.status, paths(told)], [400, ['language']])
  })
})

describe('cursors', () => {
  it('store a position, count the posts after it, and can be deleted', async () => {
    await using api = await startApi()
    await addSource(api, 'https://a.example/feed', [candidate('A'), candidate('B'), candidate('C')])
    const path = `${PODCAST}/cursors/daily briefing`.replace(' ', '%20')
    assert.equal((await api.ask('GET', path)).status, 404)
    const zero = await api.ask('PUT', path, { body: { position: '0' } })
    assert.deepEqual(zero.body, { name: 'daily briefing', position: '0', behind: 3, gap: false })
    const { body: followed } = await api.ask('GET', `${PODCAST}/posts?after=0&limit=2`)
    const put = await api.ask('PUT', path, { body: { ...zero.body, position: followed.position } })
    assert.deepEqual([put.status, put.body.behind], [200, 1])
    assert.deepEqual((await api.ask('GET', path)).body, put.body)
    assert.equal((await api.ask('DELETE', path)).status, 204)
    assert.equal((await api.ask('DELETE', path)).status, 404)
  })

  it('have the same name for every method of the same path', async () => {
    await using api = await startApi()
    for (const given of ['%20sp%20', 'a%2Fb', 'd%C3%A9j%C3%A0']) {
      const path = `${PODCAST}/cursors/${given}`
      const put = await api.ask('PUT', path, { body: { position: '0' } })
      assert.deepEqual([put.status, put.body.name], [200, decodeURIComponent(given).trim()])
      assert.deepEqual((await api.ask('GET', path)).body, put.body)
      assert.equal((await api.ask('DELETE', path)).status, 204)
      assert.equal((await api.ask('GET', path)).status, 404)
    }
    for (const none of ['%20', 'n'.repeat(201)]) {
      assert.equal((await api.ask('GET', `${PODCAST}/cursors/${none}`)).status, 404)
      assert.equal((await api.ask('DELETE', `${PODCAST}/cursors/${none}`)).status, 404)
    }
  })

  it('refuse an invalid position', async () => {
    await using api = await startApi()
    for (const position of ['x', '-1', '', 5, null, '1', '99999999999999999999']) {
      const told = await api.ask('PUT', `${PODCAST}/cursors/c`, { body: { position } })
      assert.deepEqual([told.status, paths(told)], [400, ['position']], `${position}`)
    }
    const long = await api.ask('PUT', `${PODCAST}/cursors/${'n'.repeat(201)}`, { body: { position: '0' } })
    assert.deepEqual([long.status, paths(long)], [400, ['name']])
    assert.equal((await api.ask('GET', `${PODCAST}/cursors/c`)).status, 404)
  })
})

describe('webhooks', () => {
  it('are created with a given secret that is never shown, or with a generated one that is shown once', async () => {
    await using api = await startApi()
    const given = await api.ask('POST', HOOKS, {
      body: { url: 'https://receiver.example/hook', types: ['posts.created'], secret: SECRET },
    })
    assert.equal(given.status, 201)
    const { id, ...rest } = given.body
    assert.deepEqual(rest, {
      ...{ url: 'https://receiver.example/hook', types: ['posts.created'], createdAt: '2026-02-17T10:00:00.000Z' },
      ...{ includePosts: false, disabledAt: null, disabledReason: null, pending: 0, deadLetters: 0 },
    })
    const made = await api.ask('POST', HOOKS, { body: { url: 'http://receiver.example/' } })
    assert.match(made.body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(made.body.types, EVENT_TYPES)
    const listed = await api.ask('GET', HOOKS)
    assert.deepEqual(
      listed.body.items.map((hook: { id: string }) => hook.id),
      [id, made.body.id],
    )
    assert.deepEqual((await api.ask('GET', `${HOOKS}/${id}`)).body, given.body)
    assert.doesNotMatch(listed.text, /whsec/)
    const sealed = await api.store.getSecret('webhook', id, 'signing')
    assert.ok(sealed && !sealed.sealed.includes(SECRET.slice(6)))
    assert.deepEqual((await api.ask('GET', `${HOOKS}/${id}/dead-letters`)).body, { items: [], nextCursor: null })
    assert.deepEqual((await api.ask('POST', `${HOOKS}/${id}/dead-letters/replay`)).body, { replayed: 0 })
    const unknown = await api.ask('POST', `${HOOKS}/${id}/dead-letters/replay`, { body: { ids: ['1'] } })
    assert.equal(unknown.status, 404)
    assert.equal((await api.ask('DELETE', `${HOOKS}/${id}`)).status, 204)
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/dead-letters'],
      ['POST', '/dead-letters/replay'],
    ] as const) {
      assert.equal((await api.ask(method, `${HOOKS}/${id}${path}`)).status, 404)
    }
  })

  it('a wrong request names the field and never repeats a secret', async () => {
    await using api = await startApi()
    const url = 'https://receiver.example/'
    const bytes = (count: number) => `whsec_${Buffer.alloc(count, 5).toString('base64')}`
    for (const [body, path] of [
      [{}, 'url'],
      [{ url: 'receiver.example' }, 'url'],
      [{ url: 'ftp://receiver.example/' }, 'url'],
      [{ url: 'https://me:hush@receiver.example/' }, 'url'],
      [{ url: `https://receiver.example/${'x'.repeat(2000)}` }, 'url'],
      [{ url, types: [] }, 'types'],
      [{ url, types: ['poll.started'] }, 'types.0'],
      [{ url, types: 'posts.created' }, 'types'],
      [{ url, secret: 'hush hush' }, 'secret'],
      [{ url, secret: bytes(23) }, 'secret'],
      [{ url, secret: bytes(65) }, 'secret'],
      [{ url, secret: bytes(23).slice(6) }, 'secret'],
      [{ url, secret: bytes(65).slice(6) }, 'secret'],
      [{ url, secret: bytes(32).slice(6, -1) }, 'secret'],
      [{ url, secret: `WHSEC_${bytes(32).slice(6)}` }, 'secret'],
      [{ url, secret: 'whsec_' }, 'secret'],
      [{ url, colour: 'red' }, 'colour'],
    ] as const) {
      const told = await api.ask('POST', HOOKS, { body })
      assert.deepEqual([told.status, paths(told)], [400, [path]], JSON.stringify(body))
      assert.doesNotMatch(told.text, /hush|BQUF/)
      if (path === 'secret') assert.match(told.text, /expected 24 to 64 bytes in base64/)
    }
    assert.deepEqual((await api.ask('GET', HOOKS)).body.items, [])
  })

  it('may use private addresses only if created with admin rights', async () => {
    await using api = await startApi({ config: { server: { auth: 'required' } } })
    const bob = await api.catalogue.users.create({ name: 'Bob' })
    const { token } = await api.catalogue.tokens.create(bob.id, { name: 't' })
    const admin = (await api.catalogue.tokens.create('default', { name: 'a', admin: true })).token
    for (const [by, trusted] of [
      [token, false],
      [admin, true],
    ] as const) {
      const made = await api.ask('POST', `/api/users/${bob.id}/webhooks`, {
        token: by,
        body: { url: 'http://10.0.0.1/' },
      })
      assert.equal((await api.store.getWebhook(bob.id, made.body.id))?.trusted, trusted)
    }
  })
})
