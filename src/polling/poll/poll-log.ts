// One structured line per poll. A source is named by its URL, which holds no credentials, never by its id.
import { classOf, type PollRecord } from '../../domain/outcome.ts'
import { MINUTE_MS } from '../../domain/schedule.ts'
import type { Source } from '../../domain/source.ts'
import type { Log } from '../../ports/log.ts'
import type { PollOutcome } from './poll-outcome.ts'

/** What else the recorded poll led to. */
export interface Consequences {
  /** False: a failure of our own outage, which left the source as it was. */
  readonly counted: boolean
  readonly disabled: boolean
}

export function logPoll(
  log: Log,
  source: Source,
  record: PollRecord,
  outcome: PollOutcome,
  { counted, disabled }: Consequences,
): void {
  const fields = {
    url: source.url,
    type: source.type,
    outcome: record.outcome,
    httpStatus: record.httpStatus,
    durationMs: record.durationMs,
    bytes: record.bytes,
    found: record.found,
    created: record.created,
    nextPollAt: source.nextPollAt === null ? null : new Date(source.nextPollAt).toISOString(),
  }
  const next = nextWords(source, record.startedAt + record.durationMs)
  if (outcome.kind === 'success') {
    const news = record.notModified ? 'unchanged' : `${record.created} new`
    log.info(fields, `[Polling] ${source.url} success ${record.httpStatus} ${news} in ${record.durationMs} ms, ${next}`)
    return
  }
  const failed = `[Polling] ${source.url} ${classOf(outcome.failure)} failure: ${outcome.failure.reason}`
  const failedFields = { ...fields, code: outcome.failure.code, reason: outcome.failure.reason }
  if (!counted) {
    // The outage has a line of its own.
    log.debug(failedFields, `${failed}, not counted: our own outage`)
    return
  }
  log.warn(failedFields, `${failed} (${source.consecutiveFailures} in a row), ${next}`)
  if (disabled) {
    log.warn({ url: source.url, reason: source.disabledReason }, `[Polling] ${source.url} ${source.disabledReason}`)
  }
}

function nextWords(source: Source, now: number): string {
  if (source.nextPollAt === null) return source.enabled ? 'no next poll planned' : 'disabled'
  const minutes = Math.round((source.nextPollAt - now) / MINUTE_MS)
  return minutes <= 0 ? 'next now' : `next in ${minutes} min`
}
