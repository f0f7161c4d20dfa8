// X accounts on the whole product: whose key is used, what is asked, and what trouble does to whom.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLOSED_BREAKER } from '../../src/domain/host.ts'
import { type FakeX, startFakeX } from '../support/fake-x.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { until } from '../support/until.ts'
import { type Person, startWholeProduct, type WholeProduct } from '../support/whole-product.ts'
import { DAY, HOUR, MINUTE, TEST_START } from '../support/world.ts'

type Story = WholeProduct & { x: FakeX; ann: Person; bob: Person }

/** Ann and Bob, each with an account to follow. Nothing of this machine is allowed but the configured address of X. */
async function startStory(source: Record<string, unknown> = {}) {
  const clock = new ManualClock()
  const x = await startFakeX({ now: () => clock.now() })
  const product = await startWholeProduct({ clock, config: { source, x: { baseUrl: x.url } } })
  x.accounts.add('11', 'birds')
  x.accounts.add('22', 'bees')
  const people = { ann: await product.person('Ann'), bob: await product.person('Bob') }
  const stopProduct = product[Symbol.asyncDispose]
  const stop = async () => {
    await stopProduct()
    await x.close()
  }
  return { ...product, ...people, x, [Symbol.asyncDispose]: stop }
}

async function follow({ ask }: Story, { sources, token }: Person, name: string, more = {}): Promise<string> {
  const { status, body } = await ask('POST', sources, { token, body: { type: 'twitter', url: `@${name}`, ...more } })
  assert.equal(status, 201, body.detail)
  return body.id
}

async function giveKey({ ask, x }: Story, { id, token }: Person, apiKey: string, quota = 900): Promise<void> {
  x.allowKey(apiKey, { requestsPerWindow: quota })
  assert.equal((await ask('PUT', `/api/users/${id}/keys/x`, { token, body: { apiKey } })).status, 204)
}

const source = async (story: Story, id: string) => story.catalogue.sources.get(id)
const lastPoll = async (story: Story, id: string) =>
  (await story.store.listPolls(id, { limit: 1, cursor: null })).items[0]
const bodiesOf = async ({ store }: Story, { podcastId }: Person) =>
  (await store.listPosts({ podcastId, limit: 500, cursor: null })).items.map(({ body }) => body)
const post = (id: string, text: string, at: number) => ({ id, text, at })

test('without a key nobody is asked: a permanent failure that touches neither lane nor breaker nor host row', async () => {
  await using story = await startStory()
  const { ann, x } = story
  const [a, b] = [await follow(story, ann, 'birds'), await follow(story, ann, 'bees')]
  await story.pass(0)
  await story.pass(30 * MINUTE)
  for (const id of [a, b]) {
    const record = await lastPoll(story, id)
    assert.deepEqual(
      [record?.outcome, record?.reason, record?.httpStatus],
      ['permanent', 'no X API key for user', null],
    )
  }
  assert.equal(x.requests.length, 0)
  assert.equal(await story.store.hostState(`x:${ann.id}`), null)
  assert.equal(await story.store.hostState('x.com'), null)
})

test('a missing key disables the source after N polls, and says so', async () => {
  await using story = await startStory({ maxFailures: 3 })
  const id = await follow(story, story.ann, 'birds')
  for (let day = 0; day < 5; day++) await story.pass(DAY)
  const { enabled, disabledReason, consecutiveFailures } = await source(story, id)
  assert.deepEqual([enabled, consecutiveFailures], [false, 3])
  assert.equal(disabledReason, 'Auto-disabled after 3 consecutive missing-key errors')
  assert.equal(story.x.requests.length, 0)
})

test('storing a key plans the owner’s X sources for now, nobody else’s and no other source', async () => {
  await using story = await startStory()
  const { ann, bob, clock } = story
  const [anns, bobs] = [await follow(story, ann, 'birds'), await follow(story, bob, 'birds')]
  const off = await follow(story, ann, 'bees', { enabled: false })
  const feed = await story.catalogue.sources.create(ann.podcastId, { type: 'rss', url: 'http://nowhere.invalid/' })
  await story.pass(0)
  await story.pass(30 * MINUTE)
  await clock.advance(MINUTE)
  const before = [await source(story, bobs), await source(story, feed.id)].map(({ nextPollAt }) => nextPollAt)
  await giveKey(story, ann, 'key-of-ann')
  assert.equal((await source(story, anns)).nextPollAt, new Date(clock.now()).toISOString())
  assert.equal((await source(story, off)).nextPollAt, null)
  const after = [await source(story, bobs), await source(story, feed.id)].map(({ nextPollAt }) => nextPollAt)
  assert.deepEqual(after, before)
  await story.pass(0)
  const { outcome, reason } = (await lastPoll(story, anns)) ?? {}
  assert.deepEqual([outcome, reason], ['success', null])
  assert.deepEqual(
    [(await source(story, anns)).consecutiveFailures, (await source(story, bobs)).consecutiveFailures],
    [0, 1],
  )
})

test('what X says to a key that was replaced meanwhile counts for nothing, and the source stays due', async () => {
  await using story = await startStory()
  const { ann, x, clock, ask } = story
  const id = await follow(story, ann, 'birds')
  await giveKey(story, ann, 'key-of-old')
  const answered = Promise.withResolvers<void>()
  x.answerOnce({ status: 401, body: { title: 'Unauthorized' }, after: answered.promise })
  const polling = ask('POST', `${ann.sources}/${id}/poll?wait=true`, { token: ann.token })
  await until('X is asked', () => x.requests.length === 1)
  await giveKey(story, ann, 'key-of-new')
  answered.resolve()
  assert.equal((await polling).status, 409)
  const { nextPollAt, consecutiveFailures } = await source(story, id)
  assert.deepEqual([nextPollAt, consecutiveFailures], [new Date(clock.now()).toISOString(), 0])
  await story.pass(MINUTE)
  assert.deepEqual([(await lastPoll(story, id))?.outcome, x.requests.at(-1)?.key], ['success', 'key-of-new'])
})

test('the first poll looks the account up and stores what is new; later ones ask only since then, page by page', async () => {
  await using story = await startStory()
  const { ann, x, clock } = story
  await giveKey(story, ann, 'key-of-ann')
  x.accounts.post(
    '11',
    post('100', 'before the source', TEST_START - HOUR),
    post('101', 'since then', TEST_START + MINUTE),
  )
  const id = await follow(story, ann, 'birds')
  await story.pass(0)
  await story.pass(30 * MINUTE)
  assert.deepEqual(await bodiesOf(story, ann), ['since then'])
  assert.equal((await source(story, id)).lastSeenId, '11:101')
  // It was not even asked for: X would have billed it.
  assert.deepEqual([(await lastPoll(story, id))?.found, (await lastPoll(story, id))?.skipped.beforeCreated], [1, 0])
  assert.deepEqual(
    x.requests.map(({ path }) => path),
    ['/2/users/by/username/birds', '/2/users/11/tweets'],
  )
  const many = Array.from({ length: 250 }, (_, index) =>
    post(String(200 + index), `number ${index}`, clock.now() + index),
  )
  x.accounts.post('11', ...many)
  await story.pass(30 * MINUTE)
  const later = x.requests.slice(2)
  assert.deepEqual(
    later.map(({ path, query }) => [path, query.since_id]),
    Array(3).fill(['/2/users/11/tweets', '101']),
  )
  assert.deepEqual(
    later.map(({ at }) => at),
    Array(3).fill(clock.now()),
    'pages belong to one visit',
  )
  assert.equal((await lastPoll(story, id))?.created, 250)
  assert.equal((await source(story, id)).lastSeenId, '11:449')
  const [stored] = (await story.store.listPosts({ podcastId: ann.podcastId, limit: 1, cursor: null })).items
  assert.deepEqual(
    [stored?.url, stored?.author, stored?.guid, stored?.title],
    ['https://x.com/birds/status/449', '@birds', '449', 'number 249'],
  )
  assert.ok(x.requests.every(({ key }) => key === 'key-of-ann'))
})

test('a used-up quota closes exactly its owner’s lane until the reset, and counts no failure for the others in it', async () => {
  await using story = await startStory()
  const { ann, bob, x, clock } = story
  await giveKey(story, ann, 'key-of-ann', 1)
  await giveKey(story, bob, 'key-of-bob')
  const [a, b] = [await follow(story, ann, 'birds'), await follow(story, ann, 'bees', { pollIntervalMinutes: 31 })]
  const bobs = await follow(story, bob, 'birds')
  await story.pass(0)
  await story.pass(30 * MINUTE)
  // One look-up and one timeline each, and the second look-up is one too many.
  await story.pass(MINUTE)
  const limited = x.requests.filter(({ status }) => status === 429)
  assert.deepEqual(
    limited.map(({ key }) => key),
    ['key-of-ann'],
  )
  const reset = Math.ceil((TEST_START + 30 * MINUTE + 15 * MINUTE) / 1000) * 1000
  const [closed, open] = [await story.store.hostState(`x:${ann.id}`), await story.store.hostState(`x:${bob.id}`)]
  assert.deepEqual([closed?.closedUntil, open?.closedUntil], [reset, null])
  const before = x.requests.length
  for (const id of [a, b]) await story.store.changeSource(id, () => ({ set: { nextPollAt: clock.now() }, events: [] }))
  await story.store.changeSource(bobs, () => ({ set: { nextPollAt: clock.now() }, events: [] }))
  await story.pass(MINUTE)
  assert.deepEqual(
    x.requests.slice(before).map(({ key }) => key),
    ['key-of-bob'],
  )
  assert.deepEqual([(await source(story, a)).consecutiveFailures, (await source(story, b)).consecutiveFailures], [0, 1])
  assert.equal((await lastPoll(story, b))?.outcome, 'transient')
  await story.pass(reset - clock.now())
  assert.ok(x.requests.slice(before).some(({ key, at }) => key === 'key-of-ann' && at === reset))
})

for (const [what, spoil, status] of [
  ['revoked', (x: FakeX) => x.revokeKey('key-of-ann'), 401],
  ['forbidden', (x: FakeX) => x.forbidKey('key-of-ann'), 403],
] as const) {
  test(`a ${what} key is a permanent failure (${status}) in words, without the key, for its owner only`, async () => {
    await using story = await startStory({ maxFailures: 2, breaker: { failures: 0 } })
    const { ann, bob, x } = story
    await giveKey(story, ann, 'key-of-ann')
    await giveKey(story, bob, 'key-of-bob')
    const [a, b] = [await follow(story, ann, 'birds'), await follow(story, bob, 'birds')]
    spoil(x)
    for (let day = 0; day < 4; day++) await story.pass(DAY)
    const record = await lastPoll(story, a)
    assert.deepEqual([record?.outcome, record?.httpStatus], ['permanent', status])
    assert.doesNotMatch(record?.reason ?? '', /key-of-ann/)
    assert.equal((await source(story, a)).disabledReason, `Auto-disabled after 2 consecutive ${status} errors`)
    assert.equal((await lastPoll(story, b))?.outcome, 'success')
  })
}

test('an unknown and a suspended account are permanent, a protected one and a server error are not', async () => {
  await using story = await startStory({ maxFailures: 2 })
  const { ann, x } = story
  await giveKey(story, ann, 'key-of-ann')
  x.accounts.add('33', 'foul')
  x.accounts.add('44', 'shy')
  x.accounts.change('33', { state: 'suspended' })
  x.accounts.change('44', { state: 'protected' })
  const [unknown, suspended, hidden] = await Promise.all(['nobody', 'foul', 'shy'].map((n) => follow(story, ann, n)))
  for (let day = 0; day < 4; day++) await story.pass(DAY)
  const ends = async (id = '') => [(await lastPoll(story, id))?.outcome, (await source(story, id)).disabledReason]
  const disabled = 'Auto-disabled after 2 consecutive unknown-user errors'
  assert.deepEqual(await ends(unknown), ['permanent', disabled])
  assert.deepEqual(await ends(suspended), ['permanent', disabled])
  assert.match((await lastPoll(story, suspended ?? ''))?.reason ?? '', /@foul is suspended on X/)
  assert.match((await lastPoll(story, unknown ?? ''))?.reason ?? '', /X knows no user @nobody/)
  assert.deepEqual(await ends(hidden), ['transient', null])
  const id = await follow(story, ann, 'birds')
  x.answerOnce({ status: 503, body: 'busy' })
  const failed = await story.app.engine.poll(id)
  assert.deepEqual([failed.outcome, failed.httpStatus], ['transient', 503])
  assert.equal((await story.app.engine.poll(id)).outcome, 'success')
})

test('a redirect of X is not followed: the key goes nowhere else', async () => {
  await using story = await startStory()
  await using elsewhere = await startFakeX()
  await giveKey(story, story.ann, 'key-of-ann')
  const id = await follow(story, story.ann, 'birds')
  for (const status of [301, 302, 307, 308]) {
    story.x.answerOnce({ status, headers: { location: `${elsewhere.url}/2/users/by/username/birds` }, body: '' })
    const record = await story.app.engine.poll(id)
    assert.deepEqual([record.outcome, record.httpStatus], ['transient', status])
  }
  assert.equal(elsewhere.requests.length, 0)
})

test('a name that another account has taken over is resolved again; so is a name that a person changes', async () => {
  await using story = await startStory()
  const { ann, x, clock } = story
  await giveKey(story, ann, 'key-of-ann')
  const id = await follow(story, ann, 'birds')
  await story.pass(0)
  await story.pass(30 * MINUTE)
  assert.equal((await source(story, id)).lastSeenId, '11:')
  x.accounts.remove('11')
  x.accounts.add('99', 'birds')
  x.accounts.post('99', post('500', 'the new owner', clock.now() + MINUTE))
  await story.pass(30 * MINUTE)
  assert.equal((await source(story, id)).lastSeenId, '99:500')
  assert.match((await lastPoll(story, id))?.reason ?? '', /@birds is another account now: 99 instead of 11/)
  x.accounts.post('22', post('600', 'of the bees', clock.now() + MINUTE))
  const path = `${ann.sources}/${id}`
  const changed = await story.ask('PATCH', path, { token: ann.token, body: { url: 'https://twitter.com/bees' } })
  assert.deepEqual([changed.body.url, changed.body.lastSeenId], ['https://x.com/bees', null])
  await story.pass(2 * MINUTE)
  assert.equal((await source(story, id)).lastSeenId, '22:600')
})

test('a user’s key is never used for another’s source, wherever the source has been before', async () => {
  await using story = await startStory()
  const { ann, bob, x, catalogue } = story
  await giveKey(story, ann, 'key-of-ann')
  const admin = await story.admin()
  const moving = await follow(story, ann, 'birds')
  const keysFor = async (id: string): Promise<(string | null)[]> => {
    const before = x.requests.length
    await story.app.engine.poll(id)
    return [...new Set(x.requests.slice(before).map(({ key }) => key))]
  }
  assert.deepEqual(await keysFor(moving), ['key-of-ann'])
  // Between own podcasts the owner stays.
  const second = await catalogue.podcasts.create(ann.id, { name: 'Second' })
  const moved = await story.ask('PATCH', `${ann.sources}/${moving}`, {
    token: ann.token,
    body: { podcastId: second.id },
  })
  assert.equal(moved.status, 200)
  assert.deepEqual(await keysFor(moving), ['key-of-ann'])
  // Only an admin gives it to somebody else, and with it goes the right to Ann's key.
  const path = `/api/users/${ann.id}/podcasts/${second.id}/sources/${moving}`
  assert.equal((await story.ask('PATCH', path, { token: ann.token, body: { podcastId: bob.podcastId } })).status, 404)
  assert.equal((await story.ask('PATCH', path, { token: admin, body: { podcastId: bob.podcastId } })).status, 200)
  assert.equal((await story.store.getSource(moving))?.lane, `x:${bob.id}`)
  assert.deepEqual(await keysFor(moving), [])
  assert.equal((await lastPoll(story, moving))?.reason, 'no X API key for user')
  await giveKey(story, bob, 'key-of-bob')
  assert.deepEqual(await keysFor(moving), ['key-of-bob'])
  // A key that is removed, or goes with its user, is gone.
  assert.equal((await story.ask('DELETE', `/api/users/${bob.id}/keys/x`, { token: bob.token })).status, 204)
  assert.deepEqual(await keysFor(moving), [])
  await catalogue.users.remove(ann.id)
  assert.equal(await story.store.getSecret('key', ann.id, 'x'), null)
})

test('a source that changes hands while its poll waits in the lane is asked with the new owner’s key', async () => {
  await using story = await startStory({ pollDelaySeconds: { twitter: 60 } })
  const { ann, bob, x } = story
  await giveKey(story, ann, 'key-of-ann')
  await giveKey(story, bob, 'key-of-bob')
  const id = await follow(story, ann, 'birds')
  const first = await follow(story, ann, 'bees')
  await story.app.engine.poll(first)
  const waiting = story.app.engine.poll(id)
  while (story.clock.pending.length === 0) await new Promise(setImmediate)
  await story.catalogue.sources.update(id, { podcastId: bob.podcastId })
  await story.clock.advance(MINUTE)
  assert.equal((await waiting).outcome, 'success')
  assert.deepEqual(
    x.requests.map(({ key }) => key),
    ['key-of-ann', 'key-of-ann', 'key-of-bob', 'key-of-bob'],
  )
})

test('a revoked key opens the breaker of its owner’s lane alone; a missing one touches none; a new key goes on at once', async () => {
  await using story = await startStory()
  const { ann, bob, x, store } = story
  await giveKey(story, ann, 'key-of-ann')
  await giveKey(story, bob, 'key-of-bob')
  const anns = [await follow(story, ann, 'birds'), await follow(story, ann, 'bees')]
  const bobs = await follow(story, bob, 'birds')
  await story.pass(0)
  await story.pass(30 * MINUTE)
  x.revokeKey('key-of-ann')
  for (let polls = 0; polls < 2; polls++) await story.pass(HOUR)
  const breakerOf = async ({ id }: Person) => (await store.hostState(`x:${id}`))?.breaker
  assert.equal((await breakerOf(ann))?.state, 'open')
  assert.deepEqual([(await breakerOf(bob))?.state, (await breakerOf(bob))?.inARow], ['closed', 0])
  const failures = await Promise.all(anns.map(async (id) => (await source(story, id)).consecutiveFailures))
  const before = x.requests.length
  await story.pass(30 * MINUTE)
  assert.deepEqual([...new Set(x.requests.slice(before).map(({ key }) => key))], ['key-of-bob'])
  // Without a key nobody is asked, so nothing is learned about X: the breaker stays as it is.
  await story.ask('DELETE', `/api/users/${ann.id}/keys/x`, { token: ann.token })
  const held = await breakerOf(ann)
  for (const id of anns) assert.equal((await story.app.engine.poll(id)).reason, 'no X API key for user')
  assert.deepEqual([(await breakerOf(ann))?.state, (await breakerOf(ann))?.inARow], ['open', held?.inARow])
  await giveKey(story, ann, 'key-of-ann-2')
  await story.pass(0)
  for (const id of anns) assert.equal((await lastPoll(story, id))?.outcome, 'success')
  assert.equal((await breakerOf(ann))?.state, 'closed')
  assert.equal((await lastPoll(story, bobs))?.outcome, 'success')
  assert.ok(
    failures.every((count) => count <= 2),
    'what was skipped counted no failure',
  )
})

test('a new key starts with a clean slate: what the breaker held against the old one is forgotten, a 429 is not', async () => {
  await using story = await startStory()
  const { ann, store, clock } = story
  const breaker = {
    ...CLOSED_BREAKER,
    state: 'open',
    inARow: 3,
    since: clock.now(),
    probeAt: clock.now() + HOUR,
  } as const
  const closedUntil = clock.now() + 10 * MINUTE
  await store.changeHost(`x:${ann.id}`, () => ({ breaker, closedUntil }))
  await giveKey(story, ann, 'key-of-ann')
  const host = await store.hostState(`x:${ann.id}`)
  assert.deepEqual([host?.breaker.state, host?.breaker.inARow, host?.closedUntil], ['closed', 0, closedUntil])
  const told = (await store.eventsAfter('0', 500)).filter(({ type }) => type === 'host.closed')
  assert.deepEqual(
    told.map(({ host, userId, data }) => [host, userId, data]),
    [
      [
        `x:${ann.id}`,
        ann.id,
        { reason: 'a new key was stored', sources: 0, since: new Date(breaker.since).toISOString() },
      ],
    ],
  )
})

test('what a person’s feeds may not reach, the configured address of X may be; nothing else of that host', async () => {
  await using story = await startStory()
  const { ann, x } = story
  await giveKey(story, ann, 'key-of-ann')
  const id = await follow(story, ann, 'birds')
  assert.equal((await story.store.getSource(id))?.trusted, false)
  assert.equal((await story.app.engine.poll(id)).outcome, 'success')
  const asked = x.requests.length
  const body = { type: 'rss', url: `${x.url}/2/users/11/tweets`, validate: false }
  for (const token of [ann.token, await story.admin()]) {
    const made = await story.ask('POST', ann.sources, {
      token,
      body: { ...body, url: `${body.url}?${token.length}${token}` },
    })
    const record = await story.app.engine.poll(made.body.id)
    assert.match(record.reason ?? '', /loopback/)
  }
  assert.equal(x.requests.length, asked)
})
