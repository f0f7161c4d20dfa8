import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tempCatalogue } from '../../../test/support/catalogue.ts'
import { Problem } from '../../domain/problem.ts'

const problem = (code: string, path?: string) => (error: unknown) =>
  error instanceof Problem && error.code === code && (path === undefined || error.errors.some((e) => e.path === path))

describe('people and what they own', () => {
  it('the default user and podcast can be renamed but not deleted', async () => {
    await using catalogue = await tempCatalogue()
    assert.equal((await catalogue.users.update('default', { name: 'Ann' })).name, 'Ann')
    assert.equal((await catalogue.podcasts.update('default', { name: 'Morning' })).name, 'Morning')
    await assert.rejects(catalogue.users.remove('default'), problem('not-deletable'))
    await assert.rejects(catalogue.podcasts.remove('default'), problem('not-deletable'))
  })

  it('names are trimmed, not blank, at most 200 characters and without control characters', async () => {
    await using catalogue = await tempCatalogue()
    assert.equal((await catalogue.users.create({ name: '  Ann ' })).name, 'Ann')
    for (const name of ['', '   ', 'a'.repeat(201), 'a\u0000b', 'a\u009bb', 7]) {
      await assert.rejects(catalogue.users.create({ name } as never), problem('invalid-input', 'name'))
    }
    await assert.rejects(catalogue.users.create({ name: 'a', role: 'x' } as never), problem('invalid-input', 'role'))
  })

  it('a podcast keeps what a PATCH leaves out and loses what a PUT leaves out', async () => {
    await using catalogue = await tempCatalogue()
    const made = await catalogue.podcasts.create('default', { name: 'A', topic: 'Tech', maxArticleAgeDays: 3 })
    const patched = await catalogue.podcasts.update(made.id, { maxArticleAgeDays: null })
    assert.deepEqual([patched.name, patched.topic, patched.maxArticleAgeDays], ['A', 'Tech', null])
    const put = await catalogue.podcasts.replace(made.id, { ...patched, topic: null, name: 'B' })
    assert.deepEqual([put.name, put.topic], ['B', null])
    await assert.rejects(catalogue.podcasts.update(made.id, { maxArticleAgeDays: 0 }), problem('invalid-input'))
  })

  it('a user takes podcasts, sources, tokens and keys along', async () => {
    await using catalogue = await tempCatalogue()
    const ann = await catalogue.users.create({ name: 'Ann' })
    const podcast = await catalogue.podcasts.create(ann.id, { name: 'Hers' })
    const source = await catalogue.sources.create(podcast.id, { type: 'rss', url: 'https://example.org/' })
    await catalogue.keys.put(ann.id, 'x', { apiKey: 'k' })
    await catalogue.users.remove(ann.id)
    for (const gone of [
      () => catalogue.users.get(ann.id),
      () => catalogue.podcasts.get(podcast.id),
      () => catalogue.sources.get(source.id),
      () => catalogue.keys.status(ann.id, 'x'),
    ]) {
      await assert.rejects(gone, problem('not-found'))
    }
  })

  it('lists of what does not exist are not found, not empty', async () => {
    await using catalogue = await tempCatalogue()
    await assert.rejects(catalogue.podcasts.list('nobody'), problem('not-found'))
    await assert.rejects(catalogue.sources.list('nowhere'), problem('not-found'))
    await assert.rejects(catalogue.tokens.list('nobody'), problem('not-found'))
    assert.equal((await catalogue.podcasts.list()).items.length, 1)
    assert.deepEqual(await catalogue.sources.list(), { items: [], nextCursor: null })
  })

  it('a token is shown once, stored as a hash, and expires in the future only', async () => {
    await using catalogue = await tempCatalogue()
    const { token, ...made } = await catalogue.tokens.create('default', {
      name: 'CI',
      expiresAt: '2026-02-18T00:00:00Z',
    })
    assert.match(token, /^tid_[\w-]{43}$/)
    assert.deepEqual((await catalogue.tokens.list('default')).items, [made])
    const late = catalogue.tokens.create('default', { name: 'CI', expiresAt: '2026-02-16T00:00:00Z' })
    await assert.rejects(late, problem('invalid-input', 'expiresAt'))
    for (const expiresAt of ['soon', '2026-02-18T00:00', 7]) {
      const bad = catalogue.tokens.create('default', { name: 'CI', expiresAt } as never)
      await assert.rejects(bad, problem('invalid-input', 'expiresAt'))
    }
    await catalogue.tokens.revoke('default', made.id)
    await assert.rejects(catalogue.tokens.revoke('default', made.id), problem('not-found'))
  })

  it('a token’s answer sent back makes another token with the same settings', async () => {
    await using catalogue = await tempCatalogue()
    const made = await catalogue.tokens.create('default', {
      name: 'CI',
      admin: true,
      expiresAt: '2026-02-18T00:00:00Z',
    })
    const again = await catalogue.tokens.create('default', made)
    assert.notEqual(again.id, made.id)
    assert.notEqual(again.token, made.token)
    assert.deepEqual([again.name, again.admin, again.expiresAt], [made.name, true, made.expiresAt])
  })

  it('a key is sealed, never shown, and makes the owner’s X sources due', async () => {
    await using catalogue = await tempCatalogue()
    const x = await catalogue.sources.create('default', { url: '@name' })
    const off = await catalogue.sources.create('default', { url: '@other', enabled: false })
    const feed = await catalogue.sources.create('default', { type: 'rss', url: 'https://example.org/' })
    assert.deepEqual(await catalogue.keys.status('default', 'x'), { provider: 'x', configured: false, updatedAt: null })
    await catalogue.keys.put('default', 'x', { apiKey: ' AAA%3D ' })
    const status = await catalogue.keys.status('default', 'x')
    assert.deepEqual(status, { provider: 'x', configured: true, updatedAt: '2026-02-17T10:00:00.000Z' })
    const row = await catalogue.store.getSecret('key', 'default', 'x')
    assert.ok(row && !row.sealed.includes('AAA'))
    assert.equal(await catalogue.secrets.open(row), 'AAA%3D')
    assert.equal((await catalogue.row(x.id)).nextPollAt, catalogue.clock.now())
    assert.equal((await catalogue.row(off.id)).nextPollAt, null)
    assert.equal((await catalogue.row(feed.id)).nextPollAt, null)
    await catalogue.keys.remove('default', 'x')
    await assert.rejects(catalogue.keys.remove('default', 'x'), problem('not-found'))
    await assert.rejects(catalogue.keys.put('default', 'y', { apiKey: 'k' }), problem('not-found'))
  })

  it('a bad key is refused without being shown', async () => {
    await using catalogue = await tempCatalogue()
    for (const apiKey of ['', 'hush hush', 'hush\r\nX: y', 'hüsh']) {
      await assert.rejects(catalogue.keys.put('default', 'x', { apiKey }), (error) => {
        assert.ok(error instanceof Problem)
        return error.errors[0]?.path === 'apiKey' && !/h.sh/.test(JSON.stringify(error.errors) + error.message)
      })
    }
  })
})
