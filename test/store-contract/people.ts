import assert from 'node:assert/strict'
import type { SecretRow } from '../../src/ports/secret-store.ts'
import { eventOf } from '../support/events.ts'
import { anySecret } from '../support/read-store.ts'
import { ALL, type Check, NOW } from './fixtures.ts'

export function peopleContract(check: Check): void {
  check('the default user and podcast exist from the first start', async ({ store, again }) => {
    assert.equal((await store.getUser('default'))?.id, 'default')
    assert.equal((await store.getPodcast('default'))?.userId, 'default')
    await store.renameUser('default', 'Ada')
    const second = await again()
    assert.equal((await second.getUser('default'))?.name, 'Ada')
    assert.equal((await second.listUsers(ALL)).items.length, 1)
  })

  check('users and podcasts are read back as they were stored', async ({ store }) => {
    const user = { id: 'u1', name: 'Grace ☕', createdAt: NOW }
    const podcast = { id: 'p1', userId: 'u1', name: 'Tech', topic: null, maxArticleAgeDays: 3, createdAt: NOW }
    await store.addUser(user)
    await store.addPodcast(podcast)
    assert.deepEqual(await store.getUser('u1'), user)
    assert.deepEqual(await store.getPodcast('p1'), podcast)
    assert.equal(await store.getUser('nobody'), null)
    assert.equal(await store.getPodcast('nothing'), null)
    assert.deepEqual((await store.listPodcasts('u1', ALL)).items, [podcast])
    assert.equal((await store.listPodcasts(null, ALL)).items.length, 2)
  })

  check(
    'no two users have the same name, and no two podcasts of a user, also when asked at once',
    async ({ store }) => {
      const user = (id: string, name: string) => store.addUser({ id, name, createdAt: NOW })
      assert.deepEqual((await Promise.all([user('u1', 'Ann'), user('u2', 'Ann')])).toSorted(), ['added', 'name-taken'])
      const taken = (await store.getUser('u1')) ? 'u2' : 'u1'
      assert.equal(await user(taken, 'Bob'), 'added')
      assert.equal(await store.renameUser(taken, 'Ann'), 'name-taken')
      assert.equal((await store.getUser(taken))?.name, 'Bob')
      const podcast = (id: string, userId: string, name: string) =>
        store.addPodcast({ id, userId, name, topic: null, maxArticleAgeDays: null, createdAt: NOW })
      const both = await Promise.all([podcast('p1', 'u1', 'News'), podcast('p2', 'u1', 'News')])
      assert.deepEqual(both.toSorted(), ['added', 'name-taken'])
      assert.equal(await podcast('p3', 'u2', 'News'), 'added')
      assert.equal(await podcast('p4', 'u2', 'More'), 'added')
      assert.equal(await store.changePodcast('p4', { name: 'News' }), 'name-taken')
      assert.ok(await store.changePodcast('p4', { name: 'More', topic: 'x' }))
    },
  )

  check(
    'a change of a podcast keeps the fields it does not name and clears those it sets to null',
    async ({ store }) => {
      await store.addPodcast({
        id: 'p1',
        userId: 'default',
        name: 'Tech',
        topic: 'chips',
        maxArticleAgeDays: 3,
        createdAt: NOW,
      })
      await store.changePodcast('p1', { maxArticleAgeDays: null })
      assert.equal((await store.getPodcast('p1'))?.topic, 'chips')
      const changed = await store.changePodcast('p1', { name: 'Technology' })
      assert.deepEqual(changed, await store.getPodcast('p1'))
      assert.equal((await store.getPodcast('p1'))?.maxArticleAgeDays, null)
      assert.equal(await store.changePodcast('nothing', { name: 'x' }), null)
      assert.equal(await store.renameUser('nobody', 'x'), null)
    },
  )

  check('pages follow each other without gap or repetition, even with equal timestamps', async ({ store }) => {
    for (let n = 0; n < 7; n++) await store.addUser({ id: `u${n}`, name: `User ${n}`, createdAt: NOW })
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page = await store.listUsers({ limit: 3, cursor })
      assert.ok(page.items.length <= 3)
      seen.push(...page.items.map((user) => user.id))
      cursor = page.nextCursor
    } while (cursor)
    assert.deepEqual(seen.toSorted(), ['default', 'u0', 'u1', 'u2', 'u3', 'u4', 'u5', 'u6'])
  })

  check('an invalid cursor is refused, and the error names the field', async ({ store }) => {
    for (const cursor of [
      '',
      'abc',
      Buffer.from('["x"]').toString('base64url'),
      Buffer.from('{}').toString('base64url'),
    ]) {
      await assert.rejects(store.listUsers({ limit: 3, cursor }), { code: 'invalid-input' })
    }
  })

  check('a token is found only by its hash and removed only by its owner', async ({ store }) => {
    const token = {
      id: 't1',
      userId: 'default',
      name: 'laptop',
      admin: true,
      createdAt: NOW,
      expiresAt: NOW + 1000,
      lastUsedAt: null,
    }
    await store.addToken(token, 'hash')
    assert.deepEqual(await store.findToken('hash'), token)
    assert.equal(await store.findToken('other'), null)
    assert.equal(await store.removeToken('somebody', 't1'), false)
    assert.deepEqual((await store.listTokens('default', ALL)).items, [token])
    assert.equal(await store.removeToken('default', 't1'), true)
    assert.equal(await store.findToken('hash'), null)
  })

  check('the last use of a token is stored to the minute', async ({ store }) => {
    const token = {
      id: 't1',
      userId: 'default',
      name: '',
      admin: false,
      createdAt: NOW,
      expiresAt: null,
      lastUsedAt: null,
    }
    await store.addToken(token, 'hash')
    await store.touchToken('t1', NOW)
    await store.touchToken('t1', NOW + 59_999)
    assert.equal((await store.findToken('hash'))?.lastUsedAt, NOW)
    await store.touchToken('t1', NOW + 60_000)
    assert.equal((await store.findToken('hash'))?.lastUsedAt, NOW + 60_000)
  })

  check('test fetches of a user are counted together by all that work on the store', async ({ store, again }) => {
    const other = await again()
    await store.addUser({ id: 'u1', name: 'Ann', createdAt: NOW })
    const taken = await Promise.all(
      Array.from({ length: 12 }, (_, n) => (n % 2 ? store : other).takeTestFetch('default', 10, NOW)),
    )
    assert.deepEqual(
      taken.filter((until) => until !== null),
      [NOW + 60_000, NOW + 60_000],
    )
    assert.equal(await other.takeTestFetch('u1', 10, NOW), null)
    assert.equal(await other.takeTestFetch('default', 10, NOW + 59_999), NOW + 60_000)
    assert.equal(await store.takeTestFetch('default', 10, NOW + 60_000), null)
    assert.equal(await store.takeTestFetch('nobody', 10, NOW), null)
    assert.equal((await store.getUser('default'))?.id, 'default')
  })

  check('a secret is replaced in place, and found if it is not under the given key', async ({ store }) => {
    const secret: SecretRow = {
      scope: 'key',
      ownerId: 'default',
      name: 'x',
      keyId: 'k1',
      sealed: 'sealed',
      updatedAt: NOW,
    }
    assert.equal(await anySecret(store), null)
    await store.putKey(secret)
    await store.putKey({ ...secret, keyId: 'k2', sealed: 'again' })
    assert.deepEqual(await store.getSecret('key', 'default', 'x'), { ...secret, keyId: 'k2', sealed: 'again' })
    assert.equal((await store.secretsNotUnder('k1', 10)).length, 1)
    assert.equal((await store.secretsNotUnder('k2', 10)).length, 0)
    assert.equal((await anySecret(store))?.keyId, 'k2')
    const newer = { ...secret, keyId: 'k3', sealed: 'newer' }
    assert.equal(await store.resealSecret(newer, 'replaced meanwhile'), false)
    assert.equal((await store.getSecret('key', 'default', 'x'))?.sealed, 'again')
    assert.equal(await store.resealSecret(newer, 'again'), true)
    assert.deepEqual(await store.getSecret('key', 'default', 'x'), newer)
    assert.equal(await store.removeSecret('key', 'default', 'x'), true)
    assert.equal(await store.resealSecret(secret, 'newer'), false)
    assert.equal(await anySecret(store), null)
    assert.equal(await store.removeSecret('key', 'default', 'x'), false)
  })

  check(
    'posts that X returned add up by user and day, also when counted at once, and go with the user',
    async ({ store, again }) => {
      const second = await again()
      for (const id of ['u1', 'u2']) await store.addUser({ id, name: id, createdAt: NOW })
      const count = (index: number) => (index % 2 === 0 ? store : second).countXPostsRead('u1', 100, 5)
      await Promise.all(Array.from({ length: 20 }, (_, index) => count(index)))
      await store.countXPostsRead('u1', 101, 7)
      await store.countXPostsRead('u2', 101, 1)
      assert.deepEqual([await store.xPostsReadSince('u1', 100), await store.xPostsReadSince('u1', 101)], [107, 7])
      assert.equal(await store.xPostsReadSince('u2', 102), 0)
      assert.deepEqual(await store.xPostsReadOn(101), [
        { userId: 'u1', posts: 7 },
        { userId: 'u2', posts: 1 },
      ])
      await store.countXPostsRead('u1', 163, 2)
      assert.equal(await store.xPostsReadSince('u1', 0), 9, 'the days before two months ago are dropped')
      await store.removeUser('u1')
      await store.countXPostsRead('u1', 163, 2)
      assert.deepEqual([await store.xPostsReadSince('u1', 0), await store.xPostsReadSince('u2', 0)], [0, 1])
    },
  )

  check('a value under a key is read back, and the last one written counts', async ({ store }) => {
    assert.equal(await store.readMeta('tick'), null)
    await store.writeMeta('tick', '1')
    await store.writeMeta('tick', '2', [eventOf('outage.ended', { userId: null })])
    assert.equal(await store.readMeta('tick'), '2')
    assert.deepEqual(
      (await store.eventsAfter('0', 10)).map(({ type }) => type),
      ['outage.ended'],
    )
  })
}
