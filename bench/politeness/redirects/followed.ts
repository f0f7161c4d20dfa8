// How far redirects are followed, and where they may lead.
import { inWorld } from '../check.ts'
import { check, FEED, redirect, twoHosts } from './support.ts'

/** Polls a chain of redirects on one host and reports how the poll ends. */
const chain = (property: string, hops: number, expected: string) =>
  check(property, () =>
    inWorld(async (world) => {
      for (let hop = 0; hop < hops; hop++) redirect(world.origin, `/${hop}`, `/${hop + 1}`)
      world.origin.route(`/${hops}`, { body: FEED })
      const { id } = await world.add('/0')
      const { outcome, reason } = await world.tidings.poll(id)
      return { seen: `${world.origin.requests.length} requests: ${reason ?? outcome}`, expected }
    }),
  )

/** Polls one redirect to `location` and reports how the poll ends. */
const leadsTo = (property: string, location: string, expected: RegExp) =>
  check(property, () =>
    inWorld(async (world) => {
      redirect(world.origin, '/feed', location)
      const { id } = await world.add('/feed')
      const { outcome, reason } = await world.tidings.poll(id)
      const ending = `${outcome}: ${reason}`
      return { seen: ending, expected: expected.test(ending) ? ending : String(expected) }
    }),
  )

export const REDIRECTS_FOLLOWED = [
  chain('five hops are followed', 5, '6 requests: success'),
  chain('a sixth hop is not followed', 6, '6 requests: More than 5 redirects in a row'),
  check('a redirect loop through two hosts ends at once', () =>
    inWorld(
      async (world) => {
        const [one, other] = twoHosts(world)
        redirect(one, '/feed', `${other.url}/feed`)
        redirect(other, '/feed', `${one.url}/feed`)
        const { id } = await world.add('/feed')
        const { reason } = await world.tidings.poll(id)
        return {
          seen: `${one.requests.length} + ${other.requests.length} requests: ${reason}`,
          expected: `1 + 1 requests: Redirects lead in a circle, back to ${one.url}/feed`,
        }
      },
      { hosts: 2 },
    ),
  ),
  leadsTo('file: is refused', 'file:///etc/passwd', /^transient: .*file: address; only http and https/),
  leadsTo(
    'a private address is refused',
    'http://10.0.0.1/',
    /^transient: .*10\.0\.0\.1 is a private address.*allow-private-networks/,
  ),
  leadsTo(
    'the metadata address is refused',
    'http://169.254.169.254/',
    /^transient: .*169\.254\.169\.254 is a cloud metadata/,
  ),
  leadsTo('a private address in decimal is refused', 'http://167772161/', /^transient: .*10\.0\.0\.1 is a private/),
  leadsTo('a mapped private address is refused', 'http://[::ffff:10.0.0.1]/', /^transient: .*10\.0\.0\.1.*private/),
  check('every hop is checked by the address guard', () =>
    inWorld(
      async (world) => {
        const [one, other] = twoHosts(world)
        redirect(one, '/feed', `${other.url}/feed`)
        other.route('/feed', { body: FEED })
        const { id } = await world.add('/feed')
        const { reason } = await world.tidings.poll(id)
        const why = /127\.0\.0\.3 is a loopback address/.test(reason ?? '') ? 'refused' : reason
        return {
          seen: `${one.requests.length} + ${other.requests.length} requests: ${why}`,
          expected: '1 + 0 requests: refused',
        }
      },
      { hosts: 2, config: { http: { allowPrivateNetworks: ['127.0.0.2/32'] } } },
    ),
  ),
]
