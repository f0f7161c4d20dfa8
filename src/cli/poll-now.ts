// Polling from outside the engine: asks for a manual poll and waits for its record. Hosts side by side, the sources of
// one host one after another, as their lane would do it anyway.
import type { PollView, QueuedView } from '../catalogue/answers.ts'
import { type Client, RefusedRequest } from './client.ts'
import type { SourcePlace } from './places.ts'

export type Polled =
  | { readonly kind: 'polled'; readonly place: SourcePlace; readonly poll: PollView }
  /** The host cannot be asked now: its own word, or its spacing, forbids it for longer than is worth waiting. */
  | { readonly kind: 'put-off'; readonly place: SourcePlace; readonly queued: QueuedView }
  | { readonly kind: 'refused'; readonly place: SourcePlace; readonly reason: string }

const WAIT_SECONDS = 60
const HOSTS_AT_ONCE = 100

export interface PollingOptions {
  readonly ending: AbortSignal
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
        const polled = await pollOne(client, place, options)
        results.push(polled)
        options.onPolled?.(polled)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(HOSTS_AT_ONCE, byHost.size) }, worker))
  return results
}

async function pollOne(client: Client, place: SourcePlace, { ending, now }: PollingOptions): Promise<Polled> {
  let queued: QueuedView | null = null
  for (;;) {
    try {
      const query = { wait: true, timeout: WAIT_SECONDS }
      const answer = await client.post<PollView | QueuedView>(`${place.path}/poll`, {}, query)
      if ('outcome' in answer) return { kind: 'polled', place, poll: answer }
      // Asked again, a poll that is still waiting is joined, not queued twice.
      const soon = Date.parse(answer.expectedAt) <= now() + WAIT_SECONDS * 1000
      if (!soon || ending.aborted) return { kind: 'put-off', place, queued: answer }
      queued = answer
    } catch (error) {
      if (!(error instanceof RefusedRequest)) throw error
      // It is queued; only asking again so soon was refused.
      if (queued && error.status === 429) return { kind: 'put-off', place, queued }
      return { kind: 'refused', place, reason: error.message }
    }
  }
}
