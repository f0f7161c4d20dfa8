// When a source adopts the target of a redirect as its own address.
import { HOUR, type World } from '../../../test/support/world.ts'
import { inWorld, noChange, pollEach } from '../check.ts'
import { check, FEED, redirect, sameHost, startTrusted, twoHosts } from './support.ts'

/** Reports after each poll whether the source has the old or the new address. */
const moves = (property: string, route: (world: World) => string, expected: string, polls = 4) =>
  check(property, () =>
    inWorld(
      async (world) => {
        const target = route(world)
        const { id } = await world.add('/old')
        const seen: string[] = []
        for (let poll = 0; poll < polls; poll++) {
          await pollEach(world, id, [noChange])
          seen.push((await world.tidings.catalogue.sources.get(id)).url === target ? 'new' : 'old')
        }
        return { seen: seen.join(' '), expected }
      },
      { hosts: 2 },
    ),
  )

export const REDIRECTS_STORED = [
  moves('a 301 is stored after three good polls in a row', sameHost(301), 'old old new new'),
  moves('a 308 is stored after three good polls in a row', sameHost(308), 'old old new new'),
  moves('a 302 is never stored', sameHost(302), 'old old old old'),
  moves('a 307 is never stored', sameHost(307), 'old old old old'),
  moves(
    'a chain with one temporary hop is never stored',
    (world) => {
      redirect(world.origin, '/old', '/hop', 301)
      redirect(world.origin, '/hop', '/new', 302)
      world.origin.route('/new', { body: FEED })
      return `${world.origin.url}/new`
    },
    'old old old old',
  ),
  moves(
    'a redirect from http to http on another domain is never stored',
    (world) => {
      const [one, other] = twoHosts(world)
      redirect(one, '/old', `${other.url}/new`, 301)
      other.route('/new', { body: FEED })
      return `${other.url}/new`
    },
    'old old old old',
  ),
  check('a redirect from http to https is stored, even on another domain', () =>
    inWorld(async (world) => {
      await using trusted = await startTrusted('127.0.0.3')
      redirect(world.origin, '/old', `${trusted.origin.url}/new`, 301)
      trusted.origin.route('/new', { body: FEED })
      const { id } = await world.add('/old')
      await pollEach(world, id, Array(3).fill(noChange))
      const { url, host } = await world.tidings.catalogue.sources.get(id)
      const moved = url === `${trusted.origin.url}/new` ? 'moved' : url
      return { seen: `${moved}, lane ${host}`, expected: 'moved, lane 127.0.0.3' }
    }),
  ),
  check('the address of another source is never stored', () =>
    inWorld(async (world) => {
      const target = sameHost(301)(world)
      await world.add('/new')
      const { id } = await world.add('/old')
      await pollEach(world, id, Array(5).fill(noChange))
      const { url } = await world.tidings.catalogue.sources.get(id)
      return { seen: url === target ? 'new' : 'old', expected: 'old' }
    }),
  ),
  check('once the new address is stored, the old one is not requested', () =>
    inWorld(async (world) => {
      sameHost(301)(world)
      const { id } = await world.add('/old')
      await pollEach(world, id, Array(6).fill(noChange))
      const [old, fresh] = ['/old', '/new'].map((path) => world.origin.requestsTo(path).length)
      return { seen: `${old} to the old, ${fresh} to the new`, expected: '3 to the old, 6 to the new' }
    }),
  ),
  check('410 five times disables the source', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { status: 410 })
      const { id } = await world.add('/feed')
      await world.pass(0)
      for (let day = 0; day < 12; day++) await world.pass(24 * HOUR)
      const { disabledReason } = await world.tidings.catalogue.sources.get(id)
      return {
        seen: `${world.origin.requests.length} requests: ${disabledReason}`,
        expected: '5 requests: Auto-disabled after 5 consecutive 410 errors',
      }
    }),
  ),
]
