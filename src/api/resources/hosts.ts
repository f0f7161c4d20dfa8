// Hosts: how often each is asked, and which are not asked for now, and why. A user sees the hosts of their own sources.
import { noSuch } from '../../catalogue/find.ts'
import { hostView } from '../../catalogue/shapes/host-view.ts'
import { listOf } from '../../catalogue/shapes/paging.ts'
import { hostAnswer } from '../../catalogue/shapes/polling-answers.ts'
import { hostQuery } from '../../catalogue/shapes/schemas.ts'
import { laneNamed } from '../../domain/lane.ts'
import type { HostListing } from '../../ports/polling-store.ts'
import { userScope } from '../auth/find-for-caller.ts'
import type { ApiParts } from '../parts.ts'
import { type Call, type Caller, ok, pageAnswer, type Route, route } from '../route.ts'

export function hostRoutes({ config, store, clock, engine, catalogue }: ApiParts): Route[] {
  const tag = 'Hosts'
  const view = (listing: HostListing, caller: Caller) =>
    hostView(listing, config.source, clock.now(), userScope(caller))

  async function findHost({ caller, params }: Call): Promise<HostListing> {
    const lane = laneNamed(params.host ?? '', catalogue.types.services)
    const listing = await store.hostListing(lane, { userId: userScope(caller), now: clock.now() })
    if (!listing) throw noSuch('host')
    return listing
  }

  return [
    route({
      ...{ method: 'GET', path: '/api/hosts', tag, summary: 'List hosts' },
      query: hostQuery,
      answers: { 200: pageAnswer(hostAnswer) },
      async handle({ caller, query: { limit, cursor, waiting } }) {
        const query = { limit, cursor: cursor ?? null, waiting, userId: userScope(caller), now: clock.now() }
        return ok(listOf(await store.listHosts(query), (listing) => view(listing, caller)))
      },
    }),
    route({
      ...{ method: 'GET', path: '/api/hosts/:host', tag, summary: 'Show a host' },
      answers: { 200: hostAnswer },
      handle: async (call) => ok(view(await findHost(call), call.caller)),
    }),
    route({
      ...{ method: 'POST', path: '/api/hosts/:host/reset', tag, access: 'admin', audit: 'host reset' },
      summary: 'Close the breaker of a host; what the host itself asked for (Retry-After) stays',
      answers: { 200: hostAnswer },
      async handle(call) {
        const { state } = await findHost(call)
        await engine.resetBreaker(state.lane)
        return ok(view(await findHost(call), call.caller))
      },
    }),
  ]
}
