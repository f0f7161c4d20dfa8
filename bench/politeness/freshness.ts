// Freshness that servers and feeds state: when the next poll is due, with an interval of 30 minutes and a cap of 24 hours.
// Each world starts on Tuesday, 17 February 2026, 10:00 GMT, with the first poll.
import { rss } from '../../test/support/product.ts'
import { HOUR, MINUTE, TEST_START } from '../../test/support/world.ts'
import { checksInOneWorld, inGroup, inWorld, minutesOf, noChange, pollEach, type SharedCheck } from './check.ts'

const check = inGroup('freshness')
const FEED = rss([])
const SY = 'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"'
const inMs = (ms: number): string => new Date(TEST_START + ms).toUTCString()

interface Stated {
  readonly headers?: Record<string, string>
  /** Extra elements of the channel. */
  readonly channel?: string
  readonly settings?: Record<string, unknown>
}

/** Reports the minutes until the next poll: after a 200, and after the 304 that follows it. */
const minutes = (property: string, stated: Stated, after200: number, after304 = after200): SharedCheck => ({
  property,
  async run(world, path) {
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
      expected: `next in ${after200} min, after a 304 in ${after304}`,
    }
  },
})

const STATED = [
  minutes('Cache-Control: max-age moves the next poll', { headers: { 'cache-control': 'max-age=7200' } }, 120),
  minutes('Age is subtracted from max-age', { headers: { 'cache-control': 'public, max-age=7200', age: '600' } }, 110),
  minutes('a max-age shorter than the interval is ignored', { headers: { 'cache-control': 'max-age=60' } }, 30),
  minutes('no-cache states no freshness', { headers: { 'cache-control': 'no-cache, max-age=7200' } }, 30),
  minutes('no-store states no freshness', { headers: { 'cache-control': 'no-store', expires: inMs(3 * HOUR) } }, 30),
  minutes('Expires moves the next poll', { headers: { expires: inMs(3 * HOUR) } }, 180),
  minutes('max-age overrides Expires', { headers: { 'cache-control': 'max-age=3600', expires: inMs(3 * HOUR) } }, 60),
  minutes('an Expires that is not a date is ignored', { headers: { expires: '0' } }, 30),
  minutes('the feed’s ttl moves the next poll', { channel: '<ttl>90</ttl>' }, 90),
  minutes(
    'sy:updatePeriod and updateFrequency move the next poll',
    { channel: '<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>8</sy:updateFrequency>' },
    180,
  ),
  minutes('skipHours are waited out', { channel: '<skipHours><hour>10</hour><hour>11</hour></skipHours>' }, 120),
  minutes('skipDays are waited out', { channel: '<skipDays><day>Tuesday</day></skipDays>' }, 14 * 60),
  minutes(
    'the latest of several instants wins',
    { headers: { 'cache-control': 'max-age=3600' }, channel: '<ttl>240</ttl>' },
    240,
  ),
  minutes(
    'stated freshness never exceeds the backoff cap',
    { headers: { 'cache-control': 'max-age=99999999' } },
    24 * 60,
  ),
  minutes(
    'a source can set its own cap',
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
  ...checksInOneWorld(check, STATED),
  check('a 304 can state a new freshness', () =>
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
      await pollEach(world, id, [noChange, slower])
      const { nextPollAt } = await world.tidings.catalogue.sources.get(id)
      const next = (Date.parse(nextPollAt ?? '') - world.clock.now()) / MINUTE
      return { seen: `next in ${next} min`, expected: 'next in 180 min' }
    }),
  ),
  check('nothing is requested while the stored copy is fresh', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { body: FEED, headers: { 'cache-control': 'max-age=7200' } })
      await world.add('/feed')
      await world.pass(0)
      for (let tick = 0; tick < 30; tick++) await world.pass(10 * MINUTE)
      return {
        seen: `asked at ${minutesOf(world.origin.requests, TEST_START)} min`,
        expected: 'asked at 30, 150, 270 min',
      }
    }),
  ),
  check('a failure ends the stated freshness', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { body: FEED, headers: { 'cache-control': 'max-age=86400' } })
      const { id } = await world.add('/feed')
      await pollEach(world, id, [noChange, () => world.origin.route('/feed', { status: 500 })])
      const { nextPollAt } = await world.tidings.catalogue.sources.get(id)
      const next = (Date.parse(nextPollAt ?? '') - world.clock.now()) / MINUTE
      return { seen: `next in ${next} min`, expected: 'next in 60 min' }
    }),
  ),
]
