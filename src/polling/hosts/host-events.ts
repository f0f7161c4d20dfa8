// One event and one log line per transition of a breaker, however many sources hang on it.
import type { HostClosedReason, NewEvent } from '../../domain/event.ts'
import type { HostState } from '../../domain/host.ts'
import type { Storm } from '../../domain/storm.ts'
import type { Log } from '../../ports/log.ts'

const NOBODY = { userId: null, podcastId: null, sourceId: null }

export function hostOpened(
  { lane, breaker }: HostState,
  sources: number,
  at: number,
  storm?: Storm,
): NewEvent<'host.opened'> {
  const names = [...new Set(breaker.failures.map((failure) => failure.name))].join(', ')
  const { inARow, failures } = breaker
  // The window may keep no more sources than the rules ask for, but always two.
  const atLeast = failures.length > 1 && inARow > failures.length ? 'at least ' : ''
  const byStorm = storm && `${storm.failed} of ${storm.worked} sources that worked fail for good since its last success`
  const reason = byStorm ?? `${inARow} failures in a row from ${atLeast}${failures.length} of its sources (${names})`
  return { type: 'host.opened', at, ...NOBODY, host: lane, data: { reason, sources, probeAt: iso(breaker.probeAt) } }
}

export function hostClosed(
  { lane, breaker }: HostState,
  reason: HostClosedReason,
  sources: number,
  at: number,
): NewEvent<'host.closed'> {
  return { type: 'host.closed', at, ...NOBODY, host: lane, data: { reason, sources, since: iso(breaker.since) } }
}

export function logHostEvents(log: Log, events: readonly NewEvent[]): void {
  for (const event of events) {
    if (event.type === 'host.opened') {
      const { host, data } = event
      const sources = countOf(data.sources)
      const message = `[Polling] ${host} seems down: ${data.reason}; its ${sources} wait, next try at ${data.probeAt}`
      log.warn({ host, ...data }, message)
    }
    if (event.type === 'host.closed') {
      const { host, data } = event
      const what = data.reason === 'it answers again' ? 'is back' : 'is no longer left alone'
      log.info({ host, ...data }, `[Polling] ${host} ${what}: ${data.reason}; ${countOf(data.sources)} resume`)
    }
  }
}

function countOf(sources: number): string {
  return `${sources} ${sources === 1 ? 'source' : 'sources'}`
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
