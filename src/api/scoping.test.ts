// Another person's things do not exist: for every route, with another user's token, the same answer as for no such thing.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startApi, type TestApi } from '../../test/support/api.ts'

const SETTINGS = { type: 'rss', url: 'https://a.example/feed' }
const ROUTES: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['GET', '/api/users/:user'],
  ['PUT', '/api/users/:user', { name: 'Mine now' }],
  ['DELETE', '/api/users/:user'],
  ['GET', '/api/users/:user/tokens'],
  ['POST', '/api/users/:user/tokens', { name: 'stolen' }],
  ['DELETE', '/api/users/:user/tokens/:token'],
  ['PUT', '/api/users/:user/keys/x', { apiKey: 'k' }],
  ['GET', '/api/users/:user/keys/x'],
  ['DELETE', '/api/users/:user/keys/x'],
  ['GET', '/api/users/:user/podcasts'],
  ['POST', '/api/users/:user/podcasts', { name: 'x' }],
  ['GET', '/api/users/:user/podcasts/:podcast'],
  ['PUT', '/api/users/:user/podcasts/:podcast', { name: 'x' }],
  ['PATCH', '/api/users/:user/podcasts/:podcast', { name: 'x' }],
  ['DELETE', '/api/users/:user/podcasts/:podcast'],
  ['GET', '/api/users/:user/podcasts/:podcast/sources'],
  ['POST', '/api/users/:user/podcasts/:podcast/sources', { ...SETTINGS, url: 'https://b.example/' }],
  ['POST', '/api/users/:user/podcasts/:podcast/sources/import', [{ url: 'https://c.example/' }]],
  ['GET', '/api/users/:user/podcasts/:podcast/sources.opml'],
  ['GET', '/api/users/:user/podcasts/:podcast/sources.json'],
  ['GET', '/api/users/:user/podcasts/:podcast/sources/:source'],
  ['PUT', '/api/users/:user/podcasts/:podcast/sources/:source', SETTINGS],
  ['PATCH', '/api/users/:user/podcasts/:podcast/sources/:source', { label: 'x' }],
  ['DELETE', '/api/users/:user/podcasts/:podcast/sources/:source'],
  ['POST', '/api/users/:user/podcasts/:podcast/sources/:source/poll'],
  ['GET', '/api/users/:user/podcasts/:podcast/sources/:source/polls'],
  ['GET', '/api/users/:user/podcasts/:podcast/sources/:source/why'],
  ['GET', '/api/users/:user/podcasts/:podcast/posts'],
  ['GET', '/api/users/:user/podcasts/:podcast/posts?after=0'],
  ['GET', '/api/users/:user/podcasts/:podcast/articles'],
  ['POST', '/api/users/:user/podcasts/:podcast/articles/processed', { ids: [] }],
  ['POST', '/api/users/:user/podcasts/:podcast/articles/unprocessed', { ids: [] }],
  ['GET', '/api/hosts/a.example'],
]

describe('rights', () => {
  let api: TestApi
  let ann: Owner
  let bob: Owner
  let admin: string

  interface Owner {
    ids: Record<string, string>
    token: string
  }

  async function owner(name: string, url: string): Promise<Owner> {
    const user = await api.catalogue.users.create({ name })
    const { token, id } = await api.catalogue.tokens.create(user.id, { name: 'mine' })
    const podcast = await api.catalogue.podcasts.create(user.id, { name: 'Mine' })
    const source = await api.catalogue.sources.create(podcast.id, { type: 'rss', url })
    return { token, ids: { user: user.id, podcast: podcast.id, source: source.id, token: id } }
  }

  const filled = (path: string, ids: Record<string, string>) => path.replace(/:(\w+)/g, (_, name) => ids[name] ?? '?')

  before(async () => {
    api = await startApi({ config: { server: { auth: 'required' } } })
    ann = await owner('Ann', SETTINGS.url)
    bob = await owner('Bob', 'https://bob.example/feed')
    admin = (await api.catalogue.tokens.create('default', { name: 'admin', admin: true })).token
  })
  after(() => api.close())

  for (const [method, path, body] of ROUTES) {
    it(`${method} ${path} of somebody else answers as if it did not exist`, async () => {
      const asked = { token: bob.token, ...(body === undefined ? {} : { body }) }
      const theirs = await api.ask(method, filled(path, ann.ids), asked)
      const nobodys = await api.ask(
        method,
        filled(path.replace('a.example', 'no.example'), { user: 'no', podcast: 'no', source: 'no', token: 'no' }),
        asked,
      )
      assert.equal(theirs.status, 404)
      assert.equal(theirs.text, nobodys.text)
      assert.equal(theirs.body.code, 'not-found')
    })
  }

  for (const [method, path, body] of ROUTES.filter(([, path]) => path.includes(':podcast'))) {
    it(`${method} ${path} through one's own user does not reach somebody else's`, async () => {
      const mixed = [
        { ...ann.ids, user: bob.ids.user ?? '' },
        { ...bob.ids, source: ann.ids.source ?? '' },
      ]
      for (const ids of path.includes(':source') ? mixed : mixed.slice(0, 1)) {
        const asked = { token: bob.token, ...(body === undefined ? {} : { body }) }
        assert.equal((await api.ask(method, filled(path, ids), asked)).status, 404)
      }
    })
  }

  it('nothing of the above changed anything', async () => {
    const { items } = await api.catalogue.sources.list(ann.ids.podcast)
    assert.deepEqual(
      items.map((source) => [source.url, source.label]),
      [[SETTINGS.url, null]],
    )
    assert.equal((await api.catalogue.users.get(ann.ids.user ?? '')).name, 'Ann')
  })

  it('a person reaches the own things, an admin everybody’s', async () => {
    for (const token of [ann.token, admin]) {
      for (const [method, path] of ROUTES.filter(([method]) => method === 'GET')) {
        assert.equal((await api.ask(method, filled(path, ann.ids), { token })).status, 200, path)
      }
    }
  })

  it('lists show the own things only', async () => {
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

  it('a source can be moved between own podcasts only', async () => {
    const path = filled('/api/users/:user/podcasts/:podcast/sources/:source', bob.ids)
    const told = await api.ask('PATCH', path, { token: bob.token, body: { podcastId: ann.ids.podcast } })
    assert.equal(told.status, 404)
    const second = await api.catalogue.podcasts.create(bob.ids.user ?? '', { name: 'Second' })
    assert.equal((await api.ask('PATCH', path, { token: bob.token, body: { podcastId: second.id } })).status, 200)
    await api.catalogue.sources.update(bob.ids.source ?? '', { podcastId: bob.ids.podcast ?? '' })
  })

  it('addresses given by a user are not trusted, those of an admin are', async () => {
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
