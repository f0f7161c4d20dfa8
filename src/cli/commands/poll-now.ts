// Requests manual polls through the API and waits for their records. Hosts are polled in parallel, the sources of one
// host one after another, as in its lane. If a host cannot be asked for more than a minute, its polls are postponed.
import type { PollView, QueuedView, SourceView } from '../../catalogue/shapes/answers.ts'
import type { HostView } from '../../catalogue/shapes/polling-answers.ts'
import { isOwnerLane } from '../../domain/lane.ts'
import { type Client, RefusedRequest, segment } from '../connection/client.ts'
import type { FoundSource } from '../connection/find-by-name.ts'
import { Interrupted } from '../failure.ts'

export type Polled =
  | { readonly kind: 'polled'; readonly target: FoundSource; readonly poll: PollView }
  /** The host cannot be asked within a minute. */
  | { readonly kind: 'postponed'; readonly target: FoundSource; readonly until: string; readonly reason: string }
  /** It was due when the command started, but is not any more, because something else polled or changed it. */
  | { readonly kind: 'not-due'; readonly target: FoundSource; readonly nextPollAt: string | null }
  | { readonly kind: 'refused'; readonly target: FoundSource; readonly reason: string }

const WAIT_SECONDS = 60
const HOSTS_AT_ONCE = 100

export interface PollingOptions {
  /** The trigger in the records. The default is a manual poll. */
  readonly trigger?: 'create'
  readonly ending: AbortSignal
  /** Polls a source only if it is still due when its turn comes. */
  readonly onlyDue?: boolean
  now(): number
  onPolled?(polled: Polled): void
}

export async function pollNow(
  client: Client,
  targets: readonly FoundSource[],
  options: PollingOptions,
): Promise<Polled[]> {
  const byHost = Map.groupBy(targets, ({ source }) => source.host ?? '')
  const hosts = byHost.values()
  const results: Polled[] = []
  const worker = async () => {
    for (const sources of hosts) {
      for (const target of sources) {
        if (options.ending.aborted) return
        const polled = await pollUnlessInterrupted(client, target, options)
        if (polled === null) return
        results.push(polled)
        options.onPolled?.(polled)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(HOSTS_AT_ONCE, byHost.size) }, worker))
  return results
}

/** Null after Ctrl-C: what was polled before counts. */
async function pollUnlessInterrupted(
  client: Client,
  target: FoundSource,
  options: PollingOptions,
): Promise<Polled | null> {
  try {
    return (
      (await postponedByHost(client, target, options)) ??
      (await noLongerDue(client, target, options)) ??
      (await pollOne(client, target, options))
    )
  } catch (error) {
    if (error instanceof Interrupted) return null
    throw error
  }
}

export function isDue({ enabled, nextPollAt }: SourceView, now: number): boolean {
  return enabled && (nextPollAt === null || Date.parse(nextPollAt) <= now)
}

/** Checked again before each poll: earlier polls may have taken long, and a scheduler may have polled it meanwhile. */
async function noLongerDue(client: Client, target: FoundSource, options: PollingOptions): Promise<Polled | null> {
  if (!options.onlyDue) return null
  try {
    const source = await client.get<SourceView>(target.path)
    return isDue(source, options.now()) ? null : { kind: 'not-due', target, nextPollAt: source.nextPollAt }
  } catch (error) {
    // The poll itself will report the reason.
    if (error instanceof RefusedRequest) return null
    throw error
  }
}

async function pollOne(client: Client, target: FoundSource, options: PollingOptions): Promise<Polled> {
  let queued: QueuedView | null = null
  for (;;) {
    try {
      const query = { wait: true, timeout: WAIT_SECONDS, trigger: options.trigger }
      const answer: PollView | QueuedView = await client.post(`${target.path}/poll`, {}, query)
      if ('outcome' in answer) return { kind: 'polled', target, poll: answer }
      // A repeated request joins the waiting poll; it is not queued twice.
      queued = answer
      if (isTooFarAhead(answer.expectedAt, options)) return postponed(target, answer)
    } catch (error) {
      if (!(error instanceof RefusedRequest)) throw error
      // The poll is queued. Only the repeated request was refused by a rate limit.
      if (queued && error.status === 429) return postponed(target, queued)
      return { kind: 'refused', target, reason: error.message }
    }
  }
}

/** Checked first, so that no poll is queued that would wait for an hour. Only for hosts; queued polls tell it themselves. */
async function postponedByHost(client: Client, target: FoundSource, options: PollingOptions): Promise<Polled | null> {
  const { lane } = target.source
  if (!lane || isOwnerLane(lane)) return null
  try {
    const { notBefore, notBeforeReason } = await client.get<HostView>(`/api/hosts/${segment(lane)}`)
    if (notBefore === null || !isTooFarAhead(notBefore, options)) return null
    return { kind: 'postponed', target, until: notBefore, reason: notBeforeReason ?? 'its host is closed' }
  } catch (error) {
    if (error instanceof RefusedRequest && error.status === 404) return null
    throw error
  }
}

function postponed(target: FoundSource, { expectedAt, reason }: QueuedView): Polled {
  return { kind: 'postponed', target, until: expectedAt, reason }
}

function isTooFarAhead(iso: string, { now, ending }: PollingOptions): boolean {
  return ending.aborted || Date.parse(iso) > now() + WAIT_SECONDS * 1000
}
