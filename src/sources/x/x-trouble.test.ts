// What goes wrong with X, each with its class, its reason in words and what is asked afterwards.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCOUNT, documentIn, KEY, NOW, startXReading } from '../../../test/support/x-reading.ts'
import { classOf, type Failure, failureName } from '../../domain/outcome.ts'
import type { ReadResult } from '../../ports/reader.ts'

const POLLED = { lastSucceededAt: NOW, lastSeenId: `${ACCOUNT}:100` }
const paths = (requests: readonly { path: string }[]): string[] => requests.map(({ path }) => path)

function failureIn(read: ReadResult): Failure {
  if (read.kind === 'impossible' || read.kind === 'unreadable') return read.failure
  if (read.kind === 'ended' && (read.by.kind === 'status' || read.by.kind === 'failed')) return read.by.failure
  throw new Error(`expected a failure, got ${read.kind}`)
}

test('without a key for its owner nobody is asked, and the failure is permanent', async () => {
  await using reading = await startXReading()
  const read = await reading.read({ userId: 'u2' })
  const failure = { code: 'missing-key', httpStatus: null, reason: 'no X API key for user' } as const
  assert.deepEqual(read, { kind: 'impossible', failure })
  assert.equal(classOf(failure), 'permanent')
  assert.equal(failureName(failure), 'missing-key')
  assert.equal(reading.x.requests.length, 0)
})

test('a key that cannot be opened is the failure it comes with, and nobody is asked', async () => {
  const failure = { code: 'unreadable-secret', httpStatus: null, reason: 'sealed under another master key' } as const
  await using reading = await startXReading({ keyOf: async () => failure })
  assert.deepEqual(await reading.read(), { kind: 'impossible', failure })
  assert.equal(reading.x.requests.length, 0)
})

test("a source is asked about with its owner's key, never with another's", async () => {
  await using reading = await startXReading({ keyOf: async (userId) => `key-of-${userId}` })
  reading.x.allowKey('key-of-u1')
  reading.x.allowKey('key-of-u2')
  await reading.read({ userId: 'u1' })
  await reading.read({ userId: 'u2' })
  assert.deepEqual(
    reading.x.requests.map(({ key }) => key),
    ['key-of-u1', 'key-of-u1', 'key-of-u2', 'key-of-u2'],
  )
})

test('a revoked key ends in 401 and a forbidden one in 403, permanent, with the words of X', async () => {
  await using reading = await startXReading()
  reading.x.forbidKey(KEY)
  const forbidden = failureIn(await reading.read())
  assert.deepEqual([forbidden.code, forbidden.httpStatus, classOf(forbidden)], ['http-status', 403, 'permanent'])
  assert.match(forbidden.reason, /not attached to a project/)
  reading.x.revokeKey(KEY)
  const revoked = failureIn(await reading.read(POLLED))
  assert.deepEqual([revoked.code, revoked.httpStatus, classOf(revoked)], ['http-status', 401, 'permanent'])
  assert.match(revoked.reason, /401 Unauthorized/)
  assert.equal(reading.x.requests.length, 2)
})

test('a key that an answer echoes is not repeated in the reason', async () => {
  await using reading = await startXReading()
  const detail = `The token ${KEY} has expired`
  reading.x.answerOnce({ status: 401, body: { title: 'Unauthorized', detail } })
  assert.match(failureIn(await reading.read()).reason, /The token \*\*\* has expired/)
  reading.x.answerOnce({ status: 200, body: { errors: [{ detail }] } })
  assert.match(failureIn(await reading.read()).reason, /The token \*\*\* has expired/)
  reading.x.answerOnce({ status: 200, body: { data: [], errors: [{ detail }], meta: {} } })
  assert.deepEqual(documentIn(await reading.read(POLLED)).notes, ['X left something out: The token *** has expired'])
  const encoded = `The token ${Buffer.from(KEY).toString('base64').replace(/=+$/, '')} has expired`
  reading.x.answerOnce({ status: 401, body: { title: 'Unauthorized', detail: encoded } })
  assert.match(failureIn(await reading.read()).reason, /The token \*\*\* has expired/)
})

test('a used-up quota ends in 429 with the headers that say when it resets, in the middle of paging too', async () => {
  await using reading = await startXReading()
  reading.x.allowKey(KEY, { requestsPerWindow: 2 })
  reading.x.accounts.post(
    ACCOUNT,
    ...Array.from({ length: 300 }, (_, i) => ({ id: String(1000 + i), text: `post ${i}`, at: NOW })),
  )
  const read = await reading.read(POLLED)
  assert.ok(read.kind === 'ended' && read.by.kind === 'status')
  assert.equal(read.by.status, 429)
  assert.equal(read.by.headers['x-rate-limit-reset'], String(NOW / 1000 + 900))
  assert.equal(classOf(read.by.failure), 'transient')
  assert.equal(reading.x.requests.length, 3)
})

test('an unknown name is permanent although X answers 200', async () => {
  await using reading = await startXReading()
  const failure = failureIn(await reading.read({ url: 'https://x.com/nobody' }))
  assert.deepEqual([failure.code, classOf(failure)], ['unknown-user', 'permanent'])
  assert.equal(failure.reason, 'X knows no user @nobody: Could not find user with username: [nobody].')
})

test('a suspended account is permanent and called suspended, by name and by id', async () => {
  await using reading = await startXReading()
  reading.x.accounts.change(ACCOUNT, { state: 'suspended' })
  for (const source of [{}, POLLED]) {
    const failure = failureIn(await reading.read(source))
    assert.equal(failure.code, 'unknown-user')
    assert.match(failure.reason, /^@ada is suspended on X: User has been suspended/)
  }
})

test('a protected account may open again: transient', async () => {
  await using reading = await startXReading()
  reading.x.accounts.change(ACCOUNT, { state: 'protected' })
  const failure = failureIn(await reading.read(POLLED))
  assert.deepEqual([failure.code, classOf(failure)], ['api-error', 'transient'])
  assert.match(failure.reason, /not authorized to see the user/)
})

test('an id that X no longer knows is looked up again by name, and the new account is read from its beginning', async () => {
  await using reading = await startXReading()
  reading.x.accounts.remove(ACCOUNT)
  reading.x.accounts.add('777', 'ada')
  reading.x.accounts.post('777', { id: '50', text: 'here again', at: NOW })
  const read = documentIn(await reading.read(POLLED))
  assert.equal(read.mark, '777:50')
  assert.equal(read.candidates.length, 1)
  assert.deepEqual(read.notes, [`@ada is another account now: 777 instead of ${ACCOUNT}`])
  assert.deepEqual(paths(reading.x.requests), [
    `/2/users/${ACCOUNT}/tweets`,
    '/2/users/by/username/ada',
    '/2/users/777/tweets',
  ])
})

test('an id and a name that are both gone are an unknown user, after one look-up', async () => {
  await using reading = await startXReading()
  reading.x.accounts.remove(ACCOUNT)
  assert.equal(failureIn(await reading.read(POLLED)).code, 'unknown-user')
  assert.equal(reading.x.requests.length, 2)
})

test('a 404 for the id looks the name up; if that leads to the same id, the 404 stands', async () => {
  await using reading = await startXReading()
  reading.x.answerOnce({ status: 404, body: '' })
  const failure = failureIn(await reading.read(POLLED))
  assert.deepEqual([failure.code, failure.httpStatus, classOf(failure)], ['http-status', 404, 'permanent'])
  assert.deepEqual(paths(reading.x.requests), [`/2/users/${ACCOUNT}/tweets`, '/2/users/by/username/ada'])
})

test('an account that was renamed goes on by its id, under the name that the source has', async () => {
  await using reading = await startXReading()
  reading.x.accounts.change(ACCOUNT, { username: 'countess' })
  reading.x.accounts.post(ACCOUNT, { id: '101', text: 'new name', at: NOW })
  const read = documentIn(await reading.read(POLLED))
  assert.equal(read.candidates[0]?.url, 'https://x.com/ada/status/101')
  assert.equal(reading.x.requests.length, 1)
})

test('a mark that makes no sense is as good as none', async () => {
  await using reading = await startXReading()
  documentIn(await reading.read({ ...POLLED, lastSeenId: '2026-02-16T12:00:00.000Z' }))
  assert.equal(reading.x.requests[0]?.path, '/2/users/by/username/ada')
})

test('withheld posts are a note beside the others, even when a page holds nothing else', async () => {
  await using reading = await startXReading()
  reading.x.accounts.post(ACCOUNT, { id: '101', text: 'secret', at: NOW, withheld: true })
  const alone = documentIn(await reading.read(POLLED))
  assert.equal(alone.mark, `${ACCOUNT}:100`)
  reading.x.accounts.post(ACCOUNT, { id: '102', text: 'open', at: NOW })
  const beside = documentIn(await reading.read(POLLED))
  assert.equal(beside.candidates.length, 1)
  for (const { notes } of [alone, beside])
    assert.match(notes.join(), /not authorized to see the Tweet with id: \[101\]/)
})

test('a post without an id does not cost the others', async () => {
  await using reading = await startXReading()
  const data = [{ text: 'no id' }, { id: 12, text: 'a number' }, { id: '103', text: 'fine' }]
  reading.x.answerOnce({ status: 200, body: { data, meta: { result_count: 3 } } })
  const read = documentIn(await reading.read(POLLED))
  assert.deepEqual(
    read.candidates.map(({ guid }) => guid),
    ['103'],
  )
  assert.deepEqual(read.notes, ['2 posts without a usable id or text left out'])
})

test('an answer that is no JSON, or not what was asked for, cannot be read and is transient', async () => {
  await using reading = await startXReading()
  const bodies = ['<html>Something went wrong</html>', '', 'null', '[]', '{}', '{"data":"soon"}', '{"data":null}']
  for (const body of bodies) {
    for (const source of [{}, POLLED]) {
      reading.x.answerOnce({ status: 200, body })
      const read = await reading.read(source)
      assert.equal(read.kind, 'unreadable', body)
      assert.equal(failureIn(read).code, 'api-error')
      assert.equal(classOf(failureIn(read)), 'transient')
    }
  }
})

test('other errors in a 200 are transient, with the words of X', async () => {
  await using reading = await startXReading()
  reading.x.answerOnce({ status: 200, body: { errors: [{ title: 'Operation Unavailable', message: 'try\nlater' }] } })
  const failure = failureIn(await reading.read())
  assert.deepEqual([failure.code, failure.reason], ['api-error', 'X answered with an error: try later'])
  const aboutPost = { title: 'Not Found Error', resource_type: 'tweet', detail: 'Could not find tweet with id: [7].' }
  reading.x.answerOnce({ status: 200, body: { errors: [aboutPost] } })
  assert.equal(failureIn(await reading.read(POLLED)).code, 'api-error', 'a post that is gone is not an account that is')
})

test('server errors pass through as what they are', async () => {
  await using reading = await startXReading()
  for (const status of [500, 502, 503]) {
    reading.x.answerOnce({ status, body: 'over capacity' })
    const failure = failureIn(await reading.read(POLLED))
    assert.deepEqual([failure.code, failure.httpStatus, classOf(failure)], ['http-status', status, 'transient'])
  }
})

test('a redirect is not followed: the key goes nowhere else', async () => {
  await using reading = await startXReading()
  reading.x.answerOnce({ status: 302, headers: { location: `${reading.x.url}/2/users/1/tweets` }, body: '' })
  const failure = failureIn(await reading.read(POLLED))
  assert.equal(failure.httpStatus, 302)
  assert.equal(reading.x.requests.length, 1)
})

test('a row whose address is no account fails in words, and nobody is asked', async () => {
  await using reading = await startXReading()
  for (const url of ['ada', 'https://example.com/ada', 'https://x.com/', 'https://x.com/../2/tweets']) {
    assert.equal(failureIn(await reading.read({ url })).code, 'bad-url', url)
  }
  assert.equal(reading.x.requests.length, 0)
})
