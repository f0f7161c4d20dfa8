// For any interleaving of polls, aggregations, readers and crashes: a post is in at most one article that was not asked
// for once more, every post of the window is in one, and a reader by position sees each post once.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { TEST_START } from '../../../test/support/manual-clock.ts'
import { candidate, putPosts, putSource } from '../../../test/support/posts.ts'
import { postsAfter } from '../../../test/support/read-store.ts'
import type { Article } from '../../domain/article.ts'
import { BUILT_IN_TYPES } from '../../domain/built-in-types.ts'
import type { Post } from '../../domain/post.ts'
import type { Store } from '../../ports/store.ts'
import type { Database, Transaction } from '../database/db.ts'
import { migrate } from '../database/migrate.ts'
import { openSqlite } from '../database/sqlite-db.ts'
import { createStore } from '../store.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

class Crash extends Error {}

/** A database whose process dies at a statement of a transaction, or between its commit and the answer. */
function crashing(db: Database): Database & { crashAt: number | 'after commit' | null } {
  const faulty: Database & { crashAt: number | 'after commit' | null } = {
    crashAt: null,
    dialect: db.dialect,
    all: (...args) => db.all(...args),
    get: (...args) => db.get(...args),
    run: (...args) => db.run(...args),
    write: (...args) => db.write(...args),
    announceEvents: (...announced) => db.announceEvents(...announced),
    close: () => db.close(),
    diskSpace: () => db.diskSpace(),
    onEventsWritten: (listener) => db.onEventsWritten(listener),
    onEvents: (listener) => db.onEvents(listener),
    async transaction(work) {
      const { crashAt } = faulty
      faulty.crashAt = null
      const result = await db.transaction((tx) => work(typeof crashAt === 'number' ? mortal(tx, crashAt) : tx))
      if (crashAt === 'after commit') throw new Crash()
      return result
    },
  }
  return faulty
}

function mortal(tx: Transaction, statements: number): Transaction {
  let left = statements
  const counted =
    <A extends unknown[], R>(run: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (left-- <= 0) throw new Crash()
      return run(...args)
    }
  const { all, get, run, script } = tx
  return { ...tx, all: counted(all), get: counted(get), run: counted(run), script: counted(script) }
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('poll' as const),
      source: fc.nat(2),
      posts: fc.array(
        fc.record({
          text: fc.nat(12),
          agoMinutes: fc.option(fc.nat(3 * 24 * 60)),
          reply: fc.constantFrom('none', 'marked', 'referring' as const),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('aggregate' as const),
      windowDays: fc.constantFrom(1, 2, 7),
      crashAt: fc.option(fc.oneof(fc.nat(25), fc.constant('after commit' as const))),
      askers: fc.integer({ min: 1, max: 3 }),
      reprocess: fc.option(fc.nat(20), { freq: 4 }),
    }),
  },
  fc.record({ kind: fc.constant('read' as const), limit: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('process' as const), every: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(1, 30, 61, 600, 1500) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

class World {
  readonly db: ReturnType<typeof crashing>
  readonly store: Store
  readonly mode: 'thread' | 'digest'
  readonly reprocessed = new Set<string>()
  readonly seen: string[] = []
  now = TEST_START
  position = '0'
  made = 0

  constructor(db: Database, mode: 'thread' | 'digest') {
    this.db = crashing(db)
    this.store = createStore(this.db, 1, BUILT_IN_TYPES)
    this.mode = mode
  }

  async set(): Promise<void> {
    const at = { createdAt: TEST_START }
    await this.store.addUser({ id: 'default', name: 'D', ...at })
    const podcast = { id: 'default', userId: 'default', name: 'D', topic: null, maxArticleAgeDays: null, ...at }
    await this.store.addPodcast(podcast)
    await putSource(this.store, { id: 's0' })
    await putSource(this.store, { id: 's1', aggregate: true })
    await putSource(this.store, { id: 's2', type: 'twitter', url: 'https://x.com/name' })
  }

  async articles(): Promise<readonly Article[]> {
    return (await this.store.listArticles({ podcastId: 'default', limit: 10_000, cursor: null, processed: null })).items
  }

  posts(): Promise<readonly Post[]> {
    return postsAfter(this.store, 'default', '0', 10_000)
  }

  async poll({ source, posts }: Extract<Step, { kind: 'poll' }>): Promise<void> {
    const known = await this.posts()
    const candidates = posts.map(({ text, agoMinutes, reply }) => {
      const title = reply === 'marked' ? `R to @name: ${++this.made}` : `${++this.made}`
      const guid = known.findLast((post) => post.sourceId === 's2')?.guid
      const categories = reply === 'referring' ? [`replied_to:${guid ?? 'somebody'}`] : []
      const publishedAt = agoMinutes === null ? null : this.now - agoMinutes * MINUTE
      return candidate(title, { body: `text ${text}`, publishedAt, categories })
    })
    await putPosts(this.store, `s${source}`, candidates, this.now)
  }

  async aggregate(asked: Extract<Step, { kind: 'aggregate' }>): Promise<void> {
    const [before, posts] = [await this.articles(), await this.posts()]
    const again = asked.reprocess === null ? undefined : posts[asked.reprocess % Math.max(posts.length, 1)]
    const since = this.now - asked.windowDays * DAY
    const request = { podcastId: 'default', at: this.now, createdSince: since, publishedSince: since, mode: this.mode }
    this.db.crashAt = asked.crashAt
    const answers = await Promise.allSettled(
      Array.from({ length: asked.askers }, (_, index) =>
        this.store.aggregateArticles({ ...request, reprocessPostIds: again && index === 0 ? [again.id] : [] }),
      ),
    )
    for (const answer of answers) {
      if (answer.status === 'rejected' && !(answer.reason instanceof Crash)) throw answer.reason
    }
    const known = new Set(before.map(({ id }) => id))
    const created = (await this.articles()).filter(({ id }) => !known.has(id))
    for (const { id, postIds } of created) if (again && postIds.includes(again.id)) this.reprocessed.add(id)
    const written = answers.some(({ status }) => status === 'fulfilled') || asked.crashAt === 'after commit'
    if (!written) assert.deepEqual(await this.articles(), before)
    else await this.checkWindow(posts, since)
  }

  async checkWindow(posts: readonly Post[], since: number): Promise<void> {
    const linked = new Set((await this.articles()).flatMap(({ postIds }) => postIds))
    for (const { id, createdAt, publishedAt } of posts) {
      if (createdAt >= since && (publishedAt ?? since) >= since)
        assert.ok(linked.has(id), `post ${id} is in no article`)
    }
  }

  async read(limit: number): Promise<number> {
    const posts = await postsAfter(this.store, 'default', this.position, limit)
    this.seen.push(...posts.map(({ id }) => id))
    this.position = posts.at(-1)?.id ?? this.position
    return posts.length
  }

  async process(every: number): Promise<void> {
    const ids = (await this.articles()).map(({ id }) => id).filter((id) => Number(id) % every === 0)
    await this.store.markProcessed('default', ids, { at: 1000 })
  }

  /** Holds at any time. */
  async check(): Promise<void> {
    const articles = await this.articles()
    const first = articles.filter(({ id }) => !this.reprocessed.has(id)).flatMap(({ postIds }) => postIds)
    assert.equal(new Set(first).size, first.length, 'a post is in two articles')
    for (const { body, contentHash } of articles) {
      assert.equal(contentHash, createHash('sha256').update(body).digest('hex'))
    }
    const texts = new Set(articles.flatMap(({ postIds }) => postIds))
    assert.deepEqual(
      (await this.posts()).filter(({ id }) => !texts.has(id)).map(({ id }) => id),
      (await this.store.listPosts({ podcastId: 'default', limit: 10_000, cursor: null, unlinked: true })).items
        .map(({ id }) => id)
        .sort((a, b) => Number(a) - Number(b)),
    )
  }
}

async function live(world: World, steps: readonly Step[]): Promise<void> {
  await world.set()
  for (const one of steps) {
    if (one.kind === 'poll') await world.poll(one)
    else if (one.kind === 'aggregate') await world.aggregate(one)
    else if (one.kind === 'read') await world.read(one.limit)
    else if (one.kind === 'process') await world.process(one.every)
    else world.now += one.minutes * MINUTE
    await world.check()
  }
  while ((await world.read(3)) > 0) {
    // To the end.
  }
  const posts = await world.posts()
  assert.deepEqual(
    world.seen,
    posts.map(({ id }) => id),
  )
}

for (const mode of ['thread', 'digest'] as const) {
  test(`any course of events leaves every post in its place (${mode})`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
        const db = await openSqlite(':memory:')
        try {
          await migrate(db)
          await live(new World(db, mode), steps)
        } finally {
          await db.close()
        }
      }),
      { numRuns: mode === 'thread' ? 150 : 50 },
    )
  })
}
