// Another person's things do not exist: for every route, with another user's token, the same answer as for no such thing.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startApi, type TestApi } from '../../../test/support/api.ts'

const SETTINGS = { type: 'rss', url: 'https://a.example/feed' }
/** What is sent where a body is needed; every other route is asked without one. */
const BODIES: Readonly<Record<string, unknown>> = {
  'PUT /api/users/:user': { name: 'Mine now' },
  'POST /api/users/:user/tokens': { name: 'stolen' },
  'PUT /api/users/:user/keys/:provider': { apiKey: 'k' },
  'POST /api/users/:user/podcasts': { name: 'x' },
  'PUT /api/users/:user/podcasts/:podcast': { name: 'x' },
  'PATCH /api/users/:user/podcasts/:podcast': { name: 'x' },
  'POST /api/users/:user/podcasts/:podcast/sources': { ...SETTINGS, url: 'https://b.example/' },
  'POST /api/users/:user/podcasts/:podcast/sources/import': [{ url: 'https://c.example/' }],
  'PUT /api/users/:user/podcasts/:podcast/sources/:source': SETTINGS,
  'PATCH /api/users/:user/podcasts/:podcast/sources/:source': { label: 'x' },
  'PUT /api/users/:user/podcasts/:podcast/cursors/:name': { position: '0' },
  'POST /api/users/:user/webhooks': { url: 'https://receiver.example/' },
  'POST /api/users/:user/podcasts/:podcast/articles/processed': { ids: [] },
  'POST /api/users/:user/podcasts/:podcast/articles/unprocessed': { ids: [] },
}

type Asking = readonly [method: string, path: string, body?: unknown]

/** Every path that belongs to a user, from the description: a new one is tested without being listed here. */
async function routesOfUsers(api: TestApi): Promise<Asking[]> {
  const { body } = await api.ask('GET', '/openapi.json')
  const paths = Object.entries<object>(body.paths).filter(([path]) => path.includes('{user}'))
  return paths.flatMap(([template, byMethod]) => {
    const path = template.replace(/\{(\w+)\}/g, ':$1')
    return Object.keys(byMethod).map((method) => {
      const upper = method.toUpperCase()
      return [upper, path, BODIES[`${upper} ${path}`]] as const
    })
  })
}

describe('rights', () => {
  let api: TestApi
  let ann: Owner
  let bob: Owner
  let admin: string
  let routes: Asking[]

  interface Owner {
    ids: Record<string, string>
    token: string
  }

  async function owner(name: string, url: string): Promise<Owner> {
    const user = await api.catalogue.users.create({ name })
    const { token, id } = await api.catalogue.tokens.create(user.id, { name: 'mine' })
    const podcast = await api.catalogue.podcasts.create(user.id, { name: 'Mine' })
    const source = await api.catalogue.sources.create(podcast.id, { type: 'rss', url })
    const webhook = await api.catalogue.webhooks.create(user.id, { url: 'https://receiver.example/' })
    const { name: cursor } = await api.catalogue.cursors.put(podcast.id, 'briefing', { position: '0' })
    const ids = { user: user.id, podcast: podcast.id, source: source.id, token: id, provider: 'x' }
    return { token, ids: { ...ids, webhook: webhook.id, name: cursor } }
  }

  const filled = (path: string, ids: Record<string, string>) =>
    path.replace(/:(\w+)/g, (_, name) => ids[name] ?? 'none')

  before(async () => {
    api = await startApi({ config: { server: { auth: 'required' } } })
    ann = await owner('Ann', SETTINGS.url)
    bob = await owner('Bob', 'https://bob.example/feed')
    routes = [...(await routesOfUsers(api)), ['GET', '/api/hosts/a.example']]
    admin = (await api.catalogue.tokens.create('default', { name: 'admin', admin: true })).token
  })
  after(() => api.close())

  const asked = (body: unknown) => ({ token: bob.token, ...(body === undefined ? {} : { body }) })

  it('every path of another user answers as if it did not exist', async () => {
    assert.ok(routes.length > 30)
    const nobody = { user: 'no', podcast: 'no', source: 'no', token: 'no', provider: 'x', webhook: 'no', name: 'no' }
    for (const [method, path, body] of routes) {
      const theirs = await api.ask(method, filled(path, ann.ids), asked(body))
      const nobodys = await api.ask(method, filled(path.replace('a.example', 'no.example'), nobody), asked(body))
      assert.equal(theirs.status, 404, `${method} ${path}`)
      assert.equal(theirs.body.code, 'not-found')
      assert.equal(theirs.text, nobodys.text)
    }
  })

  it("no path through the caller's own user or podcast reaches something of another user", async () => {
    for (const [method, path, body] of routes.filter(([, path]) => path.includes(':podcast'))) {
      const mixed = [{ ...ann.ids, user: bob.ids.user ?? '' }]
      if (path.includes(':source')) mixed.push({ ...bob.ids, source: ann.ids.source ?? '' } as never)
      for (const ids of mixed) {
        assert.equal((await api.ask(method, filled(path, ids), asked(body))).status, 404, `${method} ${path}`)
      }
    }
  })

  it('none of these requests changed anything', async () => {
    const { items } = await api.catalogue.sources.list(ann.ids.podcast)
    assert.deepEqual(
      items.map((source) => [source.url, source.label]),
      [[SETTINGS.url, null]],
    )
    assert.equal((await api.catalogue.users.get(ann.ids.user ?? '')).name, 'Ann')
  })

  it('a user finds their own things, an admin those of all users', async () => {
    for (const token of [ann.token, admin]) {
      for (const [method, path] of routes) {
        if (method !== 'GET' || !Object.keys(ann.ids).some((name) => path.endsWith(`:${name}`))) continue
        assert.equal((await api.ask(method, filled(path, ann.ids), { token })).status, 200, path)
      }
    }
  })

  it("lists show the caller's own things only", async () => {
    const users = await api.ask('GET', '/api/users', { token: bob.token })
    assert.deepEqual(
      users.body.items.map((user: { name: string }) => user.name),
      ['Bob'],
    )
    const hosts = await api.ask('GET', '/api/hosts', { token: bob.token })
    assert.deepEqual(
      hosts.body.items.map((host: { host: string }) => host.host),
      ['bob.example'],
    )
    const status = await api.ask('GET', '/api/status', { token: bob.token })
    assert.equal(status.body.totals.sources, 1)
    const all = await api.ask('GET', '/api/status', { token: admin })
    assert.equal(all.body.totals.sources, 2)
  })

  for (const [method, path, body] of [
    ['POST', '/api/users', { name: 'Eve' }],
    ['DELETE', '/api/users/:user', undefined],
    ['POST', '/api/users/:user/tokens', { name: 'more', admin: true }],
    ['POST', '/api/hosts/bob.example/reset', undefined],
    ['GET', '/api/users/:user/podcasts/:podcast/sources.opml?secrets=true', undefined],
    ['GET', '/api/users/:user/podcasts/:podcast/sources.json?secrets=true', undefined],
  ] as const) {
    it(`${method} ${path} needs an admin token`, async () => {
      const told = await api.ask(method, filled(path, bob.ids), { token: bob.token, ...(body ? { body } : {}) })
      assert.equal(told.status, 403)
      assert.equal(told.body.code, 'needs-admin')
    })
  }

  it('a source can be moved only between podcasts of its user', async () => {
    const path = filled('/api/users/:user/podcasts/:podcast/sources/:source', bob.ids)
    const told = await api.ask('PATCH', path, { token: bob.token, body: { podcastId: ann.ids.podcast } })
    assert.equal(told.status, 404)
    const second = await api.catalogue.podcasts.create(bob.ids.user ?? '', { name: 'Second' })
    assert.equal((await api.ask('PATCH', path, { token: bob.token, body: { podcastId: second.id } })).status, 200)
    await api.catalogue.sources.update(bob.ids.source ?? '', { podcastId: bob.ids.podcast ?? '' })
  })

  it('addresses from a user are not trusted, those from an admin are', async () => {
    const path = filled('/api/users/:user/podcasts/:podcast/sources', bob.ids)
    const made = await api.ask('POST', path, { token: bob.token, body: { type: 'rss', url: 'http://10.0.0.1/' } })
    assert.equal((await api.store.getSource(made.body.id))?.trusted, false)
    assert.equal(api.engine.tested.at(-1)?.trusted, false)
    const byAdmin = await api.ask('POST', path, { token: admin, body: { type: 'rss', url: 'http://10.0.0.2/' } })
    assert.equal((await api.store.getSource(byAdmin.body.id))?.trusted, true)
    await api.ask('POST', '/api/preview', { token: bob.token, body: { url: 'http://10.0.0.3/' } })
    assert.equal(api.engine.tested.at(-1)?.trusted, false)
  })
})
