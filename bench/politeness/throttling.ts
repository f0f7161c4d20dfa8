// Hosts that throttle Tidings (429, 503): how long their lane stays closed, with a backoff cap of 24 hours.
import { rss } from '../../test/support/product.ts'
import { DAY, HOUR, MINUTE, TEST_START } from '../../test/support/world.ts'
import { inGroup, inWorld, minutesOf, noChange, pollEach } from './check.ts'

const check = inGroup('throttling')
const inMs = (ms: number): string => new Date(TEST_START + ms).toUTCString()
const epoch = (ms: number): string => String((TEST_START + ms) / 1000)

/** Reports for how many minutes such a response closes the lane, and when the source is due again. */
const closes = (property: string, status: number, headers: Record<string, string>, lane: number, source: number) =>
  check(property, () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { status, headers })
      const { id } = await world.add('/feed')
      await world.tidings.poll(id)
      const inMinutes = (at: string | null) => (at === null ? 0 : (Date.parse(at) - TEST_START) / MINUTE)
      const { notBefore } = await world.tidings.hosts.get('127.0.0.2')
      const { nextPollAt } = await world.tidings.catalogue.sources.get(id)
      return {
        seen: `lane closed ${inMinutes(notBefore)} min, source waits ${inMinutes(nextPollAt)}`,
        expected: `lane closed ${lane} min, source waits ${source}`,
      }
    }),
  )

export const THROTTLING = [
  closes('429 with Retry-After in seconds', 429, { 'retry-after': '7200' }, 120, 120),
  closes('429 with Retry-After as a date', 429, { 'retry-after': inMs(3 * HOUR) }, 180, 180),
  closes('503 with Retry-After', 503, { 'retry-after': '7200' }, 120, 120),
  closes('a Retry-After of years is limited to the cap', 429, { 'retry-after': inMs(900 * DAY) }, 1440, 1440),
  closes(
    'a Retry-After with a huge number of seconds is limited to the cap',
    503,
    { 'retry-after': '99999999999999' },
    1440,
    1440,
  ),
  closes('RateLimit-Reset', 429, { 'ratelimit-remaining': '0', 'ratelimit-reset': '5400' }, 90, 90),
  closes('RateLimit as a structured field', 429, { ratelimit: '"hour";r=0;t=5400, "day";r=9;t=9999' }, 90, 90),
  closes('X-RateLimit-Reset as epoch seconds', 429, { 'x-ratelimit-reset': epoch(2 * HOUR) }, 120, 120),
  closes('x-rate-limit-reset as epoch seconds', 429, { 'x-rate-limit-reset': epoch(2 * HOUR) }, 120, 120),
  closes('a 429 without a hint closes the lane for a minute', 429, {}, 1, 60),
  closes('a Retry-After in the past is ignored', 429, { 'retry-after': inMs(-HOUR) }, 1, 60),
  closes('a 503 without a hint is an ordinary failure', 503, {}, 0, 60),
  check('repeated 429s without a hint double the wait up to an hour, and a success resets it', () =>
    inWorld(async (world) => {
      const { id } = await world.add('/feed')
      const waits: number[] = []
      const poll = async (status: number) => {
        world.origin.route('/feed', status === 200 ? { body: rss([]) } : { status })
        await world.tidings.poll(id)
        const { notBefore } = await world.tidings.hosts.get('127.0.0.2')
        const closedMs = notBefore === null ? 0 : Date.parse(notBefore) - world.clock.now()
        if (status === 429) waits.push(closedMs / MINUTE)
        await world.clock.advance(Math.max(closedMs, MINUTE))
      }
      for (const status of [429, 429, 429, 429, 429, 429, 429, 429, 200, 429]) await poll(status)
      return { seen: waits.join(' '), expected: '1 2 4 8 16 32 60 60 1' }
    }),
  ),
  check('no source of a closed host is polled, even after a restart', () =>
    inWorld(async (world) => {
      world.origin.route('/a', { status: 429, headers: { 'retry-after': '7200' } })
      for (const path of ['/b', '/c']) world.origin.route(path, { body: rss([]) })
      const { id } = await world.add('/a')
      await world.add('/b')
      await world.add('/c')
      await world.tidings.poll(id)
      await world.restart()
      for (let tick = 0; tick < 13; tick++) await world.pass(10 * MINUTE)
      return {
        seen: `asked at ${minutesOf(world.origin.requests.slice(0, 3), TEST_START)} min`,
        expected: 'asked at 0, 120, 120 min',
      }
    }),
  ),
  check('other sources of a closed host count no failure', () =>
    inWorld(async (world) => {
      world.origin.route('/a', { status: 429, headers: { 'retry-after': '7200' } })
      world.origin.route('/b', { body: rss([]) })
      const { id } = await world.add('/a')
      const b = await world.add('/b')
      await world.tidings.poll(id)
      await world.pass(HOUR)
      const sibling = await world.tidings.catalogue.sources.get(b.id)
      return {
        seen: `${world.origin.requestsTo('/b').length} requests, ${sibling.consecutiveFailures} failures`,
        expected: '0 requests, 0 failures',
      }
    }),
  ),
  check('a manual poll waits for the lane to open', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { status: 429, headers: { 'retry-after': '600' } })
      const { id } = await world.add('/feed')
      await pollEach(world, id, [noChange])
      world.origin.route('/feed', { body: rss([]) })
      const polled = world.tidings.poll(id)
      // Others may wait too, but not for so long.
      while (!world.clock.pending.some((at) => at > TEST_START + 10 * MINUTE)) await new Promise(setImmediate)
      await world.clock.advance(HOUR)
      await polled
      return { seen: `asked at ${minutesOf(world.origin.requests, TEST_START)} min`, expected: 'asked at 1, 11 min' }
    }),
  ),
]
