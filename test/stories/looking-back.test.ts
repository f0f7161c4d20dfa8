// What people see of polls that are over, and what they do to many sources at once, with the rights that they have.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Person, startWholeProduct, type WholeProduct } from '../support/whole-product.ts'
import { DAY, HOUR, TEST_START } from '../support/world.ts'

const LOOPBACK = { http: { allowPrivateNetworks: ['127.0.0.0/8'] } }

async function addPolled(product: WholeProduct, person: Person, url: string): Promise<string> {
  const admin = await product.admin()
  const made = await product.ask('POST', person.sources, { token: admin, body: { type: 'rss', url, backfillDays: 9 } })
  assert.equal(made.status, 201, made.text)
  const polled = await product.ask('POST', `${person.sources}/${made.body.id}/poll?wait=true`, { token: admin })
  assert.equal(polled.status, 200, polled.text)
  return made.body.id
}

async function feedAt(host: string) {
  const origin = await startOrigin({ host })
  origin.route('/feed', { body: rss([{ title: 'One', guid: '1' }]) })
  origin.route('/other', { body: rss([]) })
  return origin
}

describe('polls that are over', () => {
  test('/days and /activity have every day and hour, oldest first, and only what the caller may see', async () => {
    await using product = await startWholeProduct({ config: LOOPBACK })
    await using origin = await feedAt('127.0.0.21')
    const [ann, bob] = [await product.person('Ann'), await product.person('Bob')]
    const id = await addPolled(product, ann, `${origin.url}/feed`)
    await addPolled(product, bob, `${origin.url}/feed`)

    const days = await product.ask('GET', `${ann.sources}/${id}/days?days=3`, { token: ann.token })
    assert.deepEqual(
      days.body.items.map(({ at, polls, created }: Record<string, unknown>) => [at, polls, created]),
      [2, 1, 0].map((ago) => [dayOf(TEST_START - ago * DAY), ago === 0 ? 1 : 0, ago === 0 ? 1 : 0]),
    )
    assert.equal((await product.ask('GET', `${ann.sources}/${id}/days`, { token: ann.token })).body.items.length, 30)
    assert.equal((await product.ask('GET', `${ann.sources}/${id}/days`, { token: bob.token })).status, 404)

    const last = async (token: string, query = '') => {
      const told = await product.ask('GET', `/api/activity?hours=5${query}`, { token })
      assert.equal(told.status, 200, told.text)
      assert.equal(told.body.items.length, 5)
      assert.equal(told.body.items[0].at, hourOf(TEST_START - 4 * HOUR))
      assert.deepEqual(Object.keys(told.body.items[0]), ['at', 'polls', 'failures', 'notModified', 'created', 'bytes'])
      return told.body.items.at(-1).polls
    }
    const sources = async (token: string, query = '') =>
      (await product.ask('GET', `/api/status${query}`, { token })).body.totals?.sources
    const admin = await product.admin()
    assert.deepEqual([await sources(admin), await sources(admin, `?podcast=${ann.podcastId}`)], [2, 1])
    assert.equal(await sources(ann.token, `?podcast=${bob.podcastId}`), undefined)
    assert.deepEqual(await Promise.all([last(ann.token), last(await product.admin())]), [1, 2])
    assert.equal(await last(ann.token, `&podcast=${ann.podcastId}`), 1)
    assert.equal((await product.ask('GET', '/api/activity', { token: ann.token })).body.items.length, 72)
    const foreign = await product.ask('GET', `/api/activity?podcast=${bob.podcastId}`, { token: ann.token })
    assert.equal(foreign.status, 404)
    assert.equal((await product.ask('GET', '/api/activity?hours=0', { token: ann.token })).status, 400)
  })

  test('/polls lists the polls of own sources with URL and host, and filters them', async () => {
    await using product = await startWholeProduct({ config: LOOPBACK })
    await using origin = await feedAt('127.0.0.22')
    const [ann, bob] = [await product.person('Ann'), await product.person('Bob')]
    const id = await addPolled(product, ann, `${origin.url}/feed`)
    await addPolled(product, bob, `${origin.url}/other`)
    const list = async (token: string, query: string) => {
      const told = await product.ask('GET', `/api/polls?${query}`, { token })
      assert.equal(told.status, 200, told.text)
      return told.body.items.map(({ url, host }: Record<string, string>) => `${host} ${new URL(url ?? '').pathname}`)
    }
    const [own, other] = ['127.0.0.22 /feed', '127.0.0.22 /other']
    const admin = await product.admin()
    assert.deepEqual((await list(admin, '')).toSorted(), [own, other])
    assert.deepEqual(await list(ann.token, ''), [own])
    assert.deepEqual(await list(bob.token, 'host=127.0.0.22'), [other])
    assert.deepEqual(await list(bob.token, `source=${id}`), [])
    assert.deepEqual(await list(ann.token, 'outcome=success'), [own])
    assert.deepEqual(await list(ann.token, 'outcome=permanent'), [])
    assert.deepEqual(await list(ann.token, `since=${encodeURIComponent(new Date(TEST_START + 1).toISOString())}`), [])
    assert.equal((await product.ask('GET', '/api/polls?outcome=good', { token: admin })).status, 400)
  })

  test('a source carries title, site and language of its last document, and a list is sorted by them', async () => {
    await using product = await startWholeProduct({ config: LOOPBACK })
    const head = '<title>Zebra &amp; News</title><link>https://zebra.example/</link><language>en_gb</language>'
    const body = `<rss version="2.0"><channel>${head}<item><title>One</title></item></channel></rss>`
    await using origin = await startOrigin({ host: '127.0.0.23' })
    origin.route('/feed', { body })
    const ann = await product.person('Ann')
    const id = await addPolled(product, ann, `${origin.url}/feed`)
    const { body: source } = await product.ask('GET', `${ann.sources}/${id}`, { token: ann.token })
    assert.deepEqual(
      [source.title, source.siteUrl, source.language, source.label],
      ['Zebra & News', 'https://zebra.example/', 'en-GB', null],
    )
    const create = (label: string) =>
      product.catalogue.sources.create(ann.podcastId, { type: 'rss', url: `${origin.url}/${label}`, label })
    await create('Yak')
    await create('zzz')
    const names = async (query: string) =>
      (await product.ask('GET', `${ann.sources}?${query}`, { token: ann.token })).body.items.map(
        ({ label, title }: Record<string, string | null>) => label ?? title,
      )
    assert.deepEqual(await names('sort=title'), ['Yak', 'Zebra & News', 'zzz'])
    assert.deepEqual(await names('sort=-title'), ['zzz', 'Zebra & News', 'Yak'])
    assert.deepEqual(await names('sort=-postCount&limit=1'), ['Zebra & News'])
    assert.deepEqual(await names('q=zebra'), ['Zebra & News'])
    const wrong = await product.ask('GET', `${ann.sources}?sort=name`, { token: ann.token })
    assert.deepEqual([wrong.status, wrong.body.errors[0].path], [400, 'sort'])
  })
})

describe('many sources at once', () => {
  async function filled() {
    const product = await startWholeProduct({ config: LOOPBACK })
    const ann = await product.person('Ann')
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) {
      const { id } = await product.catalogue.sources.create(ann.podcastId, {
        ...{ type: 'rss', url: `http://127.0.0.24:1/${name}`, label: name },
      })
      ids.push(id)
    }
    const bulk = (body: unknown, token = ann.token) => product.ask('POST', `${ann.sources}/bulk`, { token, body })
    return { product, ann, ids, bulk, [Symbol.asyncDispose]: () => product[Symbol.asyncDispose]() }
  }

  test('are disabled, enabled, changed, moved and removed; what cannot be is told', async () => {
    await using world = await filled()
    const { product, ann, ids, bulk } = world
    const sources = async () => (await product.catalogue.sources.list(ann.podcastId)).items
    assert.deepEqual((await bulk({ ids: [ids[0], ids[1], 'nothing'], action: 'disable' })).body, {
      done: 2,
      failed: [{ id: 'nothing', reason: 'There is no such source.' }],
    })
    assert.deepEqual(
      (await sources()).map(({ enabled }) => enabled),
      [false, false, true],
    )
    // The filter is read before the first change, so a change does not take sources out of it.
    assert.deepEqual((await bulk({ filter: { health: 'disabled' }, action: 'enable' })).body, { done: 2, failed: [] })
    assert.deepEqual((await bulk({ filter: {}, action: 'update', set: { pollIntervalMinutes: 77 } })).body.done, 3)
    assert.ok((await sources()).every(({ pollIntervalMinutes }) => pollIntervalMinutes === 77))
    const { id: second } = await product.catalogue.podcasts.create(ann.id, { name: 'Second' })
    assert.equal((await bulk({ filter: { q: 'b' }, action: 'move', podcastId: second })).body.done, 1)
    assert.deepEqual(
      (await sources()).map(({ label }) => label),
      ['a', 'c'],
    )
    assert.equal((await bulk({ ids, action: 'remove' })).body.done, 2)
    assert.deepEqual(await sources(), [])
  })

  test('input that says too little, too much or something wrong changes nothing', async () => {
    await using world = await filled()
    const { product, bulk, ids, ann } = world
    const bob = await product.person('Bob')
    for (const [body, path] of [
      [{ action: 'remove' }, 'ids'],
      [{ ids, filter: {}, action: 'remove' }, 'ids'],
      [{ ids, action: 'move' }, 'podcastId'],
      [{ ids, action: 'update' }, 'set'],
      [{ ids, action: 'update', set: { pollIntervalMinutes: 0 } }, 'set.pollIntervalMinutes'],
      [{ ids, action: 'update', set: { pollIntervalMinuts: 9 } }, 'set.pollIntervalMinuts'],
      [{ ids, action: 'delete' }, 'action'],
      [{ filter: { healt: 'ok' }, action: 'remove' }, 'filter.healt'],
    ] as const) {
      const told = await bulk(body)
      assert.deepEqual([told.status, told.body.errors[0].path], [400, path], told.text)
    }
    assert.match((await bulk({ filter: { healt: 'ok' }, action: 'remove' })).body.detail, /did you mean health\?/)
    assert.equal((await bulk({ ids, action: 'move', podcastId: bob.podcastId })).status, 404)
    assert.equal((await bulk({ ids, action: 'remove' }, bob.token)).status, 404)
    assert.equal((await product.catalogue.sources.list(ann.podcastId)).items.length, 3)
  })

  test('are polled within the limits of the caller', async () => {
    await using world = await filled()
    const { product, bulk, ids } = world
    assert.deepEqual((await bulk({ ids, action: 'poll' })).body, { done: 3, failed: [] })
    await product.pass(0)
    for (const id of ids) assert.equal((await product.store.listPolls(id, { limit: 5, cursor: null })).items.length, 1)
    const again = await bulk({ ids, action: 'poll' })
    assert.equal(again.body.done, 0)
    assert.match(again.body.failed[0].reason, /At most 1 manual poll/)
  })
})

describe('small things', () => {
  test('a post is shown by its id, and only in its own podcast', async () => {
    await using product = await startWholeProduct({ config: LOOPBACK })
    await using origin = await feedAt('127.0.0.25')
    const [ann, bob] = [await product.person('Ann'), await product.person('Bob')]
    await addPolled(product, ann, `${origin.url}/feed`)
    const podcast = ann.sources.replace(/\/sources$/, '')
    const { items } = (await product.ask('GET', `${podcast}/posts`, { token: ann.token })).body
    const one = await product.ask('GET', `${podcast}/posts/${items[0].id}`, { token: ann.token })
    assert.deepEqual(one.body, items[0])
    const elsewhere = `${bob.sources.replace(/\/sources$/, '')}/posts/${items[0].id}`
    assert.equal((await product.ask('GET', elsewhere, { token: bob.token })).status, 404)
    for (const id of ['0', 'x', '99999999999999999999']) {
      assert.equal((await product.ask('GET', `${podcast}/posts/${id}`, { token: ann.token })).status, 404)
    }
  })

  test('cursors are listed by name', async () => {
    await using product = await startWholeProduct()
    const ann = await product.person('Ann')
    const cursors = `${ann.sources.replace(/\/sources$/, '')}/cursors`
    for (const name of ['b', 'a']) {
      await product.ask('PUT', `${cursors}/${name}`, { token: ann.token, body: { position: '0' } })
    }
    const page = await product.ask('GET', `${cursors}?limit=1`, { token: ann.token })
    assert.deepEqual(page.body.items, [{ name: 'a', position: '0', behind: 0, gap: false }])
    const rest = await product.ask('GET', `${cursors}?cursor=${page.body.nextCursor}`, { token: ann.token })
    assert.deepEqual([rest.body.items[0].name, rest.body.nextCursor], ['b', null])
  })

  test('a webhook gets a signed test message at once, and a failure is told with its reason', async () => {
    await using product = await startWholeProduct({ config: LOOPBACK })
    await using receiver = await startReceiver()
    const token = await product.admin()
    const hooks = '/api/users/default/webhooks'
    const made = await product.ask('POST', hooks, { token, body: { url: receiver.url, types: ['source.disabled'] } })
    const told = await product.ask('POST', `${hooks}/${made.body.id}/test`, { token })
    assert.deepEqual([told.status, told.body], [200, { delivered: true }])
    const [message] = receiver.received
    assert.equal(JSON.parse(message?.body ?? '').type, 'webhook.test')
    assert.match(String(message?.headers['webhook-signature']), /^v1,/)
    receiver.answer = (_request, response) => response.writeHead(500).end()
    const failed = await product.ask('POST', `${hooks}/${made.body.id}/test`, { token })
    assert.deepEqual([failed.status, failed.body.code], [502, 'delivery-failed'])
    assert.match(failed.body.detail, /500/)
    assert.equal((await product.ask('GET', `${hooks}/${made.body.id}`, { token })).body.deadLetters, 0)
    assert.equal((await product.ask('POST', `${hooks}/none/test`, { token })).status, 404)
  })

  test('the configuration is shown to admins only, without secrets', async () => {
    const masterKey = Buffer.alloc(32, 7).toString('base64')
    await using product = await startWholeProduct({ config: { encryption: { masterKey } } })
    const ann = await product.person('Ann')
    assert.equal((await product.ask('GET', '/api/config', { token: ann.token })).status, 403)
    const told = await product.ask('GET', '/api/config', { token: await product.admin() })
    assert.deepEqual(Object.keys(told.body.items[0]), ['key', 'value', 'from'])
    const value = (key: string) => told.body.items.find((item: { key: string }) => item.key === key)?.value
    assert.deepEqual([value('app.encryption.master-key'), value('app.source.tick-seconds')], ['***', 60])
    assert.ok(!told.text.includes(masterKey))
  })

  test('names are taken once, unknown fields suggest the nearest one, and processed articles say when', async () => {
    await using product = await startWholeProduct({ config: LOOPBACK })
    const token = await product.admin()
    const ask = (method: string, path: string, body: unknown) => product.ask(method, path, { token, body })
    assert.equal((await ask('POST', '/api/users', { name: 'Ann' })).status, 201)
    const again = await ask('POST', '/api/users', { name: 'Ann' })
    assert.deepEqual([again.status, again.body.code], [409, 'name-taken'])
    const podcasts = '/api/users/default/podcasts'
    assert.equal((await ask('POST', podcasts, { name: 'News' })).status, 201)
    assert.equal((await ask('POST', podcasts, { name: 'News' })).status, 409)
    assert.equal((await ask('PATCH', `${podcasts}/default`, { name: 'News' })).status, 409)
    const misspelt = await ask('POST', `${podcasts}/default/sources`, { url: 'https://a.example', lable: 'A' })
    assert.equal(misspelt.body.errors[0].message, 'unknown field; did you mean label?')
    const strange = await ask('POST', `${podcasts}/default/sources`, { url: 'https://a.example', colour: 'A' })
    assert.equal(strange.body.errors[0].message, 'unknown field; leave it out')

    await using origin = await feedAt('127.0.0.26')
    const ann = await product.person('Bea')
    await addPolled(product, ann, `${origin.url}/feed`)
    const articles = `${ann.sources.replace(/\/sources$/, '')}/articles`
    const [article] = (await ask('POST', articles, {})).body.created
    assert.equal(article.processedAt, null)
    const shown = async () => (await product.ask('GET', `${articles}/${article.id}`, { token })).body.processedAt
    await ask('POST', `${articles}/processed`, { ids: [article.id] })
    assert.equal(await shown(), new Date(TEST_START).toISOString())
    await product.clock.advance(HOUR)
    await ask('POST', `${articles}/processed`, { ids: [article.id] })
    assert.equal(await shown(), new Date(TEST_START).toISOString())
    await ask('POST', `${articles}/unprocessed`, { ids: [article.id] })
    assert.equal(await shown(), null)
  })
})

function dayOf(at: number): string {
  return new Date(Math.floor(at / DAY) * DAY).toISOString()
}

function hourOf(at: number): string {
  return new Date(Math.floor(at / HOUR) * HOUR).toISOString()
}
