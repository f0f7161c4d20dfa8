import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rankFeeds } from './rank-feeds.ts'

const SITE = 'https://example.org'
type Given = string | readonly [path: string, title: string]
const first = (page: string, ...feeds: Given[]) => {
  const given = feeds.map((feed) => (typeof feed === 'string' ? [feed, null] : feed) as [string, string | null])
  const links = given.map(([path, title]) => ({ url: new URL(path, SITE).href, title }))
  return rankFeeds(links, new URL(page, SITE))[0]?.url.replace(SITE, '')
}

const IN_OTHER_LANGUAGES = [
  'A post için yorum akışı',
  '댓글 피드',
  'خلاصة تعليقات',
  'פיד תגובות',
  'hozzászólás hírcsatorna',
  'Ροή Σχολίων',
  'Flux comentarii',
  'Dòng bình luận',
  'Umpan Komentar',
  'Canal dels comentaris',
  'ฟีดความเห็น',
  '〈A post〉留言的資訊提供',
  'RSS komentářů',
  'įrašo komentarų srautas',
  'Komentāru plūsma',
  'Kanał z komentarzami',
  'Iruzkinen jarioa',
  'टिप्पणी फ़ीड',
]

describe('beside the feed of the site', () => {
  it('the feed of a post’s own address is about its comments, whatever language says so, and without a title', () => {
    for (const page of [
      '/2026/02/a-post/',
      '/2026/02/a-post',
      '/a-post/?utm_source=x',
      '/archives/123',
      '/über-uns/',
    ]) {
      const own = `${new URL(page, SITE).pathname.replace(/\/$/, '')}/feed/`
      for (const title of IN_OTHER_LANGUAGES)
        assert.equal(first(page, [own, `Site » ${title}`], ['/feed/', 'Site » Feed']), '/feed/', `${page} ${title}`)
      assert.equal(first(page, own, '/feed/'), '/feed/', page)
    }
  })

  it('so is every other form of it', () => {
    for (const own of ['/a-post/feed', '/a-post/feed/atom/', '/a-post/feed/rss2/', '/a-post/?feed=rss2'])
      assert.equal(first('/a-post/', own, '/feed/'), '/feed/', own)
    assert.equal(first('/?p=12', '/?feed=rss2&p=12', '/?feed=rss2'), '/?feed=rss2')
    assert.equal(first('/?page_id=2', '/?page_id=2&feed=atom', '/?feed=comments-rss2', '/?feed=rss2'), '/?feed=rss2')
  })

  it('where the site lies in a folder, or leaves its feed to a service, too', () => {
    assert.equal(first('/wp/a-post/', '/wp/a-post/feed/', '/wp/feed/'), '/wp/feed/')
    const service = 'https://feeds.feedburner.com/site'
    assert.equal(first('/a-post/', '/a-post/feed/', service), service)
  })

  it('the feed of a category, a tag, an author or a section holds its entries and comes first', () => {
    const paths = [
      '/category/x',
      '/tag/x-y',
      '/author/jane',
      '/product-category/tea',
      '/blog/category/a/b',
      '/topics/x',
    ]
    for (const path of [...paths, '/kategorie/x', '/blog', '/company/news', '/de', '/pt-br'])
      assert.equal(first(`${path}/`, '/feed/', `${path}/feed/`), `${path}/feed/`, path)
    assert.equal(
      first('/things/x/', ['/feed/', 'Site » Feed'], ['/things/x/feed/', 'Site » X Category Feed']),
      '/things/x/feed/',
    )
  })

  it('a feed that is not made of the page’s own address is what it was: its section’s', () => {
    assert.equal(first('/sport/', '/rss.xml', '/politics/rss.xml', '/sport/rss.xml'), '/sport/rss.xml')
    assert.equal(first('/a/b/', '/feed/', '/a/feed/'), '/a/feed/')
  })
})

it('without a feed of the site the feed of the page’s own address comes first', () => {
  assert.equal(first('/a-post/', '/a-post/feed/', '/other/feed/'), '/a-post/feed/')
  assert.equal(first('/a-post/', '/comments/feed/', '/a-post/feed/'), '/a-post/feed/')
})
