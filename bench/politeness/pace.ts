// How often a host is visited, and with which pauses.
import { rss } from '../../test/support/product.ts'
import { MINUTE, TEST_START } from '../../test/support/world.ts'
import { inGroup, inWorld, minutesOf, recordsOf } from './check.ts'

const check = inGroup('pace')
const FEED = rss([])

export const PACE = [
  check('the poll interval is kept, even across restarts', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { body: FEED })
      await world.add('/feed', { pollIntervalMinutes: 30 })
      await world.pass(0)
      for (let step = 0; step < 25; step++) {
        if (step % 3 === 0) await world.restart()
        await world.pass(5 * MINUTE)
      }
      return {
        seen: `asked at ${minutesOf(world.origin.requests, TEST_START)} min`,
        expected: 'asked at 30, 60, 90, 120 min',
      }
    }),
  ),
  check('a failing source is polled less and less often', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { status: 500 })
      await world.add('/feed', { pollIntervalMinutes: 30 })
      await world.pass(0)
      for (let step = 0; step < 64; step++) await world.pass(30 * MINUTE)
      return {
        seen: `asked at ${minutesOf(world.origin.requests, TEST_START)} min`,
        expected: 'asked at 30, 90, 210, 450, 930, 1890 min',
      }
    }),
  ),
  check('sources of one host are polled one after another, with the delay between them', () =>
    inWorld(
      async (world) => {
        for (const path of ['/a', '/b', '/c', '/d']) {
          world.origin.route(path, { body: FEED })
          await world.add(path)
        }
        await world.pass(0)
        await world.pass(30 * MINUTE)
        const { requests, mostAtOnce } = world.origin
        const gaps = requests.slice(1).map(({ at }, index) => (at - (requests[index]?.endedAt ?? 0)) / 1000)
        return {
          seen: `${mostAtOnce} at once, then ${gaps.join(', ')} s apart`,
          expected: '1 at once, then 5, 5, 5 s apart',
        }
      },
      { config: { source: { pollDelaySeconds: { rss: 5 } } } },
    ),
  ),
  check('without a delay a host still gets one request at a time', () =>
    inWorld(async (world) => {
      for (let feed = 0; feed < 12; feed++) {
        world.origin.route(`/${feed}`, async (_request, response) => {
          await new Promise((resolve) => setTimeout(resolve, 5))
          response.end(FEED)
        })
        await world.add(`/${feed}`)
      }
      await world.pass(0)
      await world.pass(30 * MINUTE)
      return {
        seen: `${world.origin.requests.length} requests, ${world.origin.mostAtOnce} at once`,
        expected: '12 requests, 1 at once',
      }
    }),
  ),
  check('the delay is kept across a restart', () =>
    inWorld(
      async (world) => {
        for (const path of ['/a', '/b']) {
          world.origin.route(path, { body: FEED })
          await world.add(path, { pollIntervalMinutes: 60 })
        }
        await world.tidings.tick()
        await world.clock.advance(60 * MINUTE)
        await world.tidings.tick()
        while (world.origin.requests.length === 0 || world.clock.pending.length === 0) await new Promise(setImmediate)
        await world.restart()
        await world.pass(0)
        return { seen: `asked at ${minutesOf(world.origin.requests, TEST_START)} min`, expected: 'asked at 60, 62 min' }
      },
      { config: { source: { pollDelaySeconds: { rss: 120 } } } },
    ),
  ),
  check('a failed request is not repeated within a poll', () =>
    inWorld(async (world) => {
      const { id } = await world.add('/feed')
      world.origin.route('/feed', (request) => request.socket.destroy())
      await world.tidings.poll(id)
      const [record] = await recordsOf(world, id)
      return { seen: `${record?.outcome}, ${world.origin.requests.length} request`, expected: 'transient, 1 request' }
    }),
  ),
]
