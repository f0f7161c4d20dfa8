// A configured delay that was lowered since the last start counts from the next visit on: what earlier visits reserved
// under the old one is shortened.
import { isOwnerLane } from '../../domain/lane.ts'
import { type DelayRules, underLoweredDelay } from '../../domain/spacing.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'

const META_KEY = 'spaced-under'

export interface FollowDelaysDeps {
  readonly clock: Clock
  readonly store: Pick<Store, 'readMeta' | 'writeMeta' | 'spacedHosts' | 'changeHost' | 'enabledRotation' | 'getSource'>
  readonly rules: DelayRules
  readonly log: Log
}

/** Called once in a process, before it asks anybody. A store that cannot be written is no reason not to start. */
export async function followDelays(deps: FollowDelaysDeps): Promise<void> {
  await shortenReservations(deps).catch((error: unknown) => {
    deps.log.warn({ err: error }, '[Polling] hosts may still wait for delays that were configured before')
  })
}

async function shortenReservations({ clock, store, rules }: FollowDelaysDeps): Promise<void> {
  const { pollDelaySeconds, hostOverrides } = rules
  const current = JSON.stringify({ pollDelaySeconds, hostOverrides })
  if ((await store.readMeta(META_KEY)) === current) return
  for (const { lane } of await store.spacedHosts(clock.now())) {
    const host = await nameOf(store, lane)
    if (host !== null) await store.changeHost(lane, (row) => underLoweredDelay(row, host, rules))
  }
  await store.writeMeta(META_KEY, current)
}

/** The name that delays go by: all lanes of a service are one host. */
async function nameOf(store: FollowDelaysDeps['store'], lane: string): Promise<string | null> {
  if (!isOwnerLane(lane)) return lane
  const [first] = await store.enabledRotation(lane, null)
  return first === undefined ? null : ((await store.getSource(first))?.host ?? null)
}
