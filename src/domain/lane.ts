// Lanes: the queues that spacing, closing and the breaker belong to. There are three kinds of them.
//   a host's lane     named like the host: `example.org`
//   an owner's lane   `<service>:<user>`, such as `x:ann`: the service counts requests by key, so each owner has a lane.
//                     All lanes of a service ask one host, which goes by the service's name.
//   the null lane     for addresses without a host: nobody is asked there, and nothing is kept about it
import { hostOf } from './address.ts'

export const NULL_LANE = ''

export function isNullLane(lane: string): boolean {
  return lane === NULL_LANE
}

export function laneOfUrl(url: string): string {
  return hostOf(url) ?? NULL_LANE
}

export function ownerLane(service: string, userId: string): string {
  return `${service}:${userId}`
}

/** No host name has a colon, but for an IPv6 address, which begins with a bracket. */
export function isOwnerLane(lane: string): boolean {
  return /^[^[:]+:/.test(lane)
}

/** The host that is asked in this lane, by the name that outages know it by: the service of an owner's lane. */
export function hostOfLane(lane: string): string {
  return isOwnerLane(lane) ? lane.slice(0, lane.indexOf(':')) : lane
}

/** Where a source of the lane `own` asks for `url`: an owner's lane is never left, wherever the service answers. */
export function laneToAsk(own: string, url: string): string {
  return isOwnerLane(own) ? own : laneOfUrl(url)
}

/** null for the null lane, and where no lane was visited at all. */
export function laneOrNull(lane: string | null | undefined): string | null {
  return lane === undefined || lane === null || isNullLane(lane) ? null : lane
}

/** The other lane that a poll of a source in the lane `own` was sent on to; null when it ended in its own, or in none. */
export function laneLedTo(ended: string, own: string): string | null {
  return isNullLane(ended) || ended === own ? null : ended
}

/** The lane that a person means: a host's name in any spelling, or an owner's lane of one of these services. */
export function laneNamed(given: string, services: readonly string[]): string {
  const isOwners = services.some((service) => given.startsWith(ownerLane(service, '')))
  return (isOwners ? null : hostOf(`http://${given}`)) ?? given.toLowerCase()
}
