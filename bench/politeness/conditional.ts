// Conditional requests: validators are sent back unchanged, only while they are valid, and never invented.
import { rss } from '../../test/support/product.ts'
import type { World } from '../../test/support/world.ts'
import {
  checksInOneWorld,
  conditions,
  inGroup,
  inWorld,
  noChange,
  pollEach,
  recordsOf,
  type SharedCheck,
} from './check.ts'

const check = inGroup('conditional requests')
const FEED = rss([{ title: 'One' }])
const DATE = 'Tue, 17 Feb 2026 09:00:00 GMT'

/** Polls a server that sends these headers with every 200, and reports the conditional headers of the requests. */
const given = (property: string, headers: Record<string, string>, polls: number, expected: string): SharedCheck => ({
  property,
  async run(world, path) {
    world.origin.route(path, { body: FEED, headers })
    const { id } = await world.add(path)
    await pollEach(world, id, Array(polls).fill(noChange))
    return { seen: conditions(world.origin.requestsTo(path)), expected }
  },
})

const GIVEN = [
  given('an ETag alone is sent back alone', { etag: '"abc"' }, 2, 'plain | match "abc"'),
  given('a Last-Modified alone is sent back alone', { 'last-modified': DATE }, 2, `plain | since ${DATE}`),
  given(
    'both are sent back if the server sent both',
    { etag: '"abc"', 'last-modified': DATE },
    2,
    `plain | match "abc" & since ${DATE}`,
  ),
  given(
    'a weak ETag with unusual characters is sent back unchanged',
    { etag: 'W/"caf\xe9,  \\x"' },
    2,
    'plain | match W/"caf\xe9,  \\x"',
  ),
  given('an unquoted ETag is sent back unchanged', { etag: 'abc' }, 2, 'plain | match abc'),
  given(
    'a Last-Modified that is not a date is sent back unchanged',
    { 'last-modified': 'around noon' },
    2,
    'plain | since around noon',
  ),
  given('without validators requests are unconditional', { date: DATE, age: '5' }, 3, 'plain | plain | plain'),
]

/** Polls a feed, changes something, polls twice more, and reports the conditional headers. */
const after = (second: (world: World) => unknown, expected: string) => () =>
  inWorld(async (world) => {
    world.origin.route('/feed', { body: FEED, etag: '"good"' })
    const { id } = await world.add('/feed')
    await pollEach(world, id, [noChange, () => second(world), noChange])
    return { seen: conditions(world.origin.requests), expected }
  })

const etag = '"good"'
const kept = `plain | match ${etag} | match ${etag}`

export const CONDITIONAL = [
  check('only the first request is unconditional', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { body: FEED, etag: '"a"', lastModified: DATE })
      const { id } = await world.add('/feed')
      await pollEach(world, id, Array(4).fill(noChange))
      const codes = (await recordsOf(world, id)).map(({ httpStatus }) => httpStatus).join(' ')
      const plain = world.origin.requests.filter((request) => conditions([request]) === 'plain')
      return {
        seen: `${plain.length} plain of ${world.origin.requests.length}: ${codes}`,
        expected: '1 plain of 4: 200 304 304 304',
      }
    }),
  ),
  ...checksInOneWorld(check, GIVEN),
  check(
    'a 304 replaces the validator it contains',
    after(
      ({ origin }) => origin.route('/feed', (_request, response) => response.writeHead(304, { etag: '"new"' }).end()),
      `plain | match ${etag} | match "new"`,
    ),
  ),
  check(
    'a 200 without validators drops the old ones',
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
    'a 200 that is not a feed gives no validator',
    after(({ origin }) => origin.route('/feed', { body: 'Under maintenance', etag: '"bad"' }), kept),
  ),
  check(
    'a truncated body gives no validator',
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
      await pollEach(world, id, [noChange, noChange])
      const [way, feed] = ['/way', '/feed'].map((path) => conditions(world.origin.requestsTo(path)))
      return { seen: `hop: ${way}; feed: ${feed}`, expected: 'hop: plain | plain; feed: plain | match "doc"' }
    }),
  ),
  check(
    'a restart keeps the validators',
    after((world) => world.restart(), kept),
  ),
  check('pages are requested conditionally too', () =>
    inWorld(async (world) => {
      const text = `<p>${'Words enough to make a page worth reading. '.repeat(12)}</p>`
      const body = `<html><head><title>Page</title></head><body><article>${text}</article></body></html>`
      world.origin.route('/page', { body, contentType: 'text/html', etag: '"p"' })
      const { id } = await world.add('/page', { type: 'website' })
      await pollEach(world, id, [noChange, noChange])
      return { seen: conditions(world.origin.requests), expected: 'plain | match "p"' }
    }),
  ),
  check('identical bytes are not read again', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { body: FEED })
      const { id } = await world.add('/feed')
      await pollEach(world, id, [noChange, noChange])
      const told = (await recordsOf(world, id)).map(({ httpStatus, found }) => `${httpStatus} with ${found} read`)
      return { seen: told.join(', '), expected: '200 with 1 read, 200 with 0 read' }
    }),
  ),
]
