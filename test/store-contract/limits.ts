// What a user may have is counted where it is written: parallel requests, also of two processes, do not pass the limit.
import assert from 'node:assert/strict'
import { Problem } from '../../src/domain/problem.ts'
import type { Webhook } from '../../src/domain/webhook.ts'
import type { SecretRow } from '../../src/ports/secret-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { ALL, aSource, type Check, NOW } from './fixtures.ts'

const MOST = 3
const AT_ONCE = 12

type Add = (store: Store, n: number, most: number | null) => Promise<unknown>

const webhook = (n: number): Webhook => ({
  ...{ id: `w${n}`, userId: 'default', url: 'https://a.example/', types: ['poll.finished'], trusted: false },
  ...{ createdAt: NOW, kind: 'webhook', includePosts: false, failures: 0, disabledAt: null, disabledReason: null },
})

const secretOf = (scope: SecretRow['scope'], ownerId: string): SecretRow => ({
  ...{ scope, ownerId, name: 'signing', keyId: 'k1', sealed: 'sealed', updatedAt: NOW },
})

const ADD: Readonly<Record<string, Add>> = {
  sources: (store, n, most) => store.addSource(aSource(`s${n}`), [], null, most),
  podcasts: (store, n, most) =>
    store.addPodcast(
      { id: `p${n}`, userId: 'default', name: `Podcast ${n}`, topic: null, maxArticleAgeDays: null, createdAt: NOW },
      most,
    ),
  tokens: (store, n, most) => {
    const about = { name: 'x', admin: false, createdAt: NOW, expiresAt: null, lastUsedAt: null }
    return store.addToken({ id: `t${n}`, userId: 'default', ...about }, `hash-${n}`, most)
  },
  cursors: (store, n, most) => {
    const limit = most === null ? null : { userId: 'default', most }
    return store.putCursor('default', { name: `c${n}`, position: '0', at: NOW }, limit)
  },
  webhooks: (store, n, most) => store.addWebhook(webhook(n), secretOf('webhook', `w${n}`), most),
}

export function limitsContract(check: Check): void {
  for (const [what, add] of Object.entries(ADD)) {
    check(`parallel requests do not pass the limit of ${what}`, async ({ store, again }) => {
      const other = await again()
      // The default podcast exists already.
      const before = what === 'podcasts' ? 1 : 0
      const tries = Array.from({ length: AT_ONCE }, (_, n) => add(n % 2 ? store : other, n, MOST))
      const ended = await Promise.allSettled(tries)
      const refused = ended.filter((end) => end.status === 'rejected').map(({ reason }) => reason)
      assert.equal(ended.length - refused.length, MOST - before)
      for (const error of refused) {
        assert.ok(error instanceof Problem && error.code === 'limit-reached', String(error))
        assert.ok(error.message.includes(`app.limits.${what}`), error.message)
      }
      await add(store, 99, null)
      await assert.rejects(add(store, 100, MOST), /limit/)
    })
  }

  check('what is refused for a limit leaves nothing behind', async ({ store }) => {
    await store.addSource(aSource('s1'), [], null, 1)
    const secret = secretOf('source', 's2')
    await assert.rejects(store.addSource(aSource('s2'), [], secret, 1), /limit/)
    assert.equal(await store.getSource('s2'), null)
    assert.equal(await store.getSecret('source', 's2', secret.name), null)
    // The same address again is a duplicate, not one too many.
    assert.equal(await store.addSource(aSource('s3', { url: 'https://a.example/s1' }), [], null, 1), 'exists')
  })

  check('a cursor that exists goes on when there are more than the limit', async ({ store }) => {
    for (const name of ['a', 'b']) await store.putCursor('default', { name, position: '0', at: NOW })
    const limit = { userId: 'default', most: 1 }
    assert.equal((await store.putCursor('default', { name: 'a', position: '0', at: NOW }, limit))?.name, 'a')
    await assert.rejects(store.putCursor('default', { name: 'c', position: '0', at: NOW }, limit), /limit/)
  })

  check('what a user has of what is limited is counted, without what others have', async ({ store }) => {
    await store.addUser({ id: 'u1', name: 'x', createdAt: NOW })
    for (const add of Object.values(ADD)) for (const n of [1, 2]) await add(store, n, null)
    const two = { sources: 2, podcasts: 3, tokens: 2, cursors: 2, webhooks: 2 }
    assert.deepEqual(await store.countOwned('default'), two)
    assert.deepEqual(await store.countOwned('u1'), { sources: 0, podcasts: 0, tokens: 0, cursors: 0, webhooks: 0 })
  })

  check('the limit counts what the owner has, not what others have', async ({ store }) => {
    await store.addUser({ id: 'u1', name: 'x', createdAt: NOW })
    await store.addPodcast({
      ...{ id: 'p1', userId: 'u1', name: 'x', topic: null },
      maxArticleAgeDays: null,
      createdAt: NOW,
    })
    for (let n = 0; n < 3; n++) await store.addSource(aSource(`s${n}`), [], null)
    assert.equal(await store.addSource(aSource('mine', { podcastId: 'p1', userId: 'u1' }), [], null, 1), 'added')
    assert.equal((await store.listSources({ ...ALL, podcastId: 'p1' })).items.length, 1)
  })
}
