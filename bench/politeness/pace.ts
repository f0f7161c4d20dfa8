// How often and how densely a host is visited.
import { rss } from '../../test/support/product.ts'
import { MINUTE, TEST_START } from '../../test/support/world.ts'
import { inGroup, inWorld, minutesOf, recordsOf } from './check.ts'

const check = inGroup('pace')
const FEED = rss([])

export const PACE = [
  check('the interval is kept, also across restarts', () =>
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
        wanted: 'asked at 30, 60, 90, 120 min',
      }
    }),
  ),
  check('a source that fails is asked less and less', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { status: 500 })
      await world.add('/feed', { pollIntervalMinutes: 30 })
      await world.pass(0)
      for (let step = 0; step < 64; step++) await world.pass(30 * MINUTE)
      return {
        seen: `asked at ${minutesOf(world.origin.requests, TEST_START)} min`,
        wanted: 'asked at 30, 90, 210, 450, 930, 1890 min',
      }
    }),
  ),
  check('sources of one host are asked one after another, with the delay between them', () =>
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
          wanted: '1 at once, then 5, 5, 5 s apart',
        }
      },
      { config: { source: { pollDelaySeconds: { rss: 5 } } } },
    ),
  ),
  check('without a delay it is still one request at a time for a host', () =>
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
        wanted: '12 requests, 1 at once',
      }
    }),
  ),
  check('the delay counts across a restart', () =>
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
        return { seen: `asked at ${minutesOf(world.origin.requests, TEST_START)} min`, wanted: 'asked at 60, 62 min' }
      },
      { config: { source: { pollDelaySeconds: { rss: 120 } } } },
    ),
  ),
  check('nothing is asked twice within a poll, whatever goes wrong', () =>
    inWorld(async (world) => {
      const { id } = await world.add('/feed')
      world.origin.route('/feed', (request) => request.socket.destroy())
      await world.tidings.poll(id)
      const [record] = await recordsOf(world, id)
      return { seen: `${record?.outcome}, ${world.origin.requests.length} request`, wanted: 'transient, 1 request' }
    }),
  ),
]
