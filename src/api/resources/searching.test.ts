import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApi } from '../../../test/support/api.ts'
import { candidate, putPosts, putSource } from '../../../test/support/posts.ts'

const POSTS = '/api/users/default/podcasts/default/posts'

test('a search over REST has its language, excerpts and relevance, and says what is wrong with it', async () => {
  await using api = await startApi()
  const source = await putSource(api.store)
  await putPosts(api.store, source.id, [
    candidate('Storm', { body: 'short' }),
    candidate('大地震のニュース', {
      body: `${'前の文。'.repeat(100)}津波の心配はありません。${'後の文。'.repeat(100)}`,
    }),
    candidate('Other', { body: `${'Words before. '.repeat(40)}A storm warning. ${'Words after. '.repeat(40)}` }),
  ])
  const ask = async (query: Record<string, string>) => api.ask('GET', `${POSTS}?${new URLSearchParams(query)}`)
  const titles = async (query: Record<string, string>) =>
    (await ask(query)).body.items.map(({ title }: { title: string }) => title)
  assert.deepEqual(await titles({ q: 'storm' }), ['Other', 'Storm'])
  assert.deepEqual(await titles({ q: 'storm', sort: 'relevance' }), ['Storm', 'Other'])
  assert.deepEqual(await titles({ q: '"storm warning"' }), ['Other'])
  assert.deepEqual(await titles({ q: 'storm -warning' }), ['Storm'])
  assert.deepEqual(await titles({ q: 'title:storm' }), ['Storm'])
  assert.deepEqual(await titles({ q: '地震' }), ['大地震のニュース'])
  const [japanese] = (await ask({ q: '津波' })).body.items
  assert.match(japanese.excerpt, /^….*津波の心配は.*…$/)
  const [other] = (await ask({ q: '"storm warning"' })).body.items
  assert.match(other.excerpt, /^….*A storm warning\..*…$/)
  assert.equal((await ask({})).body.items[0].excerpt, undefined)
  for (const [query, path] of [
    [{ q: '-storm' }, 'q'],
    [{ q: 'storm', sort: 'best' }, 'sort'],
    [{ q: 'storm', sort: 'relevance', after: '0' }, 'sort'],
  ] as const) {
    const { status, body } = await ask(query)
    assert.deepEqual([status, body.errors[0].path], [400, path])
  }
  assert.deepEqual((await api.ask('GET', '/api/status')).body.search, { unindexedPosts: 0 })
})
