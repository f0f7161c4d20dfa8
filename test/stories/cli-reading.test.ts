// Commands that show what came in, and who is told of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { startReceiver } from '../support/receiver.ts'
import { openShell } from '../support/run-cli.ts'

test('posts are sorted by relevance on request, across podcasts', async () => {
  await using origin = await startOrigin()
  using shell = openShell()
  const now = Date.now()
  origin.route('/a', { body: rss([{ title: 'Whales, whales and whales', guid: 'a', publishedAt: now - 1000 }]) })
  origin.route('/b', {
    body: rss([{ title: 'Ships', guid: 'b', publishedAt: now, body: 'Long ago a ship saw whales' }]),
  })
  await shell.tidings('podcast', 'create', 'Sea')
  await shell.tidings('add', `${origin.url}/a`, '--type', 'rss', '--podcast', 'Sea')
  await shell.tidings('add', `${origin.url}/b`, '--type', 'rss')
  const titles = async (...args: string[]) => {
    const { items } = (await shell.tidings('posts', '--json', ...args)).json<{ items: { title: string }[] }>()
    return items.map(({ title }) => title)
  }
  assert.deepEqual(await titles('--search', 'whales', '--sort', 'relevance'), ['Whales, whales and whales', 'Ships'])
  assert.deepEqual(await titles(), ['Ships', 'Whales, whales and whales'])
  assert.deepEqual(await titles('--podcast', 'Sea'), ['Whales, whales and whales'])
  const refused = await shell.tidings('posts', '--sort', 'relevance')
  assert.deepEqual([refused.code, refused.err], [2, '--sort relevance needs --search.\n'])
})

test('webhook test sends a signed message, and says so when nobody takes it', async () => {
  await using receiver = await startReceiver()
  using shell = openShell()
  const made = (await shell.tidings('webhook', 'create', receiver.url, '--json')).json<{ id: string }>()
  const sent = await shell.tidings('webhook', 'test', made.id)
  assert.deepEqual([sent.code, sent.err], [0, ''])
  assert.equal(receiver.received.length, 1)
  assert.match(String(receiver.received[0]?.headers['webhook-signature']), /^v1,/)
  receiver.answer = (_request, response) => response.writeHead(500).end()
  const failed = await shell.tidings('webhook', 'test', made.id)
  assert.equal(failed.code, 1, failed.out)
  assert.match(failed.err, /500/)
})
