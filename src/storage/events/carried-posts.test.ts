import assert from 'node:assert/strict'
import { aCandidate, anEvent, aSource, NOW, poll, withSources } from '../../../test/store-contract/fixtures.ts'
import { useEngines } from '../../../test/support/engines.ts'
import { payloadOf } from '../../catalogue/people/webhooks.ts'
import type { Candidate } from '../../domain/post.ts'
import { MAX_MESSAGE_BYTES } from '../../domain/webhook.ts'
import type { Store } from '../../ports/store.ts'

const onBoth = useEngines()

async function addWebhook(store: Store, id: string, includePosts: boolean): Promise<void> {
  const secret = { scope: 'webhook', ownerId: id, name: 'signing', keyId: 'k', sealed: 's', updatedAt: NOW } as const
  await store.addWebhook(
    {
      ...{
        id,
        userId: 'default',
        url: 'https://receiver.example/',
        types: ['posts.created', 'posts.completed'],
        kind: 'webhook',
        includePosts,
      },
      ...{ trusted: false, failures: 0, disabledAt: null, disabledReason: null, createdAt: NOW },
    },
    secret,
  )
}

async function messagesAfter(store: Store, posts: readonly Candidate[], webhook: string) {
  const count = posts.length
  const events = [anEvent({ type: 'posts.created', data: { url: 'https://a.example/s1', count } })]
  await poll(store, 's1', { posts, effects: { events } })
  await store.queueDeliveries({ at: NOW, newMessageId: () => 'msg', payloadOf })
  const claimed = await store.claimDeliveries(webhook, { now: NOW, most: 10, host: null })
  return claimed.map(({ delivery }) => delivery.payload)
}

onBoth('a webhook that wants posts gets those of the poll, oldest first', async ({ store }) => {
  await withSources(store, aSource('s1'))
  await poll(store, 's1', { posts: [aCandidate(0)] })
  await addWebhook(store, 'with', true)
  await addWebhook(store, 'without', false)
  const [message = ''] = await messagesAfter(store, [aCandidate(1), aCandidate(2)], 'with')
  const { data } = JSON.parse(message)
  assert.deepEqual(
    data.posts.map((post: { title: string }) => post.title),
    ['Title 1', 'Title 2'],
  )
  assert.deepEqual([data.count, data.lastPostId, data.more], [2, '3', undefined])
  const [other] = await store.claimDeliveries('without', { now: NOW, most: 10, host: null })
  assert.equal(JSON.parse(other?.delivery.payload ?? '').data.posts, undefined)
})

onBoth('messages carry the title of the source, and the full text once it has arrived', async ({ store }) => {
  await withSources(store, aSource('s1', { label: 'My source' }))
  await addWebhook(store, 'with', true)
  const behind = { url: 'https://p.example/1', kind: 'page' } as const
  const post = aCandidate(1, { wantedText: { state: 'pending', reason: null, behind } })
  const [created = ''] = await messagesAfter(store, [post], 'with')
  const carried = JSON.parse(created).data.posts[0]
  assert.deepEqual([carried.sourceTitle, carried.fullText, carried.fullTextState], ['My source', null, 'pending'])
  const page = await store.nextPageOf('p.example', NOW, [])
  const postIds = [page?.post.id ?? '']
  await store.finishPage(
    { postId: postIds[0] ?? '', dueAt: page?.dueAt ?? 0 },
    {
      ...{ state: 'fetched', reason: null, text: 'The whole text', html: null, image: null, language: null },
      ...{ usagePreferences: 'noai', events: [anEvent({ type: 'posts.completed', data: { postIds } })] },
    },
  )
  await store.queueDeliveries({ at: NOW, newMessageId: () => 'msg2', payloadOf })
  const [message] = await store.claimDeliveries('with', { now: NOW, most: 10, host: null })
  const { data } = JSON.parse(message?.delivery.payload ?? '')
  assert.deepEqual([data.postIds, data.more, data.posts.length], [postIds, undefined, 1])
  const { fullText, fullTextState, usagePreferences, sourceTitle } = data.posts[0]
  assert.deepEqual([fullText, fullTextState, usagePreferences], ['The whole text', 'fetched', 'noai'])
  assert.equal(sourceTitle, 'My source')
})

onBoth('a message holds as many posts as fit 256 KiB and says that there are more', async ({ store }) => {
  await withSources(store, aSource('s1'))
  await addWebhook(store, 'with', true)
  // Quotes take two bytes each in JSON.
  const posts = Array.from({ length: 9 }, (_, n) => aCandidate(n, { body: `${n}${'"'.repeat(40_000)}` }))
  const [message = ''] = await messagesAfter(store, posts, 'with')
  const { data } = JSON.parse(message)
  assert.ok(Buffer.byteLength(message) <= MAX_MESSAGE_BYTES)
  assert.deepEqual([data.posts.length, data.more, data.count], [3, true, 9])
  assert.equal(data.posts[0].title, 'Title 0')
})
