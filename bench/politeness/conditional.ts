// Conditional requests: validators exact, never stale, never invented.
import { rss } from '../../test/support/product.ts'
import type { World } from '../../test/support/world.ts'
import { conditions, inGroup, inWorld, nothing, pollEach, type Row, recordsOf, sharing } from './check.ts'

const check = inGroup('conditional requests')
const FEED = rss([{ title: 'One' }])
const DATE = 'Tue, 17 Feb 2026 09:00:00 GMT'

/** Conditions of the requests when the server gives these headers with every 200. */
const given = (property: string, headers: Record<string, string>, polls: number, wanted: string): Row => ({
  property,
  async see(world, path) {
    world.origin.route(path, { body: FEED, headers })
    const { id } = await world.add(path)
    await pollEach(world, id, Array(polls).fill(nothing))
    return { seen: conditions(world.origin.requestsTo(path)), wanted }
  },
})

const GIVEN = [
  given('an ETag alone comes back alone', { etag: '"abc"' }, 2, 'plain | match "abc"'),
  given('a Last-Modified alone comes back alone', { 'last-modified': DATE }, 2, `plain | since ${DATE}`),
  given(
    'both come back when both were given',
    { etag: '"abc"', 'last-modified': DATE },
    2,
    `plain | match "abc" & since ${DATE}`,
  ),
  given('a weak and odd ETag is byte-exact', { etag: 'W/"caf\xe9,  \\x"' }, 2, 'plain | match W/"caf\xe9,  \\x"'),
  given('an unquoted ETag is byte-exact', { etag: 'abc' }, 2, 'plain | match abc'),
  given(
    'a Last-Modified that is no date is byte-exact',
    { 'last-modified': 'around noon' },
    2,
    'plain | since around noon',
  ),
  given('without validators nothing is invented', { date: DATE, age: '5' }, 3, 'plain | plain | plain'),
]

/** The same feed, then something else, then whatever the third request asks for. */
const after = (second: (world: World) => unknown, wanted: string) => () =>
  inWorld(async (world) => {
    world.origin.route('/feed', { body: FEED, etag: '"good"' })
    const { id } = await world.add('/feed')
    await pollEach(world, id, [nothing, () => second(world), nothing])
    return { seen: conditions(world.origin.requests), wanted }
  })

const etag = '"good"'
const kept = `plain | match ${etag} | match ${etag}`

export const CONDITIONAL = [
  check('the first request is plain and the only one of its kind', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { body: FEED, etag: '"a"', lastModified: DATE })
      const { id } = await world.add('/feed')
      await pollEach(world, id, Array(4).fill(nothing))
      const codes = (await recordsOf(world, id)).map(({ httpStatus }) => httpStatus).join(' ')
      const plain = world.origin.requests.filter((request) => conditions([request]) === 'plain')
      return {
        seen: `${plain.length} plain of ${world.origin.requests.length}: ${codes}`,
        wanted: '1 plain of 4: 200 304 304 304',
      }
    }),
  ),
  ...sharing(check, GIVEN),
  check(
    'a 304 refreshes the validator it names',
    after(
      ({ origin }) => origin.route('/feed', (_request, response) => response.writeHead(304, { etag: '"new"' }).end()),
      `plain | match ${etag} | match "new"`,
    ),
  ),
  check(
    'a 200 without validators ends the old ones',
    after(({ origin }) => origin.route('/feed', { body: rss([{ title: 'Two' }]) }), `plain | match ${etag} | plain`),
  ),
  check(
    'an error page gives no validator',
    after(({ origin }) => origin.route('/feed', { status: 500, etag: '"error"', body: 'x' }), kept),
  ),
  check(
    'a missing page gives no validator',
    after(({ origin }) => origin.route('/feed', { status: 404, etag: '"gone"', body: 'x' }), kept),
  ),
  check(
    'a 200 that is no feed gives no validator',
    after(({ origin }) => origin.route('/feed', { body: 'Under maintenance', etag: '"bad"' }), kept),
  ),
  check(
    'a body cut short gives no validator',
    after(
      ({ origin }) =>
        origin.route('/feed', (request) => {
          request.socket.end(`HTTP/1.1 200 OK\r\nETag: "cut"\r\nContent-Length: 9999\r\n\r\n${FEED}`)
        }),
      kept,
    ),
  ),
  check('a redirect gives no validator and gets none', () =>
    inWorld(async (world) => {
      const headers = { location: '/feed', etag: '"hop"', 'last-modified': DATE }
      world.origin.route('/way', (_request, response) => response.writeHead(302, headers).end())
      world.origin.route('/feed', { body: FEED, etag: '"doc"' })
      const { id } = await world.add('/way')
      await pollEach(world, id, [nothing, nothing])
      const [way, feed] = ['/way', '/feed'].map((path) => conditions(world.origin.requestsTo(path)))
      return { seen: `hop: ${way}; feed: ${feed}`, wanted: 'hop: plain | plain; feed: plain | match "doc"' }
    }),
  ),
  check('a person’s change of URL drops them', () =>
    inWorld(async (world) => {
      for (const path of ['/feed', '/other']) world.origin.route(path, { body: FEED, etag: '"good"' })
      const { id } = await world.add('/feed')
      const move = () => world.tidings.catalogue.sources.update(id, { url: `${world.origin.url}/other` })
      await pollEach(world, id, [nothing, nothing, move])
      return { seen: conditions(world.origin.requests), wanted: `plain | match ${etag} | plain` }
    }),
  ),
  check('a setting that choosing depends on drops them', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { body: FEED, etag: '"good"' })
      const { id } = await world.add('/feed')
      const filter = () => world.tidings.catalogue.sources.update(id, { categoryFilter: 'news' })
      await pollEach(world, id, [nothing, filter, nothing])
      return { seen: conditions(world.origin.requests), wanted: `plain | plain | match ${etag}` }
    }),
  ),
  check('a setting changed during a poll counts for the next', () =>
    inWorld(async (world) => {
      const { promise: changed, resolve: go } = Promise.withResolvers<void>()
      world.origin.route('/feed', async (_request, response) => {
        await changed
        response.writeHead(200, { etag: '"good"' }).end(FEED)
      })
      const { id } = await world.add('/feed', { categoryFilter: 'news' })
      const first = world.tidings.poll(id)
      while (world.origin.requests.length === 0) await new Promise(setImmediate)
      await world.tidings.catalogue.sources.update(id, { categoryFilter: null })
      go()
      await first
      const again = await world.tidings.poll(id)
      return { seen: `${conditions(world.origin.requests)}, ${again.found} read`, wanted: 'plain | plain, 1 read' }
    }),
  ),
  check(
    'a restart keeps them',
    after((world) => world.restart(), kept),
  ),
  check('a page is asked as conditionally as a feed', () =>
    inWorld(async (world) => {
      const text = `<p>${'Words enough to make a page worth reading. '.repeat(12)}</p>`
      const body = `<html><head><title>Page</title></head><body><article>${text}</article></body></html>`
      world.origin.route('/page', { body, contentType: 'text/html', etag: '"p"' })
      const { id } = await world.add('/page', { type: 'website' })
      await pollEach(world, id, [nothing, nothing])
      return { seen: conditions(world.origin.requests), wanted: 'plain | match "p"' }
    }),
  ),
  check('identical bytes are not read again', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { body: FEED })
      const { id } = await world.add('/feed')
      await pollEach(world, id, [nothing, nothing])
      const told = (await recordsOf(world, id)).map(({ httpStatus, found }) => `${httpStatus} with ${found} read`)
      return { seen: told.join(', '), wanted: '200 with 1 read, 200 with 0 read' }
    }),
  ),
]
