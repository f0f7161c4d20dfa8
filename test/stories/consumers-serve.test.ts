// Programs that live on what a serve brings: over real sockets and real time, through its death and its return.
import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { Webhook as Verifier } from 'standardwebhooks'
import { askAt } from '../support/api.ts'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { startReceiver } from '../support/receiver.ts'
import { openShell } from '../support/run-cli.ts'
import { startServe } from '../support/serve-process.ts'
import { until } from '../support/until.ts'

const PODCAST = '/api/users/default/podcasts/default'

const HOUR = 3_600_000

interface Frame {
  readonly event?: string
  readonly id?: string
  readonly data?: Record<string, unknown>
}

/** A client of server-sent events, written from their specification. */
function listen(url: string, headers: Record<string, string> = {}) {
  const frames: Frame[] = []
  let response: IncomingMessage | undefined
  let rest = ''
  const request = get(url, { headers: { accept: 'text/event-stream', ...headers }, agent: false }, (answer) => {
    response = answer
    answer.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n\n')
      rest = parts.pop() ?? ''
      frames.push(...parts.map(frameOf))
    })
    answer.on('error', () => {})
  })
  request.on('error', () => {})
  return {
    frames,
    heard: (type: string) => frames.filter(({ event }) => event === type),
    listening: () => until('it listens', () => frames.length > 0),
    get status() {
      return response?.statusCode
    },
    get over() {
      return response?.destroyed === true || response?.complete === true
    },
    [Symbol.dispose]: () => void request.destroy(),
  }
}

function frameOf(text: string): Frame {
  const fields = new Map(
    text.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const data = fields.get('data')
  return {
    ...(fields.has('event') && { event: fields.get('event') ?? '' }),
    ...(fields.has('id') && { id: fields.get('id') ?? '' }),
    ...(data !== undefined && { data: JSON.parse(data) }),
  }
}

async function feedOrigin() {
  const origin = await startOrigin({ host: '127.0.0.3' })
  const items = [{ title: 'First', guid: '1', publishedAt: Date.now() + HOUR }]
  const publish = () => origin.route('/feed', { contentType: 'application/rss+xml', body: rss(items) })
  publish()
  return {
    origin,
    url: `${origin.url}/feed`,
    add(title: string) {
      items.push({ title, guid: title, publishedAt: Date.now() + HOUR + items.length * 1000 })
      publish()
    },
    [Symbol.asyncDispose]: () => origin.close(),
  }
}

test('a webhook and a listener hear of new posts; what a dead serve could not send, the next one has', async () => {
  using shell = openShell()
  await using feed = await feedOrigin()
  await using receiver = await startReceiver()
  await using first = await startServe(shell.folder)
  const ask = (method: string, path: string, body?: unknown) => askAt(first.url, method, path, { body })
  const hook = await ask('POST', '/api/users/default/webhooks', { url: receiver.url, types: ['posts.created'] })
  assert.equal(hook.status, 201)
  using events = listen(`${first.url}/api/events?types=posts.created,source.created`)
  await events.listening()
  const source = await ask('POST', `${PODCAST}/sources`, { url: feed.url, type: 'rss' })
  const poll = (url: string) =>
    askAt(url, 'POST', `${PODCAST}/sources/${source.body.id}/poll?wait=true`, { body: undefined })
  assert.equal((await poll(first.url)).body.outcome, 'success')
  await until('the webhook came', () => receiver.received.length === 1)
  await until('the listener heard', () => events.heard('posts.created').length === 1)
  assert.deepEqual(
    events.frames.slice(1).map(({ event }) => event),
    ['source.created', 'posts.created'],
  )
  const [heard] = events.heard('posts.created')
  assert.deepEqual(
    [heard?.data?.type, heard?.data?.sourceId, heard?.data?.url],
    ['posts.created', source.body.id, feed.url],
  )
  const verified = new Verifier(hook.body.secret).verify(
    receiver.received[0]?.body ?? '',
    receiver.received[0]?.headers as Record<string, string>,
  ) as { type: string; data: { sourceId: string } }
  assert.deepEqual([verified.type, verified.data.sourceId], ['posts.created', source.body.id])

  // The receiver is stuck, new posts come, and the serve dies with the message in its hands.
  receiver.answer = () => {}
  feed.add('Second')
  assert.equal((await poll(first.url)).body.created, 1)
  await until('the message is on its way', () => receiver.received.length === 2)
  first.process.kill('SIGKILL')
  await first.ended
  await until('the listener lost it', () => events.over)
  receiver.answer = (_request, response) => response.writeHead(204).end()

  await using second = await startServe(shell.folder)
  using resumed = listen(`${second.url}/api/events`, { 'last-event-id': heard?.id ?? '' })
  await until('what was missed is heard', () => resumed.heard('posts.created').length === 1)
  assert.equal(resumed.heard('gap').length, 0)
  feed.add('Third')
  await poll(second.url)
  await until('the next message came', () => receiver.received.length >= 3)
  // The claim of the dead one ends half a minute after it was made; the message is still there, under the same id.
  const { pending } = (await askAt(second.url, 'GET', `/api/users/default/webhooks/${hook.body.id}`)).body
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  // On a slow machine it may have come by now.
  assert.ok(pending === 1 || ids.lastIndexOf(ids[1]) > 1, `${pending} wait`)
})

test('a receiver that fails once gets the message again in real time', async (t) => {
  using shell = openShell()
  await using feed = await feedOrigin()
  await using receiver = await startReceiver()
  await using serve = await startServe(shell.folder)
  let failures = 0
  receiver.answer = (_request, response) => response.writeHead(failures++ === 0 ? 500 : 200).end()
  await askAt(serve.url, 'POST', '/api/users/default/webhooks', {
    body: { url: receiver.url, types: ['source.created'] },
  })
  await askAt(serve.url, 'POST', `${PODCAST}/sources`, { body: { url: feed.url, type: 'rss' } })
  const startedAt = performance.now()
  await until('it came twice', () => receiver.received.length === 2)
  t.diagnostic(`after ${Math.round((performance.now() - startedAt) / 1000)} s`)
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  assert.equal(ids[0], ids[1])
})

test('listeners are let go when a serve ends in order', async () => {
  using shell = openShell()
  await using serve = await startServe(shell.folder)
  using events = listen(`${serve.url}/api/events`)
  await events.listening()
  assert.equal(events.status, 200)
  serve.process.kill('SIGTERM')
  assert.equal(await serve.ended, 0)
  await until('it is over', () => events.over)
})
