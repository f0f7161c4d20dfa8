// One event and one log line when our own outage begins, and when it ends.
import type { OutageRun } from '../domain/outage-run.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'

export interface OutageEventsDeps {
  readonly log: Log
  readonly store: Pick<Store, 'addEvents'>
}

const NOBODY = { userId: null, podcastId: null, sourceId: null, host: null }

export async function announceOutage(
  { log, store }: OutageEventsDeps,
  { since: began, hosts }: OutageRun,
  givenBack: number,
  at: number,
): Promise<void> {
  const since = new Date(began).toISOString()
  const data = { since, hosts, sources: givenBack }
  await store.addEvents([{ type: 'outage.started', at, ...NOBODY, data }])
  const what = `our own connection seems down since ${since} (${hosts.length} hosts unreachable)`
  log.warn(data, `[Polling] ${what}: polling pauses, ${givenBack} sources got their failures back`)
}

export async function announceRecovery({ log, store }: OutageEventsDeps, began: number, at: number): Promise<void> {
  const since = new Date(began).toISOString()
  await store.addEvents([{ type: 'outage.ended', at, ...NOBODY, data: { since } }])
  log.info({ since }, `[Polling] our own connection is back after an outage since ${since}: polling resumes, spread`)
}
