// Credentials and redirects: they are sent to their own host only, and never shown.
import type { Origin } from '../../../test/support/origin.ts'
import { inWorld } from '../check.ts'
import { check, FEED, redirect, startTrusted, twoHosts } from './support.ts'

/** For each request, whether it had credentials. */
const credentialsIn = (origin: Origin) =>
  origin.requests.map(({ headers }) => (headers.authorization ? 'sent' : 'not')).join(' ')
const withCredentials = (url: string) => url.replace('://', '://me:secret@')

export const REDIRECT_CREDENTIALS = [
  check('credentials are sent to their own host only, and not after a redirect back from another host', () =>
    inWorld(
      async (world) => {
        const [one, other] = twoHosts(world)
        redirect(one, '/feed', '/next')
        redirect(one, '/next', `${other.url}/feed`)
        redirect(other, '/feed', `${one.url}/last`)
        one.route('/last', { body: FEED })
        const url = withCredentials(`${one.url}/feed`)
        const { id } = await world.tidings.catalogue.sources.create('default', { type: 'rss', url })
        const { outcome } = await world.tidings.poll(id)
        return {
          seen: `own: ${credentialsIn(one)}; other: ${credentialsIn(other)}; ${outcome}`,
          expected: 'own: sent sent not; other: not; success',
        }
      },
      { hosts: 2 },
    ),
  ),
  check('credentials are not sent after a redirect from https to http', () =>
    inWorld(async (world) => {
      await using trusted = await startTrusted('127.0.0.2')
      const secure = trusted.origin
      redirect(secure, '/feed', `${world.origin.url}/feed`)
      world.origin.route('/feed', { body: FEED })
      const url = withCredentials(`${secure.url}/feed`)
      const { id } = await world.tidings.catalogue.sources.create('default', { type: 'rss', url })
      const { outcome } = await world.tidings.poll(id)
      return {
        seen: `https: ${credentialsIn(secure)}; http: ${credentialsIn(world.origin)}; ${outcome}`,
        expected: 'https: sent; http: not; success',
      }
    }),
  ),
  check('credentials are never shown', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { status: 401 })
      const url = withCredentials(`${world.origin.url}/feed`)
      const source = await world.tidings.catalogue.sources.create('default', { type: 'rss', url })
      const record = await world.tidings.poll(source.id)
      const shown = JSON.stringify([source, record, world.lines, await world.tidings.catalogue.sources.get(source.id)])
      return { seen: shown.includes('secret') ? 'shown' : 'not shown', expected: 'not shown' }
    }),
  ),
]
