import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCOUNT, documentIn, KEY, NOW, startXReading, X_OPTIONS, xSource } from '../../../test/support/x-reading.ts'
import type { Source } from '../../domain/source.ts'
import { createXSource } from './x-source.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Beyond what a double can tell apart. */
const FIRST = 1_890_000_000_000_000_000n
const id = (n: number): string => String(FIRST + BigInt(n))
const posts = (from: number, to: number, at = NOW - MINUTE) =>
  Array.from({ length: to - from + 1 }, (_, i) => ({ id: id(from + i), text: `post ${from + i}`, at: at + from + i }))

const POLLED = { lastSucceededAt: NOW - HOUR }

test('the first poll looks the name up, later ones go by the id and ask only for what is newer', async () => {
  await using reading = await startXReading()
  const { x, read } = reading
  x.accounts.post(ACCOUNT, ...posts(1, 2))
  const first = documentIn(await read())
  assert.equal(first.mark, `${ACCOUNT}:${id(2)}`)
  x.accounts.post(ACCOUNT, ...posts(3, 3))
  const second = documentIn(await read({ ...POLLED, lastSeenId: `${ACCOUNT}:${id(2)}` }))
  assert.equal(second.mark, `${ACCOUNT}:${id(3)}`)
  assert.deepEqual(
    second.candidates.map((candidate) => candidate.guid),
    [id(3)],
  )
  const fields = { 'tweet.fields': 'created_at,author_id,note_tweet,referenced_tweets', max_results: '100' }
  assert.deepEqual(
    x.requests.map(({ path, query, key, status }) => ({ path, query, key, status })),
    [
      { path: '/2/users/by/username/ada', query: {}, key: KEY, status: 200 },
      {
        path: `/2/users/${ACCOUNT}/tweets`,
        query: { start_time: '2026-02-16T11:00:00Z', ...fields },
        key: KEY,
        status: 200,
      },
      { path: `/2/users/${ACCOUNT}/tweets`, query: { since_id: id(2), ...fields }, key: KEY, status: 200 },
    ],
  )
})

test('an account that posted nothing yet leaves a mark without a post, and that mark is enough to go on', async () => {
  await using reading = await startXReading()
  const empty = documentIn(await reading.read())
  assert.deepEqual(empty.candidates, [])
  assert.equal(empty.mark, `${ACCOUNT}:`)
  reading.x.accounts.post(ACCOUNT, ...posts(1, 1))
  const next = documentIn(await reading.read({ ...POLLED, lastSeenId: `${ACCOUNT}:` }))
  assert.equal(next.mark, `${ACCOUNT}:${id(1)}`)
  assert.equal(next.candidates.length, 1)
  assert.equal(reading.x.requests.filter(({ path }) => path.includes('/by/')).length, 1)
})

test('a poll that finds nothing new keeps the mark, and is a document, not "unchanged"', async () => {
  await using reading = await startXReading()
  const source = { ...POLLED, lastSeenId: `${ACCOUNT}:${id(5)}` }
  const first = documentIn(await reading.read(source))
  const again = documentIn(await reading.read({ ...source, bodyHash: first.bodyHash }))
  assert.equal(again.mark, source.lastSeenId)
  assert.equal(again.bodyHash, first.bodyHash)
})

test('pages are read until caught up; candidates come newest first, each once', async () => {
  await using reading = await startXReading()
  reading.x.accounts.post(ACCOUNT, ...posts(1, 250))
  const read = documentIn(await reading.read({ ...POLLED, lastSeenId: `${ACCOUNT}:${id(10)}` }))
  assert.deepEqual(
    read.candidates.map((candidate) => candidate.guid),
    posts(11, 250)
      .map((post) => post.id)
      .reverse(),
  )
  assert.equal(reading.x.requests.length, 3)
  assert.deepEqual(read.notes, [])
})

test('a full last page promises a page that turns out empty, and that is being caught up', async () => {
  await using reading = await startXReading()
  reading.x.accounts.post(ACCOUNT, ...posts(1, 100))
  const read = documentIn(await reading.read({ ...POLLED, lastSeenId: `${ACCOUNT}:` }))
  assert.equal(read.candidates.length, 100)
  assert.equal(reading.x.requests.length, 2)
  assert.deepEqual(read.notes, [])
  assert.equal(read.mark, `${ACCOUNT}:${id(100)}`)
})

test('after five pages the newest 500 are kept, and the note says which posts were given up', async () => {
  await using reading = await startXReading()
  reading.x.accounts.post(ACCOUNT, ...posts(1, 700))
  const read = documentIn(await reading.read({ ...POLLED, lastSeenId: `${ACCOUNT}:${id(50)}` }))
  assert.equal(reading.x.requests.length, 5)
  assert.equal(read.candidates.length, 500)
  assert.equal(read.mark, `${ACCOUNT}:${id(700)}`)
  assert.equal(read.notes.length, 1)
  assert.match(read.notes[0] ?? '', new RegExp(`between ${id(50)} and ${id(201)} were not read`))
})

test('a page that fails gives nothing out, so that the next poll reads all of it', async () => {
  await using reading = await startXReading()
  reading.x.accounts.post(ACCOUNT, ...posts(1, 250))
  const source = { ...POLLED, lastSeenId: `${ACCOUNT}:` }
  reading.x.answerOnce({ status: 503, body: 'over capacity' }, 1)
  assert.equal((await reading.read(source)).kind, 'ended')
  assert.equal(documentIn(await reading.read(source)).candidates.length, 250)
})

test('a first poll does not page through a history that it would drop', async () => {
  await using reading = await startXReading()
  reading.x.accounts.post(ACCOUNT, ...posts(1, 400, NOW - 48 * HOUR), ...posts(401, 403))
  const read = documentIn(await reading.read())
  assert.equal(reading.x.requests.length, 2)
  assert.equal(read.mark, `${ACCOUNT}:${id(403)}`)
  assert.deepEqual(read.notes, [])
  const withBackfill = documentIn(await reading.read({ backfillDays: 30 }))
  assert.equal(withBackfill.candidates.length, 403)
})

test('after its backfill was raised, the same account is read back to there, not only since the mark', async () => {
  await using reading = await startXReading()
  reading.x.accounts.post(ACCOUNT, ...posts(1, 3))
  const mark = `${ACCOUNT}:${id(3)}`
  const raised = { ...POLLED, lastSeenId: mark, choosesAsFirst: true, backfillDays: 30 }
  const read = documentIn(await reading.read(raised))
  assert.deepEqual([read.candidates.length, read.mark], [3, mark])
  assert.deepEqual(
    reading.x.requests.map(({ path }) => path),
    [`/2/users/${ACCOUNT}/tweets`],
  )
})

test('without a post in the mark only what may be kept is asked for: since the source, its backfill, the age limit', async () => {
  await using reading = await startXReading()
  const startOf = async (source: Partial<Source>) => {
    await reading.read(source)
    return reading.x.requests.at(-1)?.query.start_time
  }
  const empty = { ...POLLED, lastSeenId: `${ACCOUNT}:` }
  assert.equal(await startOf({}), '2026-02-16T11:00:00Z')
  assert.equal(await startOf(empty), '2026-02-16T11:00:00Z')
  assert.equal(await startOf({ backfillDays: 2 }), '2026-02-14T11:00:00Z')
  assert.equal(await startOf({ backfillDays: 30 }), '2026-02-09T12:00:00Z')
  assert.equal(await startOf({ ...empty, createdAt: NOW - 30 * 24 * HOUR }), '2026-02-09T12:00:00Z')
  assert.equal(await startOf({ createdAt: NOW }), '2026-02-16T11:59:00Z', 'X refuses what is not past by its own clock')
  assert.equal(await startOf({ ...POLLED, lastSeenId: `${ACCOUNT}:${id(1)}` }), undefined)
  assert.ok(reading.x.requests.every(({ status }) => status === 200))
})

test('an age limit that is longer than the history of X asks since its beginning', async () => {
  await using reading = await startXReading({ maxArticleAgeDays: async () => 100_000 })
  await reading.read({ backfillDays: 100_000 })
  const { query, status } = reading.x.requests.at(-1) ?? {}
  assert.deepEqual([query?.start_time, status], ['2010-11-06T00:00:01Z', 200])
})

test('every post that X returned is counted for the owner, also when a later page fails', async () => {
  const counted: [string, number][] = []
  const count = async (userId: string, posts: number) => void counted.push([userId, posts])
  await using reading = await startXReading({ usage: { count, waiting: async () => null } })
  reading.x.accounts.post(ACCOUNT, ...posts(1, 150))
  const source = { ...POLLED, lastSeenId: `${ACCOUNT}:` }
  reading.x.answerOnce({ status: 503, body: 'over capacity' }, 1)
  assert.equal((await reading.read(source)).kind, 'ended')
  assert.deepEqual(counted, [['u1', 100]])
  documentIn(await reading.read(source))
  assert.deepEqual(counted.slice(1), [
    ['u1', 100],
    ['u1', 50],
  ])
})

test('ids that only differ beyond the precision of a double stay apart', async () => {
  await using reading = await startXReading()
  reading.x.accounts.post(ACCOUNT, ...posts(1, 3))
  const read = documentIn(await reading.read({ ...POLLED, lastSeenId: `${ACCOUNT}:${id(1)}` }))
  assert.deepEqual(
    read.candidates.map((candidate) => candidate.guid),
    [id(3), id(2)],
  )
  assert.equal(read.mark, `${ACCOUNT}:${id(3)}`)
})

test('a server that ignores since_id does not make old posts new', async () => {
  await using reading = await startXReading()
  const data = posts(1, 3).map((post) => ({ id: post.id, text: post.text }))
  reading.x.answerOnce({ status: 200, body: { data, meta: { result_count: 3, next_token: 'more' } } })
  const read = documentIn(await reading.read({ ...POLLED, lastSeenId: `${ACCOUNT}:${id(2)}` }))
  assert.deepEqual(
    read.candidates.map((candidate) => candidate.guid),
    [id(3)],
  )
  assert.equal(reading.x.requests.length, 1)
})

test('the mark is the highest id, whatever the order of the answer', async () => {
  await using reading = await startXReading()
  const data = [2, 3, 1].map((n) => ({ id: id(n), text: `post ${n}` }))
  reading.x.answerOnce({ status: 200, body: { data, meta: { result_count: 3 } } })
  const read = documentIn(await reading.read({ ...POLLED, lastSeenId: `${ACCOUNT}:` }))
  assert.equal(read.mark, `${ACCOUNT}:${id(3)}`)
  assert.deepEqual(
    read.candidates.map((candidate) => candidate.guid),
    [id(3), id(2), id(1)],
  )
})

test('long posts, entities, replies and retweets arrive whole and marked', async () => {
  await using reading = await startXReading()
  const long = `<b> & ${'long '.repeat(100)}`
  reading.x.accounts.post(
    ACCOUNT,
    { id: id(1), text: long, at: NOW },
    { id: id(2), text: 'and another thing', at: NOW, refers: [{ type: 'replied_to', id: id(1) }] },
    { id: id(3), text: 'RT @bob: yes', at: NOW, refers: [{ type: 'retweeted', id: '77' }] },
  )
  const read = documentIn(await reading.read())
  assert.deepEqual(
    read.candidates.map(({ body, categories }) => ({ body, categories })),
    [
      { body: 'RT @bob: yes', categories: ['retweet', 'retweeted:77'] },
      { body: 'and another thing', categories: ['reply', `replied_to:${id(1)}`] },
      { body: long, categories: [] },
    ],
  )
  assert.equal(read.candidates[0]?.publishedAt, NOW)
})

test('a base address with a path and a slash at its end is asked correctly', async () => {
  const asked: string[] = []
  const reader = createXSource({ ...X_OPTIONS, baseUrl: 'http://gateway.test/x/' })
  await reader.read(xSource(), {
    fetch: async ({ url }) => {
      asked.push(url)
      return { kind: 'given-up', because: 'stopping' }
    },
  })
  assert.deepEqual(asked, ['http://gateway.test/x/2/users/by/username/ada'])
})
