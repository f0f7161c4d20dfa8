// What X returns to a user's key is counted, and a limit on it puts that user's polls off to the next month.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFakeX } from '../support/fake-x.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { type Person, startWholeProduct } from '../support/whole-product.ts'
import { HOUR, MINUTE, TEST_START } from '../support/world.ts'

const start = new Date(TEST_START)
const NEXT_MONTH = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1)

/** Ann and Bob follow one account each, with keys of their own. */
async function startStory(maxPostsPerMonth: number) {
  const clock = new ManualClock()
  const x = await startFakeX({ now: () => clock.now() })
  const product = await startWholeProduct({ clock, config: { x: { baseUrl: x.url, maxPostsPerMonth } } })
  const { ask } = product
  const followed = async (name: string, account: string) => {
    const person = await product.person(name)
    x.accounts.add(account, name.toLowerCase())
    x.allowKey(`key-of-${name}`)
    const { id, token, sources } = person
    assert.equal(
      (await ask('PUT', `/api/users/${id}/keys/x`, { token, body: { apiKey: `key-of-${name}` } })).status,
      204,
    )
    const made = await ask('POST', sources, { token, body: { type: 'twitter', url: `@${name}` } })
    assert.equal(made.status, 201, made.body.detail)
    return { ...person, sourceId: String(made.body.id), account }
  }
  const [ann, bob] = [await followed('Ann', '11'), await followed('Bob', '22')]
  let last = 100
  const post = (account: string, count: number) => {
    for (let n = 0; n < count; n++)
      x.accounts.post(account, { id: String(++last), text: `post ${last}`, at: clock.now() })
  }
  const stop = async () => {
    await product[Symbol.asyncDispose]()
    await x.close()
  }
  return { ...product, clock, x, ann, bob, post, [Symbol.asyncDispose]: stop }
}

type Story = Awaited<ReturnType<typeof startStory>>
const askedWith = ({ x }: Story, name: string) => x.requests.filter(({ key }) => key === `key-of-${name}`).length
const source = ({ store }: Story, { sourceId }: { sourceId: string }) => store.getSource(sourceId)
const postsOf = async ({ store }: Story, { podcastId }: Person) =>
  (await store.listPosts({ podcastId, limit: 500, cursor: null })).items.length

test('a month whose posts are read puts the owner’s polls off to the next one, without a failure, and nobody else’s', async () => {
  await using story = await startStory(3)
  const { ann, bob, clock, app, post } = story
  await clock.advance(MINUTE)
  post(ann.account, 2)
  await app.engine.poll(ann.sourceId)
  assert.notEqual((await app.engine.why(ann.sourceId)).expectedAt, NEXT_MONTH, 'two of three: polls go on')
  post(ann.account, 2)
  await story.pass(HOUR)
  assert.equal(await postsOf(story, ann), 4, 'a poll that has begun is finished')
  const asked = askedWith(story, 'Ann')
  post(ann.account, 1)
  post(bob.account, 1)
  for (let hours = 0; hours < 3; hours++) await story.pass(HOUR)
  assert.equal(askedWith(story, 'Ann'), asked)
  assert.equal(await postsOf(story, bob), 1)
  const waiting = await source(story, ann)
  assert.deepEqual([waiting?.nextPollAt, waiting?.consecutiveFailures, waiting?.enabled], [NEXT_MONTH, 0, true])
  const { code, expectedAt, sentence } = await app.engine.why(ann.sourceId)
  assert.deepEqual([code, expectedAt], ['retry-after', NEXT_MONTH])
  const until = new Date(NEXT_MONTH).toISOString()
  const because = "X has returned 4 posts to its owner's key this month, and app.x.max-posts-per-month is 3"
  assert.equal(sentence, `Not polled until ${until}, because ${because}.`)
  await assert.rejects(app.engine.poll(ann.sourceId), new RegExp(`put off until ${until}: X has returned 4 posts`))
  await story.pass(NEXT_MONTH - clock.now() - MINUTE)
  // What was posted long before is too old by now.
  post(ann.account, 1)
  assert.equal(askedWith(story, 'Ann'), asked)
  await story.pass(MINUTE)
  assert.equal(askedWith(story, 'Ann'), asked + 1)
  assert.equal(await postsOf(story, ann), 5)
})

test('a source that moves to another user goes on with that user’s key, whatever the old one has spent', async () => {
  await using story = await startStory(3)
  const { ann, bob, clock, app, post, catalogue } = story
  await clock.advance(MINUTE)
  post(ann.account, 4)
  await app.engine.poll(ann.sourceId)
  await story.pass(HOUR)
  assert.equal((await source(story, ann))?.nextPollAt, NEXT_MONTH)
  await catalogue.sources.update(ann.sourceId, { podcastId: bob.podcastId })
  const asked = askedWith(story, 'Bob')
  post(ann.account, 1)
  await story.pass(MINUTE)
  assert.equal(askedWith(story, 'Bob'), asked + 1)
  assert.doesNotMatch((await app.engine.why(ann.sourceId)).sentence, /put off/)
})

test('without a limit polls go on; the posts of the day are a figure by owner, and go with their owner', async () => {
  await using story = await startStory(0)
  const { ann, bob, clock, app, post, store, catalogue } = story
  await clock.advance(MINUTE)
  post(ann.account, 150)
  post(bob.account, 2)
  for (const { sourceId } of [ann, bob]) await app.engine.poll(sourceId)
  const figures = async () => (await app.metrics.text()).match(/^tidings_x_posts_read_today\{.*$/gm) ?? []
  const of = ({ id }: Person, posts: number) => `tidings_x_posts_read_today{owner="${id}"} ${posts}`
  assert.deepEqual((await figures()).sort(), [of(ann, 150), of(bob, 2)].sort())
  await catalogue.users.remove(ann.id)
  assert.deepEqual(await figures(), [of(bob, 2)])
  await store.countXPostsRead(ann.id, 0, 5)
  assert.equal(await store.xPostsReadSince(ann.id, 0), 0)
  await clock.advance(24 * HOUR)
  assert.deepEqual(await figures(), [])
})

test('a preview asks for what a first poll would keep, with its backfill, and counts like a poll', async () => {
  await using story = await startStory(3)
  const { ann, clock, app, ask, post } = story
  post(ann.account, 3)
  await clock.advance(2 * HOUR)
  const preview = (backfillDays: number) =>
    ask('POST', '/api/preview', { token: ann.token, body: { type: 'twitter', url: '@Ann', backfillDays } })
  const none = await preview(0)
  assert.deepEqual([none.status, none.body.posts?.length, none.body.dropped?.length], [200, 0, 0])
  const three = await preview(1)
  assert.deepEqual([three.status, three.body.posts?.length], [200, 3])
  assert.match((await app.engine.why(ann.sourceId)).sentence, /X has returned 3 posts/)
  const refused = await preview(1)
  assert.match(refused.body.detail ?? '', new RegExp(`cannot be asked before ${new Date(NEXT_MONTH).toISOString()}`))
})
