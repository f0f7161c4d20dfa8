// Polling from outside the engine: asks for a manual poll and waits for its record. Hosts side by side, the sources of
// one host one after another, as their lane would do it anyway. A host that asked to be left alone is not waited for.
import type { PollView, QueuedView, SourceView } from '../../catalogue/shapes/answers.ts'
import type { HostView } from '../../catalogue/shapes/polling-answers.ts'
import { isOwnerLane } from '../../domain/lane.ts'
import { type Client, RefusedRequest, segment } from '../connection/client.ts'
import type { SourcePlace } from '../connection/find-by-name.ts'

export type Polled =
  | { readonly kind: 'polled'; readonly place: SourcePlace; readonly poll: PollView }
  /** The host cannot be asked for longer than is worth waiting. */
  | { readonly kind: 'put-off'; readonly place: SourcePlace; readonly until: string; readonly reason: string }
  /** Somebody else has polled it, or decided otherwise, since it was found due. */
  | { readonly kind: 'not-due'; readonly place: SourcePlace; readonly nextPollAt: string | null }
  | { readonly kind: 'refused'; readonly place: SourcePlace; readonly reason: string }

const WAIT_SECONDS = 60
const HOSTS_AT_ONCE = 100

export interface PollingOptions {
  /** What the records say of it; a poll by hand if nothing else. */
  readonly trigger?: 'create'
  readonly ending: AbortSignal
  /** Only what is still due when its turn comes. */
  readonly onlyDue?: boolean
  now(): number
  onPolled?(polled: Polled): void
}

export async function pollNow(
  client: Client,
  places: readonly SourcePlace[],
  options: PollingOptions,
): Promise<Polled[]> {
  const byHost = Map.groupBy(places, ({ source }) => source.host ?? '')
  const hosts = byHost.values()
  const results: Polled[] = []
  const worker = async () => {
    for (const sources of hosts) {
      for (const place of sources) {
        if (options.ending.aborted) return
        const polled =
          (await leftAlone(client, place, options)) ??
          (await noLongerDue(client, place, options)) ??
          (await pollOne(client, place, options))
        results.push(polled)
        options.onPolled?.(polled)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(HOSTS_AT_ONCE, byHost.size) }, worker))
  return results
}

export function isDue({ enabled, nextPollAt }: SourceView, now: number): boolean {
  return enabled && (nextPollAt === null || Date.parse(nextPollAt) <= now)
}

/** Looked at again: those before it may have taken long, and a scheduler or another command goes the same way. */
async function noLongerDue(client: Client, place: SourcePlace, options: PollingOptions): Promise<Polled | null> {
  if (!options.onlyDue) return null
  try {
    const source = await client.get<SourceView>(place.path)
    return isDue(source, options.now()) ? null : { kind: 'not-due', place, nextPollAt: source.nextPollAt }
  } catch (error) {
    // Polling it tells why.
    if (error instanceof RefusedRequest) return null
    throw error
  }
}

async function pollOne(client: Client, place: SourcePlace, options: PollingOptions): Promise<Polled> {
  let queued: QueuedView | null = null
  for (;;) {
    try {
      const query = { wait: true, timeout: WAIT_SECONDS, trigger: options.trigger }
      const answer: PollView | QueuedView = await client.post(`${place.path}/poll`, {}, query)
      if ('outcome' in answer) return { kind: 'polled', place, poll: answer }
      // Asked again, a poll that is still waiting is joined, not queued twice.
      queued = answer
      if (isFar(answer.expectedAt, options)) return putOff(place, answer)
    } catch (error) {
      if (!(error instanceof RefusedRequest)) throw error
      // It is queued; only asking again so soon was refused.
      if (queued && error.status === 429) return putOff(place, queued)
      return { kind: 'refused', place, reason: error.message }
    }
  }
}

/** Checked first, so that no poll is queued that would wait for an hour. Only for hosts; queued polls tell it themselves. */
async function leftAlone(client: Client, place: SourcePlace, options: PollingOptions): Promise<Polled | null> {
  const { lane } = place.source
  if (!lane || isOwnerLane(lane)) return null
  try {
    const { notBefore, notBeforeReason } = await client.get<HostView>(`/api/hosts/${segment(lane)}`)
    if (notBefore === null || !isFar(notBefore, options)) return null
    return { kind: 'put-off', place, until: notBefore, reason: notBeforeReason ?? 'its host is closed' }
  } catch (error) {
    if (error instanceof RefusedRequest && error.status === 404) return null
    throw error
  }
}

function putOff(place: SourcePlace, { expectedAt, reason }: QueuedView): Polled {
  return { kind: 'put-off', place, until: expectedAt, reason }
}

function isFar(iso: string, { now, ending }: PollingOptions): boolean {
  return ending.aborted || Date.parse(iso) > now() + WAIT_SECONDS * 1000
}
