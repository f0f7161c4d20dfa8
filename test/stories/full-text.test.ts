// Full text: the pages behind entries are asked politely, in the lanes of their hosts, and posts tell what became of them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { feedTo, LONG, page, paths, polled as polledIn, posts } from '../support/pages-behind.ts'
import { usePostgres } from '../support/postgres.ts'
import { twoProcesses } from '../support/processes.ts'
import { rss } from '../support/product.ts'
import { DAY, drained, HOUR, MINUTE, TEST_START } from '../support/world.ts'

const postgres = usePostgres()

const ENGINES = [
  ['SQLite', async () => ({})],
  ['PostgreSQL', async () => ({ database: { url: await postgres.freshDatabase() } })],
] as const

for (const [engine, where] of ENGINES)
  describe(engine, () => {
    const polled = async (settings: Record<string, unknown> = { fullText: 'auto' }, config = {}) =>
      polledIn(settings, { ...config, ...(await where()) })

    test('the page behind a cut entry gives its full text, and the feed decides what the post is', async () => {
      const { world, pages, add } = await polled()
      await using _ = world
      pages.route('/p0', { contentType: 'text/html', body: page(LONG, '<meta property="og:image" content="/i.jpg">') })
      const { id } = await add()
      await world.pass(31 * MINUTE)
      assert.deepEqual(paths(pages), ['/robots.txt', '/p0'])
      const [post] = await posts(world)
      assert.equal(post?.fullTextState, 'fetched')
      assert.equal(post?.body, 'A summary that ends here…')
      assert.ok(post?.fullText?.includes(LONG))
      assert.ok(post?.html?.includes(LONG))
      assert.equal(post?.image, `${pages.url}/i.jpg`)
      assert.equal(post?.language, 'en')
      const { created, waiting } = await world.tidings.articles.aggregate('default')
      assert.equal(waiting, 0)
      assert.ok(created[0]?.body.includes(LONG))
      const source = await world.tidings.catalogue.sources.get(id)
      assert.equal(source.consecutiveFailures, 0)
    })

    test('nobody asks for pages unless the source or the configuration says so', async () => {
      const { world, pages, add } = await polled({})
      await using _ = world
      await add()
      await world.pass(31 * MINUTE)
      assert.deepEqual(paths(pages), [])
      assert.equal((await posts(world))[0]?.fullTextState, 'none')
    })

    test('the configuration may ask for all, and a long text is left alone with auto', async () => {
      const { world, pages, add } = await polled({}, { content: { fullText: 'auto' } })
      await using _ = world
      feedTo(world, pages, 1, LONG)
      await add()
      await world.pass(31 * MINUTE)
      assert.deepEqual(paths(pages), [])
    })

    test('a page that robots.txt disallows is blocked, and robots.txt is asked once a day', async () => {
      const { world, pages, add } = await polled({ fullText: 'always' })
      await using _ = world
      feedTo(world, pages, 3)
      pages.route('/robots.txt', { body: 'User-agent: Tidings\nDisallow: /p1\nContent-Signal: ai-train=no\n' })
      await add()
      await world.pass(31 * MINUTE)
      assert.deepEqual(paths(pages), ['/robots.txt', '/p2', '/p0'])
      const found = await posts(world)
      assert.deepEqual(
        found.map(({ fullTextState }) => fullTextState),
        ['fetched', 'blocked', 'fetched'],
      )
      assert.match(found[1]?.fullTextReason ?? '', /robots/)
      assert.equal(found[0]?.usagePreferences, 'Content-Signal: ai-train=no')
    })

    test('robots.txt that fails puts the page off for an hour, which counts as no try', async () => {
      const { world, pages, add } = await polled()
      await using _ = world
      pages.route('/robots.txt', { status: 503 })
      await add()
      await world.pass(31 * MINUTE)
      assert.deepEqual(paths(pages), ['/robots.txt'])
      assert.equal((await posts(world))[0]?.fullTextState, 'pending')
      await world.pass(30 * MINUTE)
      assert.deepEqual(paths(pages), ['/robots.txt'])
      pages.route('/robots.txt', { body: '' })
      await world.pass(31 * MINUTE)
      assert.deepEqual(paths(pages), ['/robots.txt', '/robots.txt', '/p0'])
      assert.equal((await posts(world))[0]?.fullTextState, 'fetched')
    })

    test('pages have the spacing of websites, robots.txt and its page are one visit, and a crawl delay is kept', async () => {
      const { world, pages, add } = await polled(
        {},
        { content: { fullText: 'always' }, source: { pollDelaySeconds: { website: 3 } } },
      )
      await using _ = world
      feedTo(world, pages, 3)
      await add()
      await world.pass(31 * MINUTE)
      const seconds = (from = 0) => pages.requests.slice(from).map(({ at }) => (at - TEST_START) / 1000 - 31 * 60)
      assert.deepEqual(seconds(), [0, 0, 3, 6])
      const before = pages.requests.length
      pages.route('/robots.txt', { body: 'User-agent: *\nCrawl-delay: 600\n' })
      const items = [7, 8].map((n) => ({
        ...{
          title: `New ${n}`,
          guid: `n${n}`,
          body: `Cut ${n}…`,
          link: `${pages.url}/p${n - 7}`,
          publishedAt: TEST_START + DAY + n,
        },
      }))
      world.origin.route('/feed', { body: rss(items) })
      await world.pass(2 * DAY)
      const gaps = pages.requests.slice(before).map(({ at }, n, all) => at - (all[n - 1]?.at ?? at))
      assert.deepEqual(gaps, [0, 0, 60_000])
    })

    test('failures are tried again after 10 minutes, 1 hour and 6 hours, also across restarts, and count for nothing else', async () => {
      const { world, pages, add } = await polled()
      await using _ = world
      pages.route('/p0', { status: 500 })
      const { id } = await add()
      await world.pass(31 * MINUTE)
      const tries = () => pages.requestsTo('/p0').length
      assert.equal(tries(), 1)
      await world.pass(9 * MINUTE)
      assert.equal(tries(), 1)
      await world.pass(2 * MINUTE)
      assert.equal(tries(), 2)
      await world.restart()
      await world.pass(50 * MINUTE)
      assert.equal(tries(), 2)
      await world.pass(11 * MINUTE)
      assert.equal(tries(), 3)
      assert.equal((await posts(world))[0]?.fullTextState, 'pending')
      await world.pass(6 * HOUR + MINUTE)
      assert.equal(tries(), 4)
      const [post] = await posts(world)
      assert.equal(post?.fullTextState, 'failed')
      assert.match(post?.fullTextReason ?? '', /500/)
      await world.pass(12 * HOUR)
      assert.equal(tries(), 4)
      assert.equal((await world.tidings.catalogue.sources.get(id)).consecutiveFailures, 0)
    })

    test('a page that is gone fails at once, a shorter one is not better, a Retry-After closes the lane', async () => {
      const { world, pages, add } = await polled({ fullText: 'always' })
      await using _ = world
      feedTo(world, pages, 4, 'A summary of some length, which the page does not have.')
      pages.route('/p3', { status: 404 })
      pages.route('/p2', { contentType: 'text/html', body: page('Short.') })
      pages.route('/p1', { status: 503, headers: { 'retry-after': '3600' } })
      await add()
      await world.pass(31 * MINUTE)
      assert.deepEqual(paths(pages), ['/robots.txt', '/p3', '/p2', '/p1'])
      const states = async () => (await posts(world)).map(({ fullTextState }) => fullTextState)
      assert.deepEqual(await states(), ['failed', 'not-better', 'pending', 'pending'])
      pages.route('/p1', { contentType: 'text/html', body: page() })
      await world.pass(30 * MINUTE)
      assert.equal(pages.requests.length, 4)
      await world.pass(31 * MINUTE)
      assert.deepEqual(await states(), ['failed', 'not-better', 'fetched', 'fetched'])
    })

    test('at most so many pages of a poll are asked, those of its newest posts', async () => {
      const { world, pages, add } = await polled({}, { content: { fullText: 'always', maxPagesPerPoll: 2 } })
      await using _ = world
      feedTo(world, pages, 4)
      await add()
      await world.pass(31 * MINUTE)
      assert.deepEqual(
        (await posts(world)).map(({ fullTextState }) => fullTextState),
        ['fetched', 'fetched', 'skipped', 'skipped'],
      )
      assert.equal(pages.requests.length, 3)
    })

    test('posts wait for their full text for an hour before they become articles', async () => {
      const { world, pages, add } = await polled()
      await using _ = world
      pages.route('/p0', { status: 500 })
      await add()
      await world.pass(31 * MINUTE)
      assert.deepEqual(await world.tidings.articles.aggregate('default'), { created: [], waiting: 1 })
      await world.pass(HOUR)
      const { created, waiting } = await world.tidings.articles.aggregate('default')
      assert.deepEqual([created.length, waiting], [1, 0])
    })

    test('an event announces what arrived', async () => {
      const { world, add } = await polled()
      await using _ = world
      const stop = new AbortController()
      const seen = world.tidings.events.subscribe({ types: ['posts.completed'], signal: stop.signal })
      const { id } = await add()
      await world.pass(31 * MINUTE)
      const { value } = await seen.next()
      const [post] = await posts(world)
      assert.deepEqual([value?.sourceId, value?.postIds], [id, [post?.id]])
      stop.abort()
    })
  })

test('two processes ask each page once and keep its spacing', async () => {
  await using world = await twoProcesses(postgres)
  const { clock, origin, one, other } = world
  const items = Array.from({ length: 5 }, (_, n) => ({
    ...{ title: `Post ${n}`, guid: `${n}`, body: `Cut ${n}…`, link: `${origin.url}/p${n}` },
  }))
  for (const n of items.keys()) origin.route(`/p${n}`, { contentType: 'text/html', body: page(`${n} ${LONG}`) })
  origin.route('/feed', { body: rss([]) })
  const [id = ''] = await world.addDue('/feed')
  await one.catalogue.sources.update(id, { fullText: 'always' })
  origin.route('/feed', { body: rss(items) })
  const before = origin.requests.length
  await Promise.all([one.engine.tick(), other.engine.tick()])
  await Promise.all([drained(one.engine, clock), drained(other.engine, clock)])
  const asked = origin.requests.slice(before)
  assert.deepEqual(asked.map(({ path }) => path).toSorted(), [
    '/feed',
    '/p0',
    '/p1',
    '/p2',
    '/p3',
    '/p4',
    '/robots.txt',
  ])
  const pages = asked.filter(({ path }) => path.startsWith('/p'))
  for (const [n, { at }] of pages.entries()) assert.ok(n === 0 || at - (pages[n - 1]?.at ?? 0) >= 2000, `page ${n}`)
  assert.equal(origin.mostAtOnce, 1)
})
