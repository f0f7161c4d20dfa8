// What a server says about freshness: when the next poll comes, with an interval of 30 minutes and a cap of 24 hours.
// The worlds begin on Tuesday, 17 February 2026, 10:00 GMT, and the first poll is then.
import { rss } from '../../test/support/product.ts'
import { HOUR, MINUTE, TEST_START } from '../../test/support/world.ts'
import { inGroup, inWorld, minutesOf, nothing, pollEach, type Row, sharing } from './check.ts'

const check = inGroup('freshness')
const FEED = rss([])
const SY = 'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"'
const inMs = (ms: number): string => new Date(TEST_START + ms).toUTCString()

interface Stated {
  readonly headers?: Record<string, string>
  /** Elements of the channel. */
  readonly channel?: string
  readonly settings?: Record<string, unknown>
}

/** Minutes from the last poll to the next: after a 200, and after the 304 that follows it. */
const minutes = (property: string, stated: Stated, after200: number, after304 = after200): Row => ({
  property,
  async see(world, path) {
    const body = rss([], stated.channel).replace('<rss ', `<rss ${SY} `)
    world.origin.route(path, { body, etag: '"1"', ...(stated.headers && { headers: stated.headers }) })
    const { id } = await world.add(path, stated.settings)
    const next = async () =>
      (Date.parse((await world.tidings.catalogue.sources.get(id)).nextPollAt ?? '') - world.clock.now()) / MINUTE
    await world.tidings.poll(id)
    const first = await next()
    await world.tidings.poll(id)
    return {
      seen: `next in ${first} min, after a 304 in ${await next()}`,
      wanted: `next in ${after200} min, after a 304 in ${after304}`,
    }
  },
})

const STATED = [
  minutes('Cache-Control: max-age moves the next poll', { headers: { 'cache-control': 'max-age=7200' } }, 120),
  minutes('max-age counts less Age', { headers: { 'cache-control': 'public, max-age=7200', age: '600' } }, 110),
  minutes('what is shorter than the interval does not matter', { headers: { 'cache-control': 'max-age=60' } }, 30),
  minutes('no-cache states nothing', { headers: { 'cache-control': 'no-cache, max-age=7200' } }, 30),
  minutes('no-store states nothing', { headers: { 'cache-control': 'no-store', expires: inMs(3 * HOUR) } }, 30),
  minutes('Expires counts', { headers: { expires: inMs(3 * HOUR) } }, 180),
  minutes('max-age outweighs Expires', { headers: { 'cache-control': 'max-age=3600', expires: inMs(3 * HOUR) } }, 60),
  minutes('an Expires that is no date states nothing', { headers: { expires: '0' } }, 30),
  minutes('the feed’s ttl counts', { channel: '<ttl>90</ttl>' }, 90),
  minutes(
    'sy:updatePeriod and updateFrequency count',
    { channel: '<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>8</sy:updateFrequency>' },
    180,
  ),
  minutes('skipHours are waited out', { channel: '<skipHours><hour>10</hour><hour>11</hour></skipHours>' }, 120),
  minutes('skipDays are waited out', { channel: '<skipDays><day>Tuesday</day></skipDays>' }, 14 * 60),
  minutes('the latest word counts', { headers: { 'cache-control': 'max-age=3600' }, channel: '<ttl>240</ttl>' }, 240),
  minutes('no word goes beyond the backoff cap', { headers: { 'cache-control': 'max-age=99999999' } }, 24 * 60),
  minutes(
    'a source’s own cap counts',
    { headers: { 'cache-control': 'max-age=99999999' }, settings: { maxBackoffHours: 2 } },
    120,
  ),
  minutes(
    'honourFreshness: false turns it off',
    { headers: { 'cache-control': 'max-age=7200' }, channel: '<ttl>90</ttl>', settings: { honourFreshness: false } },
    30,
  ),
]

export const FRESHNESS = [
  ...sharing(check, STATED),
  check('a 304 may say it anew', () =>
    inWorld(async (world) => {
      let seconds = 7200
      world.origin.route('/feed', (request, response) => {
        response.setHeader('cache-control', `max-age=${seconds}`).setHeader('etag', '"1"')
        if (request.headers['if-none-match']) return response.writeHead(304).end()
        return response.end(FEED)
      })
      const { id } = await world.add('/feed')
      const slower = () => {
        seconds = 10_800
      }
      await pollEach(world, id, [nothing, slower])
      const { nextPollAt } = await world.tidings.catalogue.sources.get(id)
      const next = (Date.parse(nextPollAt ?? '') - world.clock.now()) / MINUTE
      return { seen: `next in ${next} min`, wanted: 'next in 180 min' }
    }),
  ),
  check('nobody is asked while what we have is fresh', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { body: FEED, headers: { 'cache-control': 'max-age=7200' } })
      await world.add('/feed')
      await world.pass(0)
      for (let tick = 0; tick < 30; tick++) await world.pass(10 * MINUTE)
      return {
        seen: `asked at ${minutesOf(world.origin.requests, TEST_START)} min`,
        wanted: 'asked at 30, 150, 270 min',
      }
    }),
  ),
  check('a failure ends it', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { body: FEED, headers: { 'cache-control': 'max-age=86400' } })
      const { id } = await world.add('/feed')
      await pollEach(world, id, [nothing, () => world.origin.route('/feed', { status: 500 })])
      const { nextPollAt } = await world.tidings.catalogue.sources.get(id)
      const next = (Date.parse(nextPollAt ?? '') - world.clock.now()) / MINUTE
      return { seen: `next in ${next} min`, wanted: 'next in 60 min' }
    }),
  ),
]
