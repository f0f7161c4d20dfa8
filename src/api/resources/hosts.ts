// Hosts: who is asked, how often, and who is left alone for now. A person sees the hosts of the own sources.

import { noSuch } from '../../catalogue/find.ts'
import { hostAnswer } from '../../catalogue/shapes/answers.ts'
import { hostView } from '../../catalogue/shapes/host-view.ts'
import { listOf } from '../../catalogue/shapes/paging.ts'
import { hostQuery } from '../../catalogue/shapes/schemas.ts'
import { laneNamed } from '../../domain/host.ts'
import type { HostListing } from '../../ports/polling-store.ts'
import { scopeOf } from '../auth/find-for-caller.ts'
import type { ApiParts } from '../parts.ts'
import { type Call, listOfAnswers, ok, type Route, route, type Who } from '../route.ts'

export function hostRoutes({ config, store, clock, engine }: ApiParts): Route[] {
  const tag = 'Hosts'
  const view = (listing: HostListing, who: Who) => hostView(listing, config.source, clock.now(), scopeOf(who))

  async function reachHost({ who, params }: Call): Promise<HostListing> {
    const lane = laneNamed(params.host ?? '')
    const listing = await store.hostListing(lane, { userId: scopeOf(who), now: clock.now() })
    if (!listing) throw noSuch('host')
    return listing
  }

  return [
    route({
      ...{ method: 'GET', path: '/api/hosts', tag, summary: 'List hosts' },
      query: hostQuery,
      answers: { 200: listOfAnswers(hostAnswer) },
      async handle({ who, query: { limit, cursor, waiting } }) {
        const query = { limit, cursor: cursor ?? null, waiting, userId: scopeOf(who), now: clock.now() }
        return ok(listOf(await store.listHosts(query), (listing) => view(listing, who)))
      },
    }),
    route({
      ...{ method: 'GET', path: '/api/hosts/:host', tag, summary: 'Show a host' },
      answers: { 200: hostAnswer },
      handle: async (call) => ok(view(await reachHost(call), call.who)),
    }),
    route({
      ...{ method: 'POST', path: '/api/hosts/:host/reset', tag, access: 'admin', audit: 'host reset' },
      summary: 'Close the breaker of a host; what the host itself asked for (Retry-After) stays',
      answers: { 200: hostAnswer },
      async handle(call) {
        const { state } = await reachHost(call)
        await engine.resetBreaker(state.lane)
        return ok(view(await reachHost(call), call.who))
      },
    }),
  ]
}
