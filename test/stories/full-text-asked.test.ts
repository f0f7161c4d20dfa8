// Full text: robots.txt by host, transcripts of every kind, what is stated about the use of texts, and people who ask for
// the full text of one post.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOrigin } from '../support/origin.ts'
import { feedTo, LONG, page, paths, polled, posts } from '../support/pages-behind.ts'
import { rss } from '../support/product.ts'
import { HOUR, MINUTE, TEST_START, type World } from '../support/world.ts'

const code = (wanted: string, message: RegExp) => (error: unknown) => {
  assert.equal((error as { code?: string }).code, wanted)
  assert.match((error as Error).message, message)
  return true
}

test('a host has one robots.txt a day, whatever ports its pages are on', async () => {
  const { world, pages, add } = await polled()
  await using _ = world
  await using other = await startOrigin({ host: pages.host, now: () => world.clock.now() })
  other.route('/q', { contentType: 'text/html', body: page() })
  const item = (n: number, link: string) => ({ title: `${n}`, guid: `${n}`, body: `Cut ${n}…`, link })
  world.origin.route('/feed', { body: rss([item(0, `${pages.url}/p0`), item(1, `${other.url}/q`)]) })
  await add()
  await world.pass(31 * MINUTE)
  const robots = [...paths(pages), ...paths(other)].filter((path) => path === '/robots.txt')
  assert.equal(robots.length, 1)
  assert.deepEqual(
    (await posts(world)).map(({ fullTextState }) => fullTextState),
    ['fetched', 'fetched'],
  )
})

test('a 429 for robots.txt closes the lane and then allows, as every 4xx does', async () => {
  const { world, pages, add } = await polled()
  await using _ = world
  pages.route('/robots.txt', { status: 429, headers: { 'retry-after': '1200' } })
  await add()
  await world.pass(31 * MINUTE)
  assert.deepEqual(paths(pages), ['/robots.txt'])
  await world.pass(19 * MINUTE)
  assert.equal(pages.requests.length, 1)
  await world.pass(2 * MINUTE)
  assert.deepEqual(paths(pages), ['/robots.txt', '/p0'])
  assert.equal((await posts(world))[0]?.fullTextState, 'fetched')
})

for (const status of [401, 403, 404, 410])
  test(`a ${status} for robots.txt allows the page at once`, async () => {
    const { world, pages, add } = await polled()
    await using _ = world
    pages.route('/robots.txt', { status })
    await add()
    await world.pass(31 * MINUTE)
    assert.deepEqual(paths(pages), ['/robots.txt', '/p0'])
  })

test('robots.txt that never answers puts the page off for an hour', async () => {
  const { world, pages, add } = await polled()
  await using _ = world
  pages.route('/robots.txt', (_request, response) => response.destroy())
  await add()
  await world.pass(31 * MINUTE)
  pages.route('/robots.txt', { status: 404 })
  await world.pass(58 * MINUTE)
  assert.equal(pages.requestsTo('/p0').length, 0)
  await world.pass(3 * MINUTE)
  assert.equal(pages.requestsTo('/p0').length, 1)
})

test('pages that wait are not asked any more once a person sets full text to never, and their posts become articles', async () => {
  const { world, pages, add } = await polled()
  await using _ = world
  pages.route('/robots.txt', { status: 500 })
  const source = await add()
  await world.pass(31 * MINUTE)
  assert.equal((await only(world)).fullTextState, 'pending')
  assert.equal((await world.tidings.articles.aggregate('default')).waiting, 1)
  await world.tidings.catalogue.sources.update(source.id, { fullText: 'never' })
  assert.equal((await only(world)).fullTextState, 'none')
  assert.equal((await world.tidings.articles.aggregate('default')).created.length, 1)
  const asked = pages.requests.length
  await world.pass(2 * HOUR)
  assert.equal(pages.requests.length, asked)
})

const SPOKEN = 'Hello there. And welcome to the show, which has more words than its notes.'
const CUES = ['Hello there.', 'And welcome to the show,', 'which has more words than its notes.']
const TRANSCRIPTS: readonly (readonly [name: string, type: string, body: string])[] = [
  ['plain text', 'text/plain', SPOKEN],
  [
    'VTT',
    'text/vtt',
    `WEBVTT\n\nNOTE a note\n\n${CUES.map((cue, n) => `00:0${n}.000 --> 00:0${n + 1}.000\n<v Ann>${cue}`).join('\n\n')}`,
  ],
  [
    'SRT',
    'application/x-subrip',
    CUES.map((cue, n) => `${n + 1}\r\n00:00:0${n},000 --> 00:00:0${n + 1},000\r\n${cue}\r\n`).join('\r\n'),
  ],
  [
    'JSON',
    'application/json',
    JSON.stringify({ version: '1.0.0', segments: CUES.map((body) => ({ speaker: 'Ann', body })) }),
  ],
  ['HTML', 'text/html', `<cite>Ann:</cite><script>alert(1)</script>${CUES.map((cue) => `<p>${cue}</p>`).join('')}`],
]

const episode = (link: string, transcript: string, notes = 'Cut…') =>
  `<rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>T</title>
   <item><title>Episode</title><guid>e</guid><description>${notes}</description><link>${link}</link>${transcript}</item>
   </channel></rss>`

for (const [name, type, body] of TRANSCRIPTS)
  test(`a transcript as ${name} is asked instead of the page`, async () => {
    const { world, pages, add } = await polled()
    await using _ = world
    const transcript = `<podcast:transcript url="${pages.url}/t" type="${type}"/>`
    world.origin.route('/feed', { body: episode(`${pages.url}/p0`, transcript) })
    pages.route('/t', { contentType: type, body })
    await add()
    await world.pass(31 * MINUTE)
    assert.deepEqual(paths(pages), ['/robots.txt', '/t'])
    const [post] = await posts(world)
    assert.equal(post?.fullTextState, 'fetched')
    assert.equal(post?.fullText?.replace(/^Ann: ?/, ''), SPOKEN)
  })

test('a transcript is wanted however long the notes are, but not with never; a person may ask for it then', async () => {
  for (const fullText of ['auto', 'never'] as const) {
    const { world, pages, add } = await polled({ fullText })
    await using _ = world
    const transcript = `<podcast:transcript url="${pages.url}/t" type="text/plain"/>`
    world.origin.route('/feed', { body: episode(`${pages.url}/p0`, transcript, LONG) })
    pages.route('/t', { contentType: 'text/plain', body: `${LONG} ${SPOKEN}` })
    await add()
    await world.pass(31 * MINUTE)
    assert.equal(pages.requestsTo('/t').length, fullText === 'auto' ? 1 : 0)
    if (fullText === 'auto') continue
    const [post] = await posts(world)
    await world.tidings.posts.requestFullText('default', post?.id ?? '')
    assert.equal((await posts(world))[0]?.fullTextState, 'pending')
    await world.pass(0)
    assert.deepEqual(paths(pages), ['/robots.txt', '/t'])
    assert.ok((await posts(world))[0]?.fullText?.endsWith(SPOKEN))
  }
})

test('what answer, robots.txt and page state about use is kept, each once', async () => {
  const { world, pages, add } = await polled()
  await using _ = world
  pages.route('/robots.txt', { body: 'User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n' })
  pages.route('/p0', {
    contentType: 'text/html',
    headers: { 'content-usage': 'train-ai=n' },
    body: page(LONG, '<meta name="robots" content="index, noai, noimageai">'),
  })
  await add()
  await world.pass(31 * MINUTE)
  const stated = (await posts(world))[0]?.usagePreferences ?? ''
  for (const word of ['Content-Signal: search=yes, ai-train=no', 'train-ai=n', 'noai', 'noimageai'])
    assert.ok(stated.includes(word), `${word} in ${stated}`)
  assert.equal(stated.split('train-ai=n').length, 2)
})

test('what robots.txt states about use is kept for a page that it disallows', async () => {
  const { world, pages, add } = await polled()
  await using _ = world
  pages.route('/robots.txt', { body: 'User-agent: *\nContent-Signal: ai-train=no\nDisallow: /\n' })
  await add()
  await world.pass(31 * MINUTE)
  const { fullTextState, usagePreferences } = await only(world)
  assert.deepEqual([fullTextState, usagePreferences], ['blocked', 'Content-Signal: ai-train=no'])
})

test('where nothing is stated about use, nothing is kept', async () => {
  const { world, add } = await polled()
  await using _ = world
  await add()
  await world.pass(31 * MINUTE)
  assert.equal((await posts(world))[0]?.usagePreferences, null)
})

async function only(world: World) {
  const [post] = await posts(world)
  assert.ok(post)
  return post
}

test('a person asks for the full text of one post in every state but fetched', async () => {
  const { world, pages, add } = await polled({ fullText: 'never' })
  await using _ = world
  await add()
  await world.pass(31 * MINUTE)
  const { id } = await only(world)
  const request = () => world.tidings.posts.requestFullText('default', id)
  pages.route('/robots.txt', { body: 'User-agent: *\nDisallow: /p0\n' })
  await request()
  await world.pass(0)
  assert.equal((await only(world)).fullTextState, 'blocked')
  pages.route('/robots.txt', { body: '' })
  pages.route('/p0', { status: 404 })
  await world.pass(25 * HOUR)
  await request()
  await request()
  await world.pass(0)
  assert.equal((await only(world)).fullTextState, 'failed')
  assert.equal(pages.requestsTo('/p0').length, 1)
  pages.route('/p0', { contentType: 'text/html', body: page('Short') })
  await request()
  await world.pass(0)
  assert.equal((await only(world)).fullTextState, 'not-better')
  pages.route('/p0', { status: 500 })
  await request()
  await world.pass(0)
  assert.equal((await only(world)).fullTextState, 'pending')
  pages.route('/p0', { contentType: 'text/html', body: page() })
  await request()
  await world.pass(0)
  assert.equal((await only(world)).fullTextState, 'fetched')
  await assert.rejects(request(), code('conflict', /already/))
  await assert.rejects(world.tidings.posts.requestFullText('default', '999'), code('not-found', /post/))
  await assert.rejects(world.tidings.posts.requestFullText('other', id), code('not-found', /post/))
})

test('where there is no page behind a post, the answer says why', async () => {
  const { world, pages, add } = await polled({ fullText: 'always' })
  await using _ = world
  world.origin.route('/feed', { body: rss([{ title: 'Alone', guid: 'a', publishedAt: TEST_START }]) })
  await add()
  await world.pass(31 * MINUTE)
  const alone = await only(world)
  assert.equal(alone.fullTextState, 'none')
  await assert.rejects(world.tidings.posts.requestFullText('default', alone.id), code('conflict', /no page behind/))
  world.origin.route('/page', { contentType: 'text/html', body: page() })
  await world.add('/page', { type: 'website', fullText: 'always' })
  await world.pass(0)
  await world.pass(31 * MINUTE)
  const whole = (await posts(world)).find(({ id }) => id !== alone.id)
  await assert.rejects(world.tidings.posts.requestFullText('default', whole?.id ?? ''), code('conflict', /website/))
  assert.equal(pages.requests.length, 0)
})

test('asking while the page is on its way asks for it once', async () => {
  const { world, pages, add } = await polled()
  await using _ = world
  const held = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  pages.route('/p0', async (_request, response) => {
    asked.resolve()
    await held.promise
    response.setHeader('content-type', 'text/html')
    response.end(page())
  })
  await add()
  const passing = world.pass(31 * MINUTE)
  await asked.promise
  await world.tidings.posts.requestFullText('default', (await only(world)).id)
  held.resolve()
  await passing
  await world.pass(10 * MINUTE)
  assert.equal(pages.requestsTo('/p0').length, 1)
  assert.equal((await only(world)).fullTextState, 'fetched')
})

test('with more posts than pages may be asked for, a person may ask for a skipped one', async () => {
  const { world, pages, add } = await polled({}, { content: { fullText: 'always', maxPagesPerPoll: 1 } })
  await using _ = world
  feedTo(world, pages, 3)
  await add()
  await world.pass(31 * MINUTE)
  const skipped = (await posts(world)).find(({ fullTextState }) => fullTextState === 'skipped')
  assert.match(skipped?.fullTextReason ?? '', /more than 1 /)
  await world.tidings.posts.requestFullText('default', skipped?.id ?? '')
  await world.pass(0)
  assert.equal((await world.tidings.posts.get('default', skipped?.id ?? '')).fullTextState, 'fetched')
})
