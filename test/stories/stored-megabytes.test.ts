// Who stores too much waits: the polls of that user are put off, nothing is deleted or cut, nobody else notices, and
// polling goes on by itself when there is room.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startOrigin } from '../support/origin.ts'
import { usePostgres } from '../support/postgres.ts'
import { rss } from '../support/product.ts'
import { type Person, startWholeProduct } from '../support/whole-product.ts'
import { HOUR } from '../support/world.ts'

const postgres = usePostgres()

/** More than a tenth of a megabyte in the store. */
const longText = (n: number) => `${n} ${'A long text of an entry. '.repeat(6000)}`

const url = (path: string) => `http://feeds.example/${path}`

/** Ann and Bob follow feeds. The entries of one of Ann's are long. An admin added one more for Ann. */
async function startStory(database: { url: string } | null, storedMegabytes: number) {
  // As the proxy it is asked for hosts with public names: only admins may ask others.
  const origin = await startOrigin()
  const product = await startWholeProduct({
    config: {
      ...(database && { database }),
      limits: { storedMegabytes },
      http: { proxy: origin.url },
      source: { pollDelaySeconds: { rss: 0 } },
    },
  })
  const items = { ann: 1, short: 1, bob: 1, admins: 1 }
  const entries = (name: keyof typeof items, body: (n: number) => string) =>
    Array.from({ length: items[name] }, (_, n) => ({
      title: `${name} ${n}`,
      guid: `${name}-${n}`,
      body: body(n),
    }))
  origin.route(url('ann'), (_, response) => void response.end(rss(entries('ann', longText))))
  origin.route(url('short'), (_, response) => void response.end(rss(entries('short', String))))
  origin.route(url('bob'), (_, response) => void response.end(rss(entries('bob', String))))
  origin.route(url('admins'), (_, response) => void response.end(rss(entries('admins', String))))
  const [ann, bob] = [await product.person('Ann'), await product.person('Bob')]
  const add = async (person: Person, path: string, token = person.token) => {
    const body = { type: 'rss', url: url(path), validate: false }
    const made = await product.ask('POST', person.sources, { token, body })
    assert.equal(made.status, 201, made.body.detail)
    return String(made.body.id)
  }
  const ids = {
    ann: await add(ann, 'ann'),
    short: await add(ann, 'short'),
    bob: await add(bob, 'bob'),
    admins: await add(ann, 'admins', await product.admin()),
  }
  for (const id of Object.values(ids)) await product.app.engine.poll(id)
  const asked = (path: string) => origin.requests.filter((request) => request.path === url(path)).length
  const stored = async (person: Person) =>
    (await product.store.listPosts({ podcastId: person.podcastId, limit: 500, cursor: null })).items
  const shown = async () => {
    const { body } = await product.ask('GET', `/api/users/${ann.id}/limits`, { token: ann.token })
    return body.items.find(({ name }: { name: string }) => name === 'stored-megabytes')
  }
  const stop = async () => {
    await product[Symbol.asyncDispose]()
    await origin.close()
  }
  return { ...product, ann, bob, ids, items, asked, stored, shown, [Symbol.asyncDispose]: stop }
}

const ENGINES = {
  SQLite: async () => null,
  PostgreSQL: async () => ({ url: await postgres.freshDatabase() }),
}

for (const [engine, databaseOf] of Object.entries(ENGINES)) {
  describe(`${engine}: a user without admin rights`, () => {
    test('who stores too much waits without a failure, is told why, and goes on when there is room', async () => {
      await using story = await startStory(await databaseOf(), 1)
      const { app, store, catalogue, ann, bob, ids, items } = story
      assert.deepEqual(await story.shown(), { name: 'stored-megabytes', used: 1, most: 1 })
      Object.assign(items, { ann: 8, bob: 2, admins: 2 })
      await story.pass(HOUR)
      const mine = async () => (await story.stored(ann)).filter(({ sourceId }) => sourceId === ids.ann)
      assert.equal((await mine()).length, 8, 'a poll that has begun is finished')
      assert.deepEqual(await story.shown(), { name: 'stored-megabytes', used: 2, most: 1 })
      const asked = story.asked('ann')
      Object.assign(items, { ann: 9, short: 3, bob: 3, admins: 3 })
      for (let hours = 0; hours < 3; hours++) await story.pass(HOUR)
      assert.equal(story.asked('ann'), asked, 'nobody was asked')
      assert.equal((await mine()).length, 8, 'and nothing was deleted')
      assert.equal((await story.stored(bob)).length, 3, 'nobody else waits')
      assert.equal((await story.stored(ann)).filter(({ sourceId }) => sourceId === ids.admins).length, 3)

      const waiting = await store.getSource(ids.ann)
      assert.deepEqual([waiting?.consecutiveFailures, waiting?.enabled, waiting?.lastFailureReason], [0, true, null])
      const { expectedAt, sentence } = await app.engine.why(ids.ann)
      assert.equal(expectedAt, waiting?.nextPollAt)
      const because = 'the posts and articles of its owner take 2 MB, and app.limits.stored-megabytes is 1'
      const remedy = 'remove sources or podcasts, or ask an admin to raise it'
      const until = new Date(expectedAt ?? 0).toISOString()
      assert.equal(sentence, `Not polled until ${until}, because ${because}: ${remedy}.`)
      await assert.rejects(app.engine.poll(ids.ann), new RegExp(`put off until ${until}: the posts and articles`))
      const warnings = story.lines().filter(({ level, msg }) => level === 'warn' && msg.includes('stored-megabytes'))
      assert.equal(warnings.length, 1, 'it is said once')

      await catalogue.sources.remove(ids.ann)
      const askedShort = story.asked('short')
      for (let hours = 0; hours < 2; hours++) await story.pass(HOUR)
      assert.deepEqual(await story.shown(), { name: 'stored-megabytes', used: 1, most: 1 })
      assert.ok(story.asked('short') > askedShort, 'the other source of Ann goes on by itself')
      assert.equal((await app.engine.why(ids.short)).code, 'not-due')
    })

    test('without a limit nobody waits, and what is stored is shown all the same', async () => {
      await using story = await startStory(await databaseOf(), 0)
      story.items.ann = 8
      for (let hours = 0; hours < 2; hours++) await story.pass(HOUR)
      assert.equal(story.asked('ann'), 3)
      assert.deepEqual(await story.shown(), { name: 'stored-megabytes', used: 2, most: null })
    })
  })
}
