// Another person's things do not exist. Walks every path of the OpenAPI document, so that a route that is added later
// is held to it too: with somebody else's ids and with ids of nothing, status, headers and body are the same bytes.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Told } from '../support/api.ts'
import { type Person, startWholeProduct, type WholeProduct } from '../support/whole-product.ts'

type Ids = Readonly<Record<string, string>>

/** What a route takes, where an empty object would be refused before anybody looks whose thing it is. */
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /api/users/{user}/podcasts/{podcast}/sources/import': 'https://c.example/\n',
  'PUT /api/users/{user}/keys/{provider}': { apiKey: 'k' },
  'POST /api/users/{user}/tokens': { name: 'stolen' },
  'POST /api/users/{user}/podcasts/{podcast}/articles/processed': { ids: [] },
}

describe('every route', async () => {
  let product: WholeProduct
  let ann: Person
  let bob: Person
  let paths: Record<string, Record<string, unknown>>
  let anns: Ids
  let bobs: Ids

  async function idsOf({ id, podcastId, tokenId, sources, token }: Person, url: string): Promise<Ids> {
    const body = { type: 'rss', url, validate: false }
    const { body: source } = await product.ask('POST', sources, { token, body })
    const hook = {
      url: `${url}hook`,
      types: ['posts.created'],
      secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
    }
    const { body: webhook } = await product.ask('POST', `/api/users/${id}/webhooks`, { token, body: hook })
    await product.ask('PUT', `/api/users/${id}/podcasts/${podcastId}/cursors/mine`, { token, body: { position: '0' } })
    return {
      ...{ user: id, podcast: podcastId, token: tokenId, provider: 'x', host: new URL(url).hostname, name: 'mine' },
      ...{ source: source.id, webhook: webhook.id ?? randomUUID() },
    }
  }

  before(async () => {
    product = await startWholeProduct()
    ann = await product.person('Ann')
    bob = await product.person('Bob')
    anns = await idsOf(ann, 'https://ann.example/')
    bobs = await idsOf(bob, 'https://bob.example/')
    paths = (await product.ask('GET', '/openapi.json')).body.paths
  })
  after(() => product[Symbol.asyncDispose]())

  /** Of nothing; where a kind of thing has a name of its own, a name of nothing. */
  const nobodys = (name: string) => (name === 'host' ? 'nowhere.example' : name === 'provider' ? 'x' : randomUUID())

  async function asBob(method: string, path: string, ids: Ids): Promise<Told> {
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name] ?? assert.fail(name)))
    const body = BODIES[`${method} ${path}`] ?? {}
    const asked = method === 'GET' || method === 'DELETE' ? {} : typeof body === 'string' ? { raw: body } : { body }
    const headers = typeof body === 'string' ? { 'content-type': 'text/plain' } : {}
    return product.ask(method, filled, { token: bob.token, ...asked, headers })
  }

  /** All the ways to mix own and other ids: the first `own` names of the path are Bob's, the rest are Ann's. */
  function mixes(path: string): { theirs: Ids; none: Ids; what: string }[] {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => name !== 'provider')
    return names.map((_, own) => {
      const ids = (other: (name: string) => string) =>
        Object.fromEntries(names.map((name, index) => [name, index < own ? (bobs[name] ?? '') : other(name)]))
      const shared = { provider: 'x' }
      return {
        theirs: { ...shared, ...ids((name) => anns[name] ?? '') },
        none: { ...shared, ...ids(nobodys) },
        what: own === 0 ? 'all of it' : `after the own ${names[own - 1]}`,
      }
    })
  }

  test('answers for what belongs to another user exactly as for what does not exist', async () => {
    let compared = 0
    for (const [path, operations] of Object.entries(paths)) {
      for (const method of Object.keys(operations).map((name) => name.toUpperCase())) {
        // A name that one gives oneself is nobody else's: the own podcast's cursor of that name is simply another.
        for (const { theirs, none, what } of mixes(path).filter(
          ({ what }) => what !== 'after the own podcast' || !path.includes('/cursors/'),
        )) {
          const [one, other] = [await asBob(method, path, theirs), await asBob(method, path, none)]
          const route = `${method} ${path}, ${what}`
          assert.equal(one.status, path.endsWith('/reset') ? 403 : 404, `${route} answered ${one.status}: ${one.text}`)
          assert.equal(one.text, other.text, route)
          assert.deepEqual(shown(one), shown(other), route)
          compared += 1
        }
      }
    }
    assert.ok(compared > 50, `only ${compared} were compared`)
  })

  test('and none of it changed anything', async () => {
    const { items } = await product.catalogue.sources.list(ann.podcastId)
    assert.deepEqual(
      items.map(({ url }) => url),
      ['https://ann.example/'],
    )
    assert.equal((await product.catalogue.users.get(ann.id)).name, 'Ann')
    assert.equal((await product.catalogue.tokens.list(ann.id)).items.length, 1)
    assert.equal((await product.ask('GET', ann.sources, { token: ann.token })).status, 200)
    assert.equal((await product.catalogue.keys.status(ann.id, 'x')).configured, false)
  })

  test('ids in a body or query tell as little: where a source moves to, which posts and articles are meant', async () => {
    const source = `${bob.sources}/${bobs.source}`
    const moved = (podcastId?: string) => product.ask('PATCH', source, { token: bob.token, body: { podcastId } })
    assert.equal((await moved(anns.podcast)).text, (await moved(randomUUID())).text)
    const posts = (id?: string) =>
      product.ask('GET', `/api/users/${bob.id}/podcasts/${bob.podcastId}/posts?source=${id}`, { token: bob.token })
    assert.equal((await posts(anns.source)).text, (await posts(randomUUID())).text)
    const why = (lane: string) => product.ask('GET', `/api/hosts/${lane}`, { token: bob.token })
    assert.equal((await why(`x:${ann.id}`)).text, (await why('x:nobody')).text)
  })

  test('without a token nothing is told but that one is needed', async () => {
    for (const [path, operations] of Object.entries(paths)) {
      for (const [name, operation] of Object.entries(operations)) {
        if ((operation as { security?: unknown[] }).security?.length === 0) continue
        const filled = path.replace(/\{(\w+)\}/g, (_, id) => anns[id] ?? '')
        const told = await product.ask(name.toUpperCase(), filled)
        assert.equal(told.status, 401, `${name} ${path}`)
        assert.equal(told.body.code, 'unauthorized')
      }
    }
  })
})

/** Headers that could tell the two apart. */
function shown({ headers }: Told) {
  const { date: _date, ...others } = headers
  return others
}
