import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFakeX } from './fake-x.ts'

const NOW = Date.UTC(2026, 1, 16, 12)

interface Answer {
  readonly status: number
  readonly headers: Headers
  // What the fake sends is the subject here, so tests look into it freely.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any
}

async function start(now = () => NOW) {
  const x = await startFakeX({ now })
  x.allowKey('good')
  x.accounts.add('1', 'Ada')
  const ask = async (path: string, key = 'good'): Promise<Answer> => {
    const response = await fetch(`${x.url}/2/users${path}`, { headers: { authorization: `Bearer ${key}` } })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  return { x, ask, [Symbol.asyncDispose]: () => x.close() }
}

const idsIn = ({ body }: Answer): string[] => (body.data ?? []).map((post: { id: string }) => post.id)
const post = (id: bigint | number, text = `post ${id}`) => ({ id: String(id), text, at: NOW })

test('only a valid key is answered: 401 without, 401 revoked, 403 forbidden', async () => {
  await using fake = await start()
  const bare = await fetch(`${fake.x.url}/2/users/by/username/ada`)
  await bare.body?.cancel()
  assert.equal(bare.status, 401)
  assert.equal((await fake.ask('/by/username/ada', 'bad')).status, 401)
  assert.deepEqual((await fake.ask('/by/username/ada')).body.data, { id: '1', name: 'Ada', username: 'Ada' })
  fake.x.forbidKey('good')
  assert.equal((await fake.ask('/by/username/ada')).status, 403)
  fake.x.revokeKey('good')
  assert.equal((await fake.ask('/by/username/ada')).status, 401)
  assert.deepEqual(
    fake.x.requests.map(({ key, status }) => [key, status]),
    [
      [null, 401],
      ['bad', 401],
      ['good', 200],
      ['good', 403],
      ['good', 401],
    ],
  )
})

test('who is unknown or suspended is a 200 with errors and without data', async () => {
  await using fake = await start()
  fake.x.accounts.add('2', 'bad')
  fake.x.accounts.change('2', { state: 'suspended' })
  for (const path of ['/by/username/nobody', '/by/username/bad', '/99/tweets', '/2/tweets']) {
    const { status, body } = await fake.ask(path)
    assert.equal(status, 200, path)
    assert.equal(body.data, undefined)
    assert.match(body.errors[0].type, /resource-not-found$/)
  }
})

test('since_id is exclusive, compared as a big integer, and pages go newest first by token', async () => {
  await using fake = await start()
  const first = 1_890_000_000_000_000_000n
  fake.x.accounts.post('1', post(999), ...Array.from({ length: 12 }, (_, i) => post(first + BigInt(i))))
  const query = `/1/tweets?max_results=5&since_id=${first}`
  const one = await fake.ask(query)
  const two = await fake.ask(`${query}&pagination_token=${one.body.meta.next_token}`)
  const three = await fake.ask(`${query}&pagination_token=${two.body.meta.next_token}`)
  const expected = Array.from({ length: 11 }, (_, i) => String(first + 11n - BigInt(i)))
  assert.deepEqual([...idsIn(one), ...idsIn(two), ...idsIn(three)], expected)
  assert.deepEqual(three.body.meta, { result_count: 1, newest_id: String(first + 1n), oldest_id: String(first + 1n) })
  const other = await fake.ask(`/1/tweets?max_results=5&pagination_token=${one.body.meta.next_token}`)
  assert.equal(other.status, 400, 'a token is good for its own question only')
})

test('bad parameters are refused', async () => {
  await using fake = await start()
  const bad = [
    'max_results=4',
    'max_results=101',
    'since_id=abc',
    'tweet.fields=nonsense',
    'pagination_token=x',
    'foo=1',
  ]
  for (const query of bad) assert.equal((await fake.ask(`/1/tweets?${query}`)).status, 400, query)
  assert.equal((await fake.ask('/by/username/not-a-name')).status, 400)
})

test('fields that were not asked for are not sent, text is encoded, and long text only whole in its note', async () => {
  await using fake = await start()
  const long = `<${'a'.repeat(300)}`
  fake.x.accounts.post('1', { ...post(1, long), refers: [{ type: 'quoted', id: '7' }] })
  const bare = await fake.ask('/1/tweets')
  assert.deepEqual(Object.keys(bare.body.data[0]).sort(), ['edit_history_tweet_ids', 'id', 'text'])
  assert.equal(bare.body.data[0].text, `&lt;${'a'.repeat(278)}…`)
  const full = await fake.ask('/1/tweets?tweet.fields=created_at,author_id,note_tweet,referenced_tweets')
  assert.equal(full.body.data[0].note_tweet.text, `&lt;${'a'.repeat(300)}`)
  assert.equal(full.body.data[0].created_at, '2026-02-16T12:00:00.000Z')
  assert.deepEqual(full.body.data[0].referenced_tweets, [{ type: 'quoted', id: '7' }])
})

test('the quota is per key and endpoint, says when it resets, and resets then', async () => {
  let now = NOW
  await using fake = await start(() => now)
  fake.x.allowKey('small', { requestsPerWindow: 1 })
  assert.equal((await fake.ask('/1/tweets', 'small')).headers.get('x-rate-limit-remaining'), '0')
  const over = await fake.ask('/1/tweets', 'small')
  assert.equal(over.status, 429)
  assert.equal(over.headers.get('x-rate-limit-reset'), String(NOW / 1000 + 900))
  assert.equal((await fake.ask('/by/username/ada', 'small')).status, 200)
  assert.equal((await fake.ask('/1/tweets', 'good')).status, 200)
  now += 900_000
  assert.equal((await fake.ask('/1/tweets', 'small')).status, 200)
})
