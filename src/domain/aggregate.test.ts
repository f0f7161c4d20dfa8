import assert from 'node:assert/strict'
import { test } from 'node:test'
import { candidate } from '../../test/support/posts.ts'
import { type AggregatedSource, type AggregationInput, aggregate, draftText, isAggregated } from './aggregate.ts'
import { joinedBodies, onX } from './article-text.ts'
import { NO_EXTRAS, type Post } from './post.ts'
import type { EarlierPost } from './threads.ts'

const AT = Date.parse('2026-02-16T10:00:00Z')
const MINUTE = 60_000
const SOURCE: AggregatedSource = {
  ...{ id: 's', url: 'https://nitter.net/name/rss', host: 'nitter.net', aggregate: null, typeAggregates: false },
}
const MIRROR: AggregatedSource = { ...SOURCE, id: 'mirror', url: 'https://nitter.example/name/rss' }
const PLAIN: AggregatedSource = { ...SOURCE, id: 'plain', url: 'https://news.example/feed', host: 'news.example' }

let ids = 0
function post(title: string, minutes: number, given: Partial<Post> = {}): Post {
  const publishedAt = AT + minutes * MINUTE
  return {
    ...{ ...NO_EXTRAS, ...candidate(title, { publishedAt, ...given }) },
    ...{
      id: String(++ids),
      sourceId: 's',
      createdAt: AT,
      transcriptUrl: null,
      fullTextState: 'none',
      fullTextReason: null,
    },
    ...given,
  }
}

function made(posts: readonly Post[], given: Partial<AggregationInput> & { readonly earlierOfS?: EarlierPost[] } = {}) {
  const { earlierOfS = [], mode = 'thread', articleByHash = new Map() } = given
  const sources = new Map([SOURCE, MIRROR, PLAIN].map((source) => [source.id, source]))
  const decided = aggregate({ posts, sources, articleByHash, mode, earlier: earlierOfS })
  return {
    ...decided,
    drafts: decided.drafts.map((draft) => ({ sourceId: draft.source.id, ...draft, ...draftText(draft, mode) })),
    joins: decided.joins.map((join) => ({ ...join, body: joinedBodies(join.posts) })),
  }
}

function titles(posts: readonly Post[], given = {}): string[][] {
  return made(posts, given).drafts.map((draft) => draft.posts.map(({ title }) => title))
}

test('explicit aggregate decides, else X accounts and nitter hosts are aggregated', () => {
  assert.equal(isAggregated(SOURCE), true)
  assert.equal(isAggregated({ ...SOURCE, host: 'feeds.nitter.example.org' }), true)
  assert.equal(isAggregated({ ...SOURCE, host: 'notnitter.net' }), false)
  assert.equal(isAggregated({ ...SOURCE, aggregate: false }), false)
  assert.equal(isAggregated({ ...PLAIN, typeAggregates: true, host: 'x.com' }), true)
  assert.equal(isAggregated(PLAIN), false)
  assert.equal(isAggregated({ ...PLAIN, aggregate: true }), true)
})

test('posts of an ordinary source become one article each, whatever their titles say', () => {
  const posts = [post('A', 0, { sourceId: 'plain' }), post('R to @a: B', 1, { sourceId: 'plain' })]
  assert.deepEqual(titles(posts), [['A'], ['R to @a: B']])
})

test('a thread is one article: what the first post says, all bodies, its address on X', () => {
  const { drafts } = made([
    post('Start', 0, { url: 'https://nitter.net/name/status/1#m', author: '@name', body: 'one' }),
    post('R to @name: two', 5, { body: 'two' }),
    post('R to @name: three', 65, { body: 'three' }),
  ])
  assert.equal(drafts.length, 1)
  const { posts, copies, source: _, ...draft } = drafts[0] ?? assert.fail()
  assert.deepEqual(draft, {
    ...{ sourceId: 's', title: 'Start', author: '@name', publishedAt: AT },
    ...{ url: 'https://x.com/name/status/1#m', body: 'one\n\n---\n\ntwo\n\n---\n\nthree' },
  })
  assert.deepEqual([posts.length, copies.length], [3, 0])
})

test('a reply joins up to 60 minutes after the post before it, and not a millisecond later', () => {
  assert.deepEqual(titles([post('A', 0), post('R to @a: in', 60)]), [['A', 'R to @a: in']])
  assert.deepEqual(titles([post('A', 0), post('R to @a: out', 60 + 1 / 60_000)]), [['A'], ['R to @a: out']])
})

test('a post that is no reply starts a thread, and a reply without reference follows the post just before it', () => {
  assert.deepEqual(titles([post('A', 0), post('B', 1), post('R to @a: C', 2)]), [['A'], ['B', 'R to @a: C']])
})

test('a reference to a post of the source makes a reply of any title, and leads past unrelated posts', () => {
  const reply = post('C', 2, { categories: ['reply', 'replied_to:A'] })
  assert.deepEqual(titles([post('A', 0), post('B', 1), reply]), [['A', 'C'], ['B']])
})

test('a reference to somebody else is no reply, unless the title says so', () => {
  const categories = ['reply', 'replied_to:12345']
  assert.deepEqual(titles([post('A', 0), post('B', 1, { categories })]), [['A'], ['B']])
  assert.deepEqual(titles([post('A', 0), post('R to @x: B', 1, { categories })]), [['A', 'R to @x: B']])
})

test('a reply to a post too long ago stands alone and joins no other that happens to be near', () => {
  const reply = post('C', 90, { categories: ['replied_to:A'] })
  assert.deepEqual(titles([post('A', 0), post('B', 80), reply]), [['A'], ['B'], ['C']])
})

test('threads are put in the order of time, not of arrival', () => {
  const late = post('R to @a: second', 5)
  assert.deepEqual(titles([post('R to @a: third', 9), late, post('A', 0)]), [
    ['A', 'R to @a: second', 'R to @a: third'],
  ])
})

test('a post without a date stands at the time it came in', () => {
  const undated = post('R to @a: B', 0, { publishedAt: null, createdAt: AT + 10 * MINUTE })
  assert.deepEqual(titles([post('A', 0), undated]), [['A', 'R to @a: B']])
})

test('a later reply joins an unprocessed article, whose body is made anew in order', () => {
  const earlier = [post('A', 0, { body: 'a' }), post('R to @a: C', 30, { body: 'c' })]
  const earlierOfS = earlier.map((one) => ({ post: one, openArticleId: '7' }))
  const { drafts, joins } = made([post('R to @a: B', 10, { body: 'b' })], { earlierOfS })
  assert.deepEqual(drafts, [])
  assert.deepEqual(
    joins.map(({ articleId, body, added }) => [articleId, body, added.map(({ title }) => title)]),
    [['7', 'a\n\n---\n\nb\n\n---\n\nc', ['R to @a: B']]],
  )
})

test('a reply to what is in a processed article makes its own, also beside an open thread', () => {
  const earlierOfS = [
    { post: post('Open', 0), openArticleId: '7' },
    { post: post('Done', 10), openArticleId: null },
  ]
  const marked = made([post('R to @a: B', 20)], { earlierOfS })
  const referring = made([post('B', 20, { categories: ['replied_to:Done'] })], { earlierOfS })
  for (const { drafts, joins } of [marked, referring]) assert.deepEqual([drafts.length, joins.length], [1, 0])
})

test('the same text in two sources is one article, of the first, with both posts', () => {
  const later = post('Copy', 5, { sourceId: 'plain', body: 'same', contentHash: 'h' })
  const { drafts } = made([later, post('Original', 0, { body: 'same', contentHash: 'h' })])
  assert.deepEqual(
    drafts.map(({ title, body, copies }) => [title, body, copies.map((copy) => copy.title)]),
    [['Original', 'same', ['Copy']]],
  )
})

test('a text that an article holds already is linked to it', () => {
  const again = post('Again', 0, { contentHash: 'h' })
  const { drafts, links } = made([again], { articleByHash: new Map([['h', '9']]) })
  assert.deepEqual([drafts, links], [[], [{ articleId: '9', post: again }]])
})

test('a copy of a reply that joins an article is linked to the same article', () => {
  const earlierOfS = [{ post: post('A', 0), openArticleId: '7' }]
  const reply = post('R to @a: B', 1, { contentHash: 'h' })
  const copy = post('Copy', 2, { sourceId: 'plain', contentHash: 'h' })
  const { drafts, links } = made([reply, copy], { earlierOfS })
  assert.deepEqual([drafts, links], [[], [{ articleId: '7', post: copy }]])
})

const copyOf = (one: Post, minutes: number, given: Partial<Post> = {}) =>
  post(one.title, minutes, { sourceId: 'mirror', body: one.body, ...given })

test('a reply whose predecessor is a copy joins the article that has the text', () => {
  const one = post('A', 0)
  const reply = post('R to @a: B', 10, { sourceId: 'mirror' })
  const referring = post('B', 10, { sourceId: 'mirror', categories: ['replied_to:A'] })
  for (const last of [reply, referring]) {
    const { drafts } = made([one, copyOf(one, 0), last])
    assert.deepEqual(
      drafts.map(({ sourceId, posts, copies }) => [sourceId, posts.length, copies.length]),
      [['s', 2, 1]],
    )
  }
})

test('a reply follows its own copy: it may be later than the text was, and not later than an hour after it', () => {
  const one = post('A', 0)
  const after = (minutes: number) => titles([one, copyOf(one, 50), post('R to @a: B', minutes, { sourceId: 'mirror' })])
  assert.deepEqual(after(110), [['A', 'R to @a: B']])
  assert.deepEqual(after(111), [['A'], ['R to @a: B']])
  // To the source that had the text first, the copy is no post before the reply.
  assert.deepEqual(titles([one, copyOf(one, 50), post('R to @a: B', 61)]), [['A'], ['R to @a: B']])
})

test('mirrors whose replies are dated apart are one thread', () => {
  const [one, two] = [post('A', 0), post('R to @a: B', 10)]
  const { drafts } = made([one, two, copyOf(one, 1), copyOf(two, 9)])
  assert.deepEqual(
    drafts.map(({ posts, copies }) => [posts.length, copies.length]),
    [[2, 2]],
  )
})

test('a reply to a copy joins the unprocessed article of the text, also when the copy comes with it', () => {
  const one = post('A', 0, { body: 'a' })
  const reply = post('R to @a: B', 10, { sourceId: 'mirror', body: 'b' })
  const copy = copyOf(one, -1)
  const linked = [one, copy].map((each) => ({ post: each, openArticleId: '7' }))
  const known = made([reply], { earlierOfS: linked })
  const fresh = made([copy, reply], {
    earlierOfS: linked.slice(0, 1),
    articleByHash: new Map([[one.contentHash, '7']]),
  })
  for (const { drafts, joins } of [known, fresh]) {
    assert.deepEqual([drafts, joins.map(({ articleId, body }) => [articleId, body])], [[], [['7', 'a\n\n---\n\nb']]])
  }
  assert.deepEqual([known.links, fresh.links], [[], [{ articleId: '7', post: copy }]])
})

test('a reply to a copy of a text in a processed article makes its own', () => {
  const one = post('A', 0)
  const reply = post('R to @a: B', 10, { sourceId: 'mirror' })
  const { drafts, joins } = made([copyOf(one, 0), reply], { articleByHash: new Map([[one.contentHash, '7']]) })
  assert.deepEqual([drafts.map(({ title }) => title), joins], [['R to @a: B'], []])
})

test('a digest has the name of the first author, the newest day, and each body under its time', () => {
  const posts = [post('B', 60 * 24, { body: 'b' }), post('A', 0, { body: 'a', author: '@name' })]
  const [digest] = made(posts, { mode: 'digest' }).drafts
  assert.equal(digest?.title, 'Posts from @name — Feb 17, 2026')
  assert.equal(digest.body, '2026-02-16T10:00:00.000Z\na\n\n---\n\n2026-02-17T10:00:00.000Z\nb')
  assert.equal(digest.url, 'https://x.com/name')
  assert.equal(digest.publishedAt, AT + 24 * 60 * MINUTE)
  assert.equal(made(posts, { mode: 'digest' }).drafts.length, 1)
})

test('a digest without author or dates falls back to the host and the times of arrival', () => {
  const [digest] = made([post('A', 0, { publishedAt: null })], { mode: 'digest' }).drafts
  assert.equal(digest?.title, 'Posts from nitter.net — Feb 16, 2026')
  assert.equal(digest.publishedAt, null)
})

test('digest mode leaves ordinary sources alone', () => {
  const posts = [post('A', 0, { sourceId: 'plain' }), post('B', 1, { sourceId: 'plain' })]
  assert.equal(made(posts, { mode: 'digest' }).drafts.length, 2)
})

test('only addresses of nitter instances are led to X', () => {
  assert.equal(onX('http://nitter.example.org:8080/a/status/1?x=y'), 'https://x.com/a/status/1?x=y')
  assert.equal(onX('https://nitter.net/name/rss'), 'https://x.com/name')
  assert.equal(onX('https://example.org/nitter.net/a'), 'https://example.org/nitter.net/a')
  assert.equal(onX('not a url'), 'not a url')
})
