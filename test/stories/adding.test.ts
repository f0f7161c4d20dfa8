import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createApp } from '../../src/app.ts'
import { configFrom } from '../../src/config.ts'
import { ManualClock, TEST_START } from '../support/manual-clock.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { until } from '../support/until.ts'

const MINUTE = 60_000

async function startAdding(source: Record<string, unknown> = {}) {
  const clock = new ManualClock()
  const origin = await startOrigin({ host: '127.0.0.2', now: () => clock.now() })
  const config = configFrom({
    database: { url: 'file::memory:' },
    http: { allowPrivateNetworks: ['127.0.0.0/8'] },
    source,
  })
  const app = await createApp({ config, clock, random: () => 0 })
  const add = (input: { url: string; type?: 'rss' | 'website' | 'youtube' }) =>
    app.catalogue.sources.create('default', input, { validate: true })
  const preview = (url: string) =>
    app.engine.testFetch({ userId: 'default', type: null, url, basicAuth: null, trusted: true })
  const stop = async (): Promise<void> => {
    await app.close()
    await origin.close()
  }
  return { clock, origin, app, add, preview, [Symbol.asyncDispose]: stop }
}

const feed = rss([{ title: 'Undated' }, { title: 'Dated', publishedAt: TEST_START + MINUTE }])

function pageWith(
  head: string,
  text = 'A page with enough text to be worth reading, twice over, in one paragraph.',
): string {
  return `<html><head><title>Page</title>${head}</head><body><article><p>${text}</p><p>${text} Again.</p></article></body></html>`
}

test('adding a feed and polling it asks its host once, and its posts are stored', async () => {
  await using world = await startAdding()
  world.origin.route('/feed', { body: feed, etag: '"1"', contentType: 'application/rss+xml' })
  const source = await world.add({ url: `${world.origin.url}/feed` })
  assert.equal(source.type, 'rss')
  const record = await world.app.engine.poll(source.id)
  assert.deepEqual([record.outcome, record.created], ['success', 2])
  assert.equal(world.origin.requests.length, 1)
  assert.equal((await world.app.engine.poll(source.id)).httpStatus, 304)
  assert.equal(world.origin.requests[1]?.headers['if-none-match'], '"1"')
})

test('another fragment before the first poll changes what is shown: its host is still asked once', async () => {
  await using world = await startAdding()
  const url = `${world.origin.url}/feed`
  world.origin.route('/feed', { body: feed, contentType: 'application/rss+xml' })
  const { id } = await world.add({ url: `${url}#here`, type: 'rss' })
  await world.app.catalogue.sources.update(id, { url: `${url}#there` })
  const record = await world.app.engine.poll(id)
  assert.deepEqual([record.outcome, record.created], ['success', 2])
  assert.equal(world.origin.requests.length, 1)
  assert.equal((await world.app.catalogue.sources.get(id)).url, `${url}#there`)
})

test('a host whose first polls read what was kept has worked: when it goes, its breaker opens like any other', async () => {
  await using world = await startAdding()
  const ids: string[] = []
  for (const path of ['/a', '/b', '/c']) {
    world.origin.route(path, { body: feed })
    ids.push((await world.add({ url: `${world.origin.url}${path}` })).id)
  }
  for (const id of ids) await world.app.engine.poll(id)
  assert.equal(world.origin.requests.length, 3)
  for (const path of ['/a', '/b', '/c']) world.origin.route(path, { status: 403 })
  for (const id of ids) await world.app.engine.poll(id)
  assert.equal((await world.app.store.hostState('127.0.0.2'))?.breaker.state, 'open')
})

test('what validation fetched is used by the first scheduled poll too, but not after ten minutes', async () => {
  await using world = await startAdding()
  world.origin.route('/a', { body: feed })
  const { id } = await world.add({ url: `${world.origin.url}/a`, type: 'rss' })
  await world.clock.advance(11 * MINUTE)
  await world.app.engine.poll(id)
  assert.equal(world.origin.requests.length, 2)
  assert.equal(world.origin.requests[1]?.headers['if-none-match'], undefined)
})

test('behind a page address its feed is found; the source’s url is the feed', async () => {
  await using world = await startAdding()
  const link = '<link rel="alternate" type="application/rss+xml" title="News" href="/news.xml">'
  world.origin.route('/', { body: pageWith(link), contentType: 'text/html' })
  world.origin.route('/news.xml', { body: feed })
  const preview = await world.preview(`${world.origin.url}/`)
  assert.deepEqual([preview.type, preview.url], ['rss', `${world.origin.url}/news.xml`])
  assert.deepEqual(preview.feeds, [{ url: `${world.origin.url}/news.xml`, title: 'News' }])
  const source = await world.add({ url: `${world.origin.url}/` })
  assert.equal(source.url, `${world.origin.url}/news.xml`)
})

test('an address that is a feed offers itself, by whatever type it is asked for', async () => {
  await using world = await startAdding()
  world.origin.route('/feed', { body: feed })
  const url = `${world.origin.url}/feed`
  const request = { userId: 'default', url, basicAuth: null, trusted: true }
  for (const type of [null, 'rss'] as const)
    assert.deepEqual((await world.app.engine.testFetch({ ...request, type })).feeds, [{ url, title: 'News' }])
  world.origin.route('/page', { body: pageWith(''), contentType: 'text/html' })
  const page = { ...request, url: `${world.origin.url}/page`, type: 'website' } as const
  assert.deepEqual((await world.app.engine.testFetch(page)).feeds, [])
})

const rssLinks = (...paths: string[]) =>
  paths.map((path) => `<link rel="alternate" type="application/rss+xml" href="${path}">`).join('')

test('a dead feed that a page names leads to the next one, and is not offered', async () => {
  await using world = await startAdding()
  const { origin } = world
  origin.route('/', { body: pageWith(rssLinks('/gone', '/page', '/live', '/more')), contentType: 'text/html' })
  origin.route('/page', { body: pageWith(''), contentType: 'text/html' })
  origin.route('/live', { body: feed })
  const preview = await world.preview(`${origin.url}/`)
  assert.equal(preview.url, `${origin.url}/live`)
  assert.deepEqual(
    preview.feeds.map(({ url }) => url),
    [`${origin.url}/live`, `${origin.url}/more`],
  )
  assert.deepEqual(pathsOf(origin), ['/', '/gone', '/page', '/live'])
})

test('where all feeds that a page names are dead, the usual places are asked, each address once', async () => {
  await using world = await startAdding()
  const { origin } = world
  origin.route('/', { body: pageWith(rssLinks('/old', '/feed')), contentType: 'text/html' })
  origin.route('/atom.xml', { body: feed })
  const preview = await inPassingTime(world.clock, world.preview(`${origin.url}/`))
  assert.deepEqual(pathsOf(origin), ['/', '/feed', '/old', '/rss.xml', '/atom.xml'])
  assert.deepEqual(preview.feeds, [{ url: `${origin.url}/atom.xml`, title: 'News' }])
  assert.deepEqual(
    preview.notes,
    ['/feed', '/old'].map((path) => `No feed could be read at ${origin.url}${path}, which the page names as one`),
  )
})

test('a feed that asks for less is neither dead nor a reason to ask its host for more', async () => {
  await using world = await startAdding()
  const { origin } = world
  origin.route('/', { body: pageWith(rssLinks('/busy', '/next')), contentType: 'text/html' })
  origin.route('/busy', { status: 429 })
  const preview = await inPassingTime(world.clock, world.preview(`${origin.url}/`))
  assert.deepEqual([preview.type, preview.feeds.length, pathsOf(origin)], ['website', 2, ['/', '/busy']])
})

test('a JSON Feed is found under a name that does not tell, where the page names it', async () => {
  await using world = await startAdding()
  const { origin } = world
  const json = '<link rel="alternate" type="application/json" href="/posts.json">'
  origin.route('/', { body: pageWith(json), contentType: 'text/html' })
  const items = [{ id: '1', title: 'One', content_text: 'Text' }]
  const body = JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'J', items })
  origin.route('/posts.json', { body, contentType: 'application/json' })
  const preview = await world.preview(`${origin.url}/`)
  assert.deepEqual([preview.type, preview.url, preview.title], ['rss', `${origin.url}/posts.json`, 'J'])
})

test('credentials that a page wrote into its link are neither sent, nor shown, nor stored', async () => {
  await using world = await startAdding()
  const { host, port } = world.origin
  const link = `<link rel="alternate" type="application/rss+xml" href="http://x:sekret@${host}:${port}/news.xml">`
  world.origin.route('/', { body: pageWith(link), contentType: 'text/html' })
  world.origin.route('/news.xml', { body: feed })
  const preview = await world.preview(`${world.origin.url}/`)
  const source = await world.add({ url: `${world.origin.url}/` })
  assert.deepEqual([preview.url, source.url], [`${world.origin.url}/news.xml`, `${world.origin.url}/news.xml`])
  assert.ok(!JSON.stringify([preview, source]).includes('sekret'))
  assert.deepEqual([...new Set(world.origin.requests.map(({ headers }) => headers.authorization))], [undefined])
})

test('a page without feeds is offered as a website, after a few guessed paths', async () => {
  await using world = await startAdding()
  world.origin.route('/', { body: pageWith(''), contentType: 'text/html' })
  const preview = await inPassingTime(world.clock, world.preview(`${world.origin.url}/`))
  assert.deepEqual([preview.type, preview.posts.length, preview.notes], ['website', 1, []])
  assert.equal(world.origin.requests.length, 1 + 7)
})

const gapsOf = ({ requests }: Origin): number[] =>
  requests.slice(1).map(({ at }, index) => at - (requests[index]?.at ?? 0))

test('guesses keep the spacing of pages up to a second, or that of feeds where it is more; a host’s own replaces both', async () => {
  for (const [source, delayMs] of [
    [{}, 1000],
    [{ pollDelaySeconds: { rss: 2.5 } }, 2500],
    [{ pollDelaySeconds: { website: 0.5 } }, 500],
    [{ hostOverrides: { '127.0.0.2': { pollDelaySeconds: 1.5 } } }, 1500],
    [{ hostOverrides: { '127.0.0.2': { pollDelaySeconds: 0 } } }, 0],
  ] as const) {
    await using world = await startAdding(source)
    world.origin.route('/', { body: pageWith(''), contentType: 'text/html' })
    world.origin.route('/atom.xml', { body: feed })
    const preview = await inPassingTime(world.clock, world.preview(`${world.origin.url}/`))
    assert.deepEqual([preview.type, preview.url], ['rss', `${world.origin.url}/atom.xml`])
    assert.deepEqual(gapsOf(world.origin), [delayMs, delayMs, delayMs])
  }
})

test('whoever comes after a guess waits as long as the next guess would', async () => {
  await using world = await startAdding()
  world.origin.route('/', { body: pageWith(''), contentType: 'text/html' })
  world.origin.route('/feed', { body: feed })
  await inPassingTime(world.clock, world.preview(`${world.origin.url}/`))
  await inPassingTime(world.clock, world.preview(`${world.origin.url}/feed`))
  assert.deepEqual(gapsOf(world.origin), [1000, 1000])
})

test('the feed of a site is found from its front page under any usual name, and at the root from a page in a section', async () => {
  await using world = await startAdding()
  const { origin } = world
  origin.route('/blog/post', { body: pageWith(''), contentType: 'text/html' })
  origin.route('/index.xml', { body: feed })
  const fromPost = await inPassingTime(world.clock, world.preview(`${origin.url}/blog/post`))
  assert.equal(fromPost.url, `${origin.url}/index.xml`)
  await using other = await startAdding()
  other.origin.route('/', { body: pageWith(''), contentType: 'text/html' })
  other.origin.route('/rss', { body: feed })
  const fromFront = await inPassingTime(other.clock, other.preview(`${other.origin.url}/`))
  assert.equal(fromFront.url, `${other.origin.url}/rss`)
})

test('guesses never make a preview fail: those that do not fit into its 15 s are left out, and it says how many', async () => {
  for (const [rss, asked, untried] of [
    [2, 7, 0],
    [3, 5, 2],
    [14, 1, 6],
    [16, 0, 7],
  ] as const) {
    await using world = await startAdding({ pollDelaySeconds: { rss } })
    world.origin.route('/', { body: pageWith(''), contentType: 'text/html' })
    const preview = await inPassingTime(world.clock, world.preview(`${world.origin.url}/`))
    assert.deepEqual([preview.type, world.origin.requests.length], ['website', 1 + asked])
    const why = `${untried} of 7 usual addresses of feeds were not tried: the host was not free for them in time`
    assert.deepEqual(preview.notes, untried === 0 ? [] : [why])
    assert.ok((world.origin.requests.at(-1)?.at ?? 0) <= TEST_START + 15_000)
  }
})

test('nobody looks for the feed of a picture, a PDF, data or nothing at all', async () => {
  for (const [contentType, body] of [
    ['application/pdf', '%PDF-1.4 \x00\x01\x02'],
    ['image/png', '\x89PNG\r\n\x1a\n\x00\x00'],
    ['application/json', '{"hello": "world"}'],
    ['text/html', ''],
  ] as const) {
    await using world = await startAdding()
    world.origin.route('/', { body, contentType })
    const preview = inPassingTime(world.clock, world.preview(`${world.origin.url}/`))
    await preview.catch(({ code }) => assert.equal(code, 'nothing-usable'))
    assert.deepEqual(pathsOf(world.origin), ['/'], contentType)
  }
})

test('guessing ends with the first answer that asks for less, which is told', async () => {
  for (const status of [429, 503]) {
    await using world = await startAdding()
    world.origin.route('/', { body: pageWith(''), contentType: 'text/html' })
    world.origin.route('/rss.xml', { status })
    const preview = await inPassingTime(world.clock, world.preview(`${world.origin.url}/`))
    assert.deepEqual([preview.type, pathsOf(world.origin)], ['website', ['/', '/feed', '/rss.xml']])
    const why = `5 of 7 usual addresses of feeds were not tried: the host answered ${status}`
    assert.deepEqual(preview.notes, [why])
  }
})

test('preview tells the rule for everything a poll would drop, and stores nothing', async () => {
  await using world = await startAdding()
  const items = [
    { title: 'New', publishedAt: TEST_START + MINUTE },
    { title: 'Before', publishedAt: TEST_START - MINUTE },
    { title: 'Old', publishedAt: TEST_START - 30 * 24 * 60 * MINUTE },
    { title: 'Twin', body: 'About New', publishedAt: TEST_START + MINUTE },
  ]
  world.origin.route('/feed', { body: rss(items) })
  const preview = await world.preview(`${world.origin.url}/feed`)
  assert.deepEqual(
    preview.posts.map(({ title }) => title),
    ['New'],
  )
  assert.deepEqual(
    preview.dropped.map(({ title, rule }) => [title, rule]),
    [
      ['Before', 'beforeCreated'],
      ['Old', 'tooOld'],
      ['Twin', 'duplicate'],
    ],
  )
  assert.equal((await world.app.store.totals({ userId: null, now: TEST_START })).sources, 0)
})

test('nothing usable is told with the reason, and nothing is stored', async () => {
  await using world = await startAdding()
  world.origin.route('/gone', { status: 410 })
  world.origin.route('/page', { body: pageWith(''), contentType: 'text/html' })
  await assert.rejects(world.add({ url: `${world.origin.url}/gone` }), { code: 'nothing-usable', message: /410/ })
  world.origin.route('/empty', { body: '' })
  for (const [path, reason] of Object.entries({ page: 'The document is not a feed', empty: 'The document is empty' })) {
    const url = `${world.origin.url}/${path}`
    const message = `Nothing usable at ${url}: ${reason}.`
    await assert.rejects(world.add({ url, type: 'rss' }), { code: 'nothing-usable', message })
  }
  assert.equal((await world.app.store.totals({ userId: null, now: TEST_START })).sources, 0)
})

test('a host that is not free within 15 s is told with the remedy; a test fetch may close a lane but counts nowhere', async () => {
  await using world = await startAdding()
  world.origin.route('/busy', { status: 429, headers: { 'retry-after': '120' } })
  world.origin.route('/feed', { body: feed })
  await assert.rejects(world.add({ url: `${world.origin.url}/busy` }), { code: 'nothing-usable', message: /429/ })
  await assert.rejects(world.add({ url: `${world.origin.url}/feed` }), {
    code: 'host-not-free',
    message: /validate: false/,
  })
  assert.equal(world.origin.requests.length, 1)
})

/** The 15 s are real time: here they are over when the test says so. */
function realWaits(t: TestContext) {
  const ends: (() => void)[] = []
  const real = setTimeout
  t.mock.method(globalThis, 'setTimeout', (run: () => void, ms?: number) => {
    if (ms !== 15_000) return real(run, ms)
    ends.push(run)
    return real(() => {}, 0)
  })
  return async () => {
    await until('somebody waits', () => ends.length > 0)
    return ends.splice(0).at(-1) ?? (() => {})
  }
}

test('behind the polls of others a host is told to be busy; until when, only if it says so itself', async (t) => {
  await using world = await startAdding()
  let answer = () => {}
  world.origin.route('/slow', (_request, response) => {
    answer = () => response.writeHead(429, { 'retry-after': '120' }).end()
  })
  world.origin.route('/feed', { body: feed })
  const slow = { type: 'rss', url: `${world.origin.url}/slow`, validate: false } as const
  const { id } = await world.app.catalogue.sources.create('default', slow)
  const poll = world.app.engine.poll(id)
  await until('it is asked', () => world.origin.requests.length === 1)
  const somebodyWaits = realWaits(t)
  const toldNotFree = (message: RegExp) =>
    assert.rejects(world.preview(`${world.origin.url}/feed`), { code: 'host-not-free', message })

  const busy = toldNotFree(/^127\.0\.0\.2 is busy .*Try again, or .*validate: false/)
  const timeIsUp = await somebodyWaits()
  timeIsUp()
  await busy

  const closed = toldNotFree(/^127\.0\.0\.2 cannot be asked before 2026-02-17T10:02:00/)
  const timeIsUpAgain = await somebodyWaits()
  answer()
  await poll
  timeIsUpAgain()
  await closed
})

test('a YouTube handle is resolved to its feed from the page’s own links; url stays what the person gave', async () => {
  await using world = await startAdding()
  const entry =
    '<entry><id>yt:video:1</id><title>A video</title><link rel="alternate" href="https://www.youtube.com/watch?v=1"/><published>2026-02-17T10:30:00+00:00</published><media:group><media:title>A video</media:title><media:description>What is shown here.</media:description></media:group></entry>'
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><title>Channel</title>${entry}</feed>`
  const link = `<link rel="alternate" type="application/rss+xml" title="RSS" href="${world.origin.url}/feeds/videos.xml?channel_id=UC1">`
  world.origin.route('/@name', { body: pageWith(link), contentType: 'text/html' })
  world.origin.route('/feeds/videos.xml', { body: atom, contentType: 'text/xml' })
  const source = await world.add({ url: `${world.origin.url}/@name`, type: 'youtube' })
  assert.equal(source.url, `${world.origin.url}/@name`)
  assert.equal(source.feedUrl, `${world.origin.url}/feeds/videos.xml?channel_id=UC1`)
  await world.app.engine.poll(source.id)
  const { items } = await world.app.store.listPosts({ podcastId: 'default', limit: 10, cursor: null })
  assert.equal(items[0]?.body, 'What is shown here.')
  assert.equal(pathsOf(world.origin).filter((path) => path === '/@name').length, 1)
})

test('a YouTube source that names a feed elsewhere asks for it conditionally and reads the same bytes once', async () => {
  await using world = await startAdding()
  world.origin.route('/mirror', { body: feed, etag: '"1"' })
  const source = await world.add({ url: `${world.origin.url}/mirror`, type: 'youtube' })
  await world.app.engine.poll(source.id)
  assert.equal((await world.app.engine.poll(source.id)).httpStatus, 304)
  world.origin.route('/mirror', { body: feed })
  const same = await world.app.engine.poll(source.id)
  assert.deepEqual([same.httpStatus, same.found], [200, 0], 'not parsed again')
  world.origin.route('/mirror', { body: rss([{ title: 'New', publishedAt: TEST_START + 2 * MINUTE }]) })
  assert.equal((await world.app.engine.poll(source.id)).created, 1)
})

test('a feed that the first poll finds behind a page is asked in the lane of its own host from then on', async () => {
  await using world = await startAdding()
  await using other = await startOrigin({ host: '127.0.0.3', now: () => world.clock.now() })
  other.route('/feed', { body: feed })
  const link = `<link rel="alternate" type="application/rss+xml" href="${other.url}/feed">`
  world.origin.route('/@name', { body: pageWith(link), contentType: 'text/html' })
  const { sources } = world.app.catalogue
  const untested = { url: `${world.origin.url}/@name`, type: 'youtube' } as const
  const { id, host, feedUrl } = await sources.create('default', untested, { validate: false })
  assert.deepEqual([host, feedUrl], ['127.0.0.2', null])
  assert.equal((await world.app.engine.poll(id)).outcome, 'success')
  const row = await world.app.store.getSource(id)
  assert.deepEqual([row?.host, row?.lane, row?.feedUrl], ['127.0.0.3', '127.0.0.3', `${other.url}/feed`])
  await world.app.engine.poll(id)
  assert.deepEqual(pathsOf(world.origin), ['/@name'])
})

test('what was fetched with credentials is not read for a source without them, nor the other way round', async () => {
  await using world = await startAdding()
  const secret = `Basic ${btoa('me:hush')}`
  world.origin.route('/feed', ({ headers }, response) => {
    if (headers.authorization === secret) response.end(feed)
    else response.writeHead(401).end()
  })
  const url = `${world.origin.url}/feed`
  const withPassword = url.replace('//', '//me:hush@')
  const look = { userId: 'default', type: null, url, trusted: true }
  await world.app.engine.testFetch({ ...look, basicAuth: 'me:hush' })
  const { sources } = world.app.catalogue
  const open = await sources.create('default', { type: 'rss', url }, { validate: false })
  assert.equal((await world.app.engine.poll(open.id)).httpStatus, 401)
  await sources.remove(open.id)

  const asked = world.origin.requests.length
  const closed = await sources.create('default', { type: 'rss', url: withPassword }, { validate: true })
  assert.equal((await world.app.engine.poll(closed.id)).created, 2)
  assert.equal(world.origin.requests.length, asked + 1, 'its own are')
})

/** The clock goes on to whatever is waited for next, until the work is done. */
async function inPassingTime<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  let done = false
  const finished = (): void => {
    done = true
  }
  work.then(finished, finished)
  while (!done) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    const next = clock.pending[0]
    if (next !== undefined) await clock.advanceTo(next)
  }
  return work
}

function pathsOf(origin: Origin): string[] {
  return origin.requests.map(({ path }) => path)
}
