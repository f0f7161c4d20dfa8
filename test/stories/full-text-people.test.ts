// Full text as people meet it: who may ask for it over REST, and what a preview shows of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOrigin } from '../support/origin.ts'
import { feedTo, LONG, page, paths, polled, posts } from '../support/pages-behind.ts'
import { rss } from '../support/product.ts'
import { openShell } from '../support/run-cli.ts'
import { startWholeProduct } from '../support/whole-product.ts'
import { MINUTE, TEST_START } from '../support/world.ts'

test('the owner and admins ask for a full text over REST, nobody else', async () => {
  await using product = await startWholeProduct({ config: { http: { allowPrivateNetworks: ['127.0.0.0/8'] } } })
  await using origin = await startOrigin({ now: () => product.clock.now() })
  const { ask } = product
  const [ann, bob] = [await product.person('Ann'), await product.person('Bob')]
  const item = { title: 'One', guid: '1', body: 'Cut…', link: `${origin.url}/p`, publishedAt: TEST_START }
  origin.route('/feed', { body: rss([item]) })
  origin.route('/p', { contentType: 'text/html', body: page() })
  await product.catalogue.sources.create(ann.podcastId, { type: 'rss', url: `${origin.url}/feed`, backfillDays: 1 })
  await product.pass(0)
  await product.pass(31 * MINUTE)
  const own = `/api/users/${ann.id}/podcasts/${ann.podcastId}/posts`
  const { id } = (await ask('GET', own, { token: ann.token })).body.items[0]
  const path = `${own}/${id}/full-text`
  assert.equal((await ask('POST', path)).status, 401)
  assert.equal((await ask('POST', path, { token: bob.token })).status, 404)
  const inOther = `/api/users/${bob.id}/podcasts/${bob.podcastId}/posts/${id}/full-text`
  assert.equal((await ask('POST', inOther, { token: bob.token })).status, 404)
  assert.equal((await ask('POST', `${own}/999/full-text`, { token: ann.token })).body.code, 'not-found')
  assert.equal((await ask('GET', `${own}/${id}`, { token: ann.token })).body.fullTextState, 'none')
  const asked = await ask('POST', path, { token: ann.token })
  assert.deepEqual([asked.status, asked.body], [202, { fullTextState: 'pending' }])
  assert.equal((await ask('POST', path, { token: await product.admin() })).status, 202)
  await product.pass(0)
  const { body } = await ask('GET', `${own}/${id}?include=markdown`, { token: ann.token })
  assert.equal(body.fullTextState, 'fetched')
  assert.ok(body.markdown.includes(LONG) && body.fullText.includes(LONG))
  const again = await ask('POST', path, { token: ann.token })
  assert.deepEqual([again.status, again.body.code, again.body.title !== ''], [409, 'conflict', true])
  assert.match(again.body.detail, /already/)
  assert.equal(origin.requestsTo('/p').length, 1)
})

test('a preview shows the full text of the newest post that wants it, and stores no post', async () => {
  const { world, pages } = await polled()
  await using _ = world
  feedTo(world, pages, 3)
  const url = `${world.origin.url}/feed`
  const shown = await world.tidings.preview({ url, backfillDays: 1, fullText: 'auto' })
  assert.deepEqual(
    shown.posts.map(({ fullTextState }) => fullTextState),
    ['pending', 'pending', 'fetched'],
  )
  assert.ok(shown.posts[2]?.fullText?.includes(LONG))
  assert.equal(shown.posts[2]?.body.endsWith('A summary that ends here…'), true)
  assert.deepEqual(paths(pages), ['/robots.txt', '/p2'])
  assert.deepEqual(await posts(world), [])
  const plain = await world.tidings.preview({ url, backfillDays: 1 })
  assert.deepEqual(
    plain.posts.map(({ fullText, fullTextState }) => [fullText, fullTextState]),
    [
      [null, 'none'],
      [null, 'none'],
      [null, 'none'],
    ],
  )
  assert.equal(pages.requests.length, 2)
})

test('a page that a preview showed is not asked again by the first poll', async () => {
  const { world, pages } = await polled()
  await using _ = world
  const url = `${world.origin.url}/feed`
  await world.tidings.preview({ url, backfillDays: 1, fullText: 'auto' })
  const { id } = await world.tidings.catalogue.sources.create('default', {
    ...{ type: 'rss', url, backfillDays: 1, fullText: 'auto' },
  })
  await world.tidings.poll(id)
  await world.pass(0)
  assert.deepEqual(paths(pages), ['/robots.txt', '/p0'])
  assert.equal((await posts(world))[0]?.fullTextState, 'fetched')
})

test('a preview follows the configuration, and says why there is no full text', async () => {
  const { world, pages } = await polled({}, { content: { fullText: 'always', maxPagesPerPoll: 1 } })
  await using _ = world
  feedTo(world, pages, 3)
  pages.route('/robots.txt', { body: 'User-agent: *\nDisallow: /p2\n' })
  const url = `${world.origin.url}/feed`
  const states = async (fullText?: 'never') => {
    const { posts: shown } = await world.tidings.preview({ url, backfillDays: 1, ...(fullText && { fullText }) })
    return shown.map((post) => [post.fullTextState, post.fullTextReason])
  }
  const tooMany = ['skipped', 'the poll found more than 1 new posts']
  assert.deepEqual(await states(), [tooMany, tooMany, ['blocked', 'robots.txt disallows the page']])
  assert.deepEqual(paths(pages), ['/robots.txt'])
  assert.deepEqual((await states('never'))[2], ['none', null])
})

test('a preview whose page cannot be asked now says so and shows the rest', async () => {
  const { world, pages } = await polled()
  await using _ = world
  pages.route('/robots.txt', { status: 429, headers: { 'retry-after': '600' } })
  const shown = await world.tidings.preview({ url: `${world.origin.url}/feed`, backfillDays: 1, fullText: 'always' })
  const [post] = shown.posts
  assert.equal(post?.fullTextState, 'pending')
  assert.match(post?.fullTextReason ?? '', /cannot be asked/)
  assert.deepEqual(paths(pages), ['/robots.txt'])
})

test('tidings preview --full-text shows what the page gives', async () => {
  await using origin = await startOrigin()
  using shell = openShell()
  const item = { title: 'One', guid: '1', body: 'Cut…', link: `${origin.url}/p`, publishedAt: Date.now() - 1000 }
  origin.route('/feed', { body: rss([item]) })
  origin.route('/p', { contentType: 'text/html', body: page() })
  const { code, out, err } = await shell.tidings('preview', `${origin.url}/feed`, '--full-text', 'auto')
  assert.equal(code, 0, err)
  assert.match(out, /full text: \d+ characters, the feed has 4\n +(?:T )?This is a sentence/)
  const refused = await shell.tidings('preview', `${origin.url}/feed`, '--full-text', 'sometimes')
  assert.equal(refused.code, 2)
})

test('a page that redirects to another host obeys the robots.txt of that host', async () => {
  const { world, pages, add } = await polled()
  await using _ = world
  await using target = await startOrigin({ host: '127.0.0.9', now: () => world.clock.now() })
  feedTo(world, pages, 3)
  for (const n of [0, 1, 2]) {
    pages.route(`/p${n}`, { status: 302, headers: { location: `${target.url}/t${n}` } })
    target.route(`/t${n}`, { contentType: 'text/html', body: page(`${n} ${LONG}`) })
  }
  target.route('/robots.txt', { body: 'User-agent: Tidings\nDisallow: /t1\n' })
  await add()
  await world.pass(31 * MINUTE)
  assert.deepEqual(paths(target), ['/robots.txt', '/t2', '/t0'])
  const found = await posts(world)
  assert.deepEqual(
    found.map(({ fullTextState }) => fullTextState),
    ['fetched', 'blocked', 'fetched'],
  )
  const [first, second] = target.requests.slice(1)
  assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= 2000)
})

test('a page that redirects within its host obeys robots.txt there too, and is still one visit', async () => {
  const { world, pages, add } = await polled()
  await using _ = world
  feedTo(world, pages, 3)
  pages.route('/p0', { status: 302, headers: { location: '/hidden' } })
  pages.route('/p1', { status: 302, headers: { location: '/shown' } })
  for (const path of ['/hidden', '/shown']) pages.route(path, { contentType: 'text/html', body: page(LONG) })
  pages.route('/robots.txt', { body: 'User-agent: Tidings\nDisallow: /hidden\n' })
  await add()
  await world.pass(31 * MINUTE)
  assert.deepEqual(paths(pages), ['/robots.txt', '/p2', '/p1', '/shown', '/p0'])
  const found = await posts(world)
  assert.deepEqual(
    found.map(({ fullTextState }) => fullTextState),
    ['fetched', 'fetched', 'blocked'],
  )
  const [, , first, second] = pages.requests
  assert.equal(second?.at, first?.at)
})
