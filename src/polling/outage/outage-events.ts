// One event and one log line when our own outage begins, and when it ends. The event is written with the
// state that it reports, the log line after it.
import type { NewEvent } from '../../domain/event.ts'
import type { OutageRun } from '../../domain/outage-run.ts'
import type { Log } from '../../ports/log.ts'

const NOBODY = { userId: null, podcastId: null, sourceId: null, host: null }

export interface Announcement {
  readonly event: NewEvent
  say(log: Log): void
}

export function outageStarted({ since: began, hosts }: OutageRun, givenBack: number, at: number): Announcement {
  const since = new Date(began).toISOString()
  const data = { since, hosts, sources: givenBack }
  const what = `our own connection seems down since ${since} (${hosts.length} hosts unreachable)`
  return {
    event: { type: 'outage.started', at, ...NOBODY, data },
    say: (log) => log.warn(data, `[Polling] ${what}: polling pauses, ${givenBack} sources got their failures back`),
  }
}

export function outageEnded(began: number, at: number): Announcement {
  const since = new Date(began).toISOString()
  const what = `our own connection is back after an outage since ${since}`
  return {
    event: { type: 'outage.ended', at, ...NOBODY, data: { since } },
    say: (log) => log.info({ since }, `[Polling] ${what}: polling resumes, spread`),
  }
}
