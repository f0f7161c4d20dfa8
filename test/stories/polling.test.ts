import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rss } from '../support/product.ts'
import { DAY, HOUR, MINUTE, startWorld, TEST_START } from '../support/world.ts'

const page = (text: string, head = ''): string =>
  `<html><head><title>A page</title>${head}</head><body><nav>Home | About</nav><article><h1>A page</h1><p>${text}</p><p>${text} And more of it, so that there is something to read here.</p></article></body></html>`

test('a source is polled when its interval has elapsed, and not before', async () => {
  await using world = await startWorld()
  world.origin.route('/feed', { body: rss([{ title: 'One' }]) })
  await world.add('/feed', { pollIntervalMinutes: 60 })
  await world.pass(0)
  await world.pass(60 * MINUTE)
  assert.equal(world.origin.requests.length, 1)
  await world.pass(59 * MINUTE)
  assert.equal(world.origin.requests.length, 1)
  await world.pass(1 * MINUTE)
  assert.equal(world.origin.requests.length, 2)
})

test('a disabled source is never polled by a tick', async () => {
  await using world = await startWorld()
  world.origin.route('/feed', { body: rss([]) })
  await world.add('/feed', { enabled: false })
  await world.pass(0)
  await world.pass(DAY)
  assert.equal(world.origin.requests.length, 0)
})

test('a source with 2 failures and an interval of 60 minutes is polled after 240 minutes, and a success restores the interval', async () => {
  await using world = await startWorld()
  const { id } = await world.add('/feed', { pollIntervalMinutes: 60 })
  world.origin.route('/feed', { status: 500 })
  await world.pass(0)
  await world.pass(60 * MINUTE)
  await world.pass(120 * MINUTE)
  assert.equal(world.origin.requests.length, 2)
  const failing = await world.tidings.catalogue.sources.get(id)
  assert.equal(failing.consecutiveFailures, 2)
  assert.equal(failing.effectivePollIntervalMinutes, 240)
  await world.pass(239 * MINUTE)
  assert.equal(world.origin.requests.length, 2)
  world.origin.route('/feed', { body: rss([]) })
  await world.pass(1 * MINUTE)
  assert.equal(world.origin.requests.length, 3)
  const well = await world.tidings.catalogue.sources.get(id)
  assert.deepEqual([well.consecutiveFailures, well.lastFailureType, well.lastFailureReason], [0, null, null])
  assert.equal(well.effectivePollIntervalMinutes, 60)
})

test('first polls spread over the first interval by a jitter that is stored once', async () => {
  const draws: number[] = []
  const random = (): number => {
    draws.push(0)
    return 0.25
  }
  await using world = await startWorld({ random })
  world.origin.route('/feed', { body: rss([]) })
  const { id } = await world.add('/feed', { pollIntervalMinutes: 60 })
  await world.pass(0)
  const planned = await world.tidings.catalogue.sources.get(id)
  assert.equal(planned.lastPolled, new Date(TEST_START - 15 * MINUTE).toISOString())
  assert.equal(planned.nextPollAt, new Date(TEST_START + 45 * MINUTE).toISOString())
  await world.restart()
  await world.pass(MINUTE)
  assert.equal((await world.tidings.catalogue.sources.get(id)).lastPolled, planned.lastPolled)
  assert.equal(draws.length, 1)
})

test('three new entries become three posts with title, plain text, url, date, author and hash', async () => {
  await using world = await startWorld()
  const at = (minutes: number): number => TEST_START + minutes * MINUTE
  world.origin.route('/feed', {
    body: rss([
      {
        title: 'Three',
        publishedAt: at(3),
        body: '&lt;p&gt;Breaking news&lt;/p&gt;&lt;a href="x"&gt;link&lt;/a&gt;',
        link: 'http://e.org/3',
      },
      { title: 'Two', publishedAt: at(2) },
      { title: 'One', publishedAt: at(1) },
    ]).replace('<title>Three</title>', '<title>Three</title><author>John Smith</author>'),
  })
  await world.add('/feed')
  await world.pass(0)
  await world.pass(30 * MINUTE)
  const { items } = await world.tidings.posts.list('default')
  assert.deepEqual(
    items.map(({ title }) => title),
    ['Three', 'Two', 'One'],
  )
  const [newest] = items
  assert.equal(newest?.body, 'Breaking news link')
  assert.equal(newest?.author, 'John Smith')
  assert.equal(newest?.url, 'http://e.org/3')
  assert.equal(newest?.publishedAt, new Date(at(3)).toISOString())
  assert.match(newest?.contentHash ?? '', /^[0-9a-f]{64}$/)
})

test('entries of a nitter feed are stored one by one: nothing is aggregated while polling', async () => {
  await using world = await startWorld()
  const items = [1, 2, 3, 4, 5].map((n) => ({
    title: `R to @name: reply ${n}`,
    guid: `${n}`,
    publishedAt: TEST_START + n * MINUTE,
  }))
  world.origin.route('/name/rss', { body: rss(items) })
  await world.add('/name/rss', { aggregate: true })
  await world.pass(0)
  await world.pass(30 * MINUTE)
  assert.equal((await world.tidings.posts.list('default')).items.length, 5)
  assert.equal((await world.tidings.articles.list('default')).items.length, 0)
})

test('a poll without new entries creates nothing, and last polled moves on all the same', async () => {
  await using world = await startWorld()
  world.origin.route('/feed', { body: rss([{ title: 'One', publishedAt: TEST_START + MINUTE }]) })
  const { id } = await world.add('/feed')
  await world.pass(0)
  await world.pass(30 * MINUTE)
  await world.pass(30 * MINUTE)
  assert.equal((await world.tidings.posts.list('default')).items.length, 1)
  assert.equal((await world.tidings.catalogue.sources.get(id)).lastPolled, new Date(TEST_START + HOUR).toISOString())
})

test('history before the source was made is skipped by the first poll and does not return with the second', async () => {
  await using world = await startWorld()
  const old = { title: 'Old', publishedAt: TEST_START - 2 * DAY, guid: 'old' }
  world.origin.route('/feed', {
    body: rss([{ title: 'New', publishedAt: TEST_START + HOUR / 2 - MINUTE, guid: 'new' }, old]),
  })
  const { id } = await world.add('/feed')
  await world.pass(0)
  await world.pass(30 * MINUTE)
  world.origin.route('/feed', {
    body: rss([{ title: 'Newer', publishedAt: TEST_START + HOUR - MINUTE, guid: 'newer' }, old]),
  })
  await world.pass(30 * MINUTE)
  const { items } = await world.tidings.posts.list('default')
  assert.deepEqual(
    items.map(({ title }) => title),
    ['Newer', 'New'],
  )
  const [second, first] = (await world.tidings.polls.list(id)).items
  assert.deepEqual([first?.found, first?.created, first?.skipped.beforeCreated], [2, 1, 1])
  assert.deepEqual([second?.found, second?.created, second?.skipped.notNew], [2, 1, 1])
})

test('a failed first poll keeps the first-poll filter', async () => {
  await using world = await startWorld()
  world.origin.route('/feed', { status: 500 })
  await world.add('/feed')
  await world.pass(0)
  await world.pass(30 * MINUTE)
  world.origin.route('/feed', { body: rss([{ title: 'Old', publishedAt: TEST_START - DAY }]) })
  await world.pass(HOUR)
  assert.equal(world.origin.requests.length, 2)
  assert.equal((await world.tidings.posts.list('default')).items.length, 0)
})

test('an entry without a date is stored, once, also on the first poll', async () => {
  await using world = await startWorld()
  world.origin.route('/feed', { body: rss([{ title: 'Undated' }]) })
  await world.add('/feed')
  await world.pass(0)
  for (let n = 0; n < 3; n++) await world.pass(30 * MINUTE)
  assert.equal((await world.tidings.posts.list('default')).items.length, 1)
})

test('cleaned-up content is never new again: an undated page that does not change yields one post in a month', async () => {
  await using world = await startWorld()
  let visits = 0
  world.origin.route('/page', (_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`${page('The same text, week after week.')}<!-- ${visits++} -->`)
  })
  const { id } = await world.add('/page', { type: 'website', pollIntervalMinutes: 1440 })
  await world.pass(0)
  for (let day = 0; day < 31; day++) await world.pass(DAY)
  const polls = (await world.tidings.polls.list(id)).items
  assert.ok(polls.length > 25)
  assert.equal(
    polls.reduce((sum, { created }) => sum + created, 0),
    1,
  )
  assert.equal((await world.tidings.posts.list('default')).items.length, 0)
})

test('a page whose text is cut is polled well, and its poll record says so', async () => {
  await using world = await startWorld()
  const body = page('Words that go on and on. '.repeat(50_000))
  world.origin.route('/page', { contentType: 'text/html', body })
  const { id } = await world.add('/page', { type: 'website' })
  await world.pass(0)
  await world.pass(30 * MINUTE)
  const polls = (await world.tidings.polls.list(id)).items
  assert.deepEqual(
    polls.map(({ outcome, reason }) => [outcome, reason]),
    [['success', 'the text was cut to 1048576 characters']],
  )
})

test('a page whose text changes yields a new post; its author comes from the page', async () => {
  await using world = await startWorld()
  const author = '<meta name="author" content="Jane Doe">'
  world.origin.route('/page', { contentType: 'text/html', body: page('The first text of this page.', author) })
  await world.add('/page', { type: 'website' })
  await world.pass(0)
  await world.pass(30 * MINUTE)
  await world.pass(30 * MINUTE)
  world.origin.route('/page', {
    contentType: 'text/html',
    body: page('Another text, quite different from before.', author),
  })
  await world.pass(30 * MINUTE)
  const { items } = await world.tidings.posts.list('default')
  assert.equal(items.length, 2)
  assert.deepEqual(
    items.map(({ author: by, publishedAt, guid }) => [by, publishedAt, guid]),
    [
      ['Jane Doe', null, null],
      ['Jane Doe', null, null],
    ],
  )
})

test('log lines about polls name the source by its URL, never by its id and never with credentials', async () => {
  await using world = await startWorld()
  world.origin.route('/feed', { body: rss([]) })
  const { url } = world.origin
  const source = await world.tidings.catalogue.sources.create('default', {
    type: 'rss',
    url: `${url.replace('http://', 'http://me:geheim@')}/feed`,
  })
  await world.pass(0)
  await world.pass(30 * MINUTE)
  const lines = world.lines.filter(({ message }) => message.startsWith('[Polling]'))
  assert.ok(lines.some(({ message }) => message.includes(`${url}/feed success`)))
  const everything = JSON.stringify(lines)
  assert.ok(!everything.includes(source.id))
  assert.ok(!everything.includes('geheim'))
  assert.equal(world.origin.requests[0]?.headers.authorization, `Basic ${btoa('me:geheim')}`)
})

test('the user and the podcast that are there from the start bear the stamp of the clock that was given', async () => {
  await using world = await startWorld()
  const { users, podcasts } = world.tidings.catalogue
  const made = [(await users.get('default')).createdAt, (await podcasts.get('default')).createdAt]
  assert.deepEqual(made, [new Date(TEST_START).toISOString(), new Date(TEST_START).toISOString()])
})

test('an entry without a link leads to the source as it is entered, also where that is redirected', async () => {
  await using world = await startWorld()
  world.origin.route('/feed', (_request, response) => response.writeHead(302, { location: '/moved/feed' }).end())
  const body =
    '<rss><channel><item><title>One</title></item><item><title>Two</title><link>two</link></item></channel></rss>'
  world.origin.route('/moved/feed', { body })
  const { id } = await world.add('/feed')
  await world.tidings.poll(id)
  const { items } = await world.tidings.posts.list('default')
  assert.deepEqual(items.map(({ title, url }) => [title, url]).toSorted(), [
    ['One', `${world.origin.url}/feed`],
    ['Two', `${world.origin.url}/moved/two`],
  ])
})
