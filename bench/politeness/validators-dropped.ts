// Changes to a source that drop its validators, so that the next request is unconditional.
import { rss } from '../../test/support/product.ts'
import { conditions, inGroup, inWorld, noChange, pollEach } from './check.ts'

const check = inGroup('conditional requests')
const FEED = rss([{ title: 'One' }])
const etag = '"good"'

export const VALIDATORS_DROPPED = [
  check('a new URL for the source drops its validators', () =>
    inWorld(async (world) => {
      for (const path of ['/feed', '/other']) world.origin.route(path, { body: FEED, etag: '"good"' })
      const { id } = await world.add('/feed')
      const move = () => world.tidings.catalogue.sources.update(id, { url: `${world.origin.url}/other` })
      await pollEach(world, id, [noChange, noChange, move])
      return { seen: conditions(world.origin.requests), expected: `plain | match ${etag} | plain` }
    }),
  ),
  check('a changed filter drops its validators', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { body: FEED, etag: '"good"' })
      const { id } = await world.add('/feed')
      const filter = () => world.tidings.catalogue.sources.update(id, { categoryFilter: 'news' })
      await pollEach(world, id, [noChange, filter, noChange])
      return { seen: conditions(world.origin.requests), expected: `plain | plain | match ${etag}` }
    }),
  ),
  check('a filter changed during a poll applies to the next poll', () =>
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
      return { seen: `${conditions(world.origin.requests)}, ${again.found} read`, expected: 'plain | plain, 1 read' }
    }),
  ),
]
