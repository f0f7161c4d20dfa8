// Redirects to another host keep the rules of that host: closed lanes and spacing.
import { HOUR, MINUTE, TEST_START } from '../../../test/support/world.ts'
import { inWorld, recordsOf } from '../check.ts'
import { check, FEED, redirect, twoHosts } from './support.ts'

export const REDIRECT_LANES = [
  check('a Retry-After closes the lane of the host that sent it; the failure counts for the source', () =>
    inWorld(
      async (world) => {
        const [one, other] = twoHosts(world)
        redirect(one, '/feed', `${other.url}/feed`)
        other.route('/feed', { status: 429, headers: { 'retry-after': '7200' } })
        const { id } = await world.add('/feed')
        await world.tidings.poll(id)
        const closed = await Promise.all(
          ['127.0.0.2', '127.0.0.3'].map(async (host) => {
            const { notBefore } = await world.tidings.hosts.get(host).catch(() => ({ notBefore: null }))
            return notBefore === null ? 'open' : `closed ${(Date.parse(notBefore) - TEST_START) / MINUTE} min`
          }),
        )
        const { consecutiveFailures } = await world.tidings.catalogue.sources.get(id)
        return {
          seen: `${closed.join(', ')}, ${consecutiveFailures} failure`,
          expected: 'open, closed 120 min, 1 failure',
        }
      },
      { hosts: 2 },
    ),
  ),
  check('a redirect to a closed host postpones the poll without a failure', () =>
    inWorld(
      async (world) => {
        const [one, other] = twoHosts(world)
        other.route('/busy', { status: 429, headers: { 'retry-after': '3600' } })
        other.route('/feed', { body: FEED })
        redirect(one, '/feed', `${other.url}/feed`)
        const busy = await world.tidings.catalogue.sources.create('default', { type: 'rss', url: `${other.url}/busy` })
        await world.tidings.poll(busy.id)
        const { id } = await world.add('/feed')
        await world.pass(0)
        await world.pass(30 * MINUTE)
        const { consecutiveFailures, nextPollAt } = await world.tidings.catalogue.sources.get(id)
        const next = (Date.parse(nextPollAt ?? '') - TEST_START) / HOUR
        const polls = (await recordsOf(world, id)).length
        return {
          seen: `${other.requestsTo('/feed').length} requests, ${polls} records, ${consecutiveFailures} failures, next after ${next} h`,
          expected: '0 requests, 0 records, 0 failures, next after 1 h',
        }
      },
      { hosts: 2 },
    ),
  ),
  check('a redirect keeps the target’s spacing', () =>
    inWorld(
      async (world) => {
        const [one, other] = twoHosts(world)
        for (const path of ['/a', '/b']) {
          redirect(one, path, `${other.url}${path}`)
          other.route(path, { body: FEED })
          await world.add(path, { pollDelaySeconds: 7 })
        }
        await world.pass(0)
        await world.pass(30 * MINUTE)
        const gaps = other.requests.slice(1).map(({ at }, index) => (at - (other.requests[index]?.at ?? 0)) / 1000)
        return { seen: gaps.map((gap) => `${gap} s apart`).join(', '), expected: '7 s apart' }
      },
      { hosts: 2 },
    ),
  ),
]
