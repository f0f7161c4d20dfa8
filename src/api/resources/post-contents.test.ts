// Posts with their contents, and the feeds and messages that carry them.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startApi, type TestApi } from '../../../test/support/api.ts'
import { candidate, putPosts } from '../../../test/support/posts.ts'
import { readFeed } from '../../index.ts'

const PODCAST = '/api/users/default/podcasts/default'
const HTML = '<h2>Head</h2><p>A <a href="https://e.example/?a=1&amp;b=2">link</a></p>'
const EXTRAS = {
  language: 'en-GB',
  image: 'https://e.example/i.jpg?a=1&b=2',
  enclosures: [
    { url: 'https://e.example/e.mp3', type: 'audio/mpeg', length: 12, duration: 60 },
    { url: 'https://e.example/v.mp4', type: 'video/mp4', length: null },
  ],
  commentsUrl: 'https://e.example/c',
}

describe('the contents of posts', () => {
  let api: TestApi
  before(async () => {
    api = await startApi()
    const url = 'https://example.org/feed'
    const { id } = await api.catalogue.sources.create('default', { type: 'rss', url, label: 'Example' })
    await putPosts(api.store, id, [candidate('plain'), candidate('rich', { ...EXTRAS, html: HTML })])
  })
  after(() => api.close())

  const post = async (query: string) => (await api.ask('GET', `${PODCAST}/posts${query}`)).body.items[0]

  it('are left out unless they are asked for', async () => {
    const rich = await post('')
    assert.ok(!('html' in rich) && !('markdown' in rich))
    assert.deepEqual({ ...rich, ...EXTRAS, sourceTitle: 'Example' }, rich)
  })

  it('are answered as HTML, as Markdown or both', async () => {
    assert.equal((await post('?include=html')).html, HTML)
    const both = await post('?include=html,markdown')
    assert.equal(both.markdown, '## Head\n\nA [link](https://e.example/?a=1&b=2)')
    assert.equal(both.html, HTML)
    const followed = await api.ask('GET', `${PODCAST}/posts?after=1&include=markdown`)
    assert.equal(followed.body.items[0].markdown, both.markdown)
    const plain = (await api.ask('GET', `${PODCAST}/posts?include=html,markdown`)).body.items[1]
    assert.deepEqual([plain.html, plain.markdown], [null, null])
  })

  it('come with one post too', async () => {
    const { id } = await post('')
    const told = await api.ask('GET', `${PODCAST}/posts/${id}?include=html`)
    assert.equal(told.body.html, HTML)
    assert.equal((await api.ask('GET', `${PODCAST}/posts/999`)).status, 404)
    assert.equal((await api.ask('GET', `/api/users/default/podcasts/other/posts/${id}`)).status, 404)
  })

  it('can be limited to some fields', async () => {
    assert.deepEqual(Object.keys(await post('?fields=id,title')), ['id', 'title'])
    assert.deepEqual(await post('?fields=html&include=html'), { html: HTML })
    const refused = await api.ask('GET', `${PODCAST}/posts?fields=secret&include=pdf`)
    assert.equal(refused.status, 400)
    assert.deepEqual(refused.body.errors.map(({ path }: { path: string }) => path.split('.')[0]).toSorted(), [
      'fields',
      'include',
    ])
  })

  for (const name of ['feed.xml', 'feed.atom', 'feed.json']) {
    it(`are carried by ${name}`, async () => {
      const told = await api.ask('GET', `${PODCAST}/${name}`)
      const url = `${api.url}${PODCAST}/${name}`
      const [rich, plain] = readFeed(Buffer.from(told.text), { url }).entries
      assert.equal(rich?.html, HTML)
      assert.equal(rich?.image, EXTRAS.image)
      assert.equal(rich?.language, EXTRAS.language)
      if (name !== 'feed.json') assert.equal(rich?.commentsUrl, EXTRAS.commentsUrl)
      assert.deepEqual(
        rich?.enclosures.map((one) => one.url),
        EXTRAS.enclosures.map((one) => one.url),
      )
      assert.equal(plain?.body, 'About plain')
    })
  }
})
