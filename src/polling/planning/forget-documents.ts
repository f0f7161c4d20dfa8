// The configured rules of choosing may be others than those the store was filled under. What these dropped, others may
// take, so what sources gave last is read again, also where it is the same.
// See docs/decisions/0096-postponed-manual-polls-are-scheduled.md
import type { SourceConfig } from '../../ports/config.ts'
import type { Log } from '../../ports/log.ts'
import type { PollingStore } from '../../ports/polling-store.ts'

const META_KEY = 'chosen-under'

export interface ChosenUnderDeps {
  readonly store: Pick<PollingStore, 'readMeta' | 'writeMeta' | 'forgetDocuments'>
  readonly rules: Pick<SourceConfig, 'maxArticleAgeDays' | 'lateArrivalHours'>
  readonly log: Log
}

/** Once in a process, before its first poll. */
export async function forgetIfChosenOtherwise({ store, rules, log }: ChosenUnderDeps): Promise<void> {
  const { maxArticleAgeDays, lateArrivalHours } = rules
  const current = JSON.stringify({ maxArticleAgeDays, lateArrivalHours })
  const before = await store.readMeta(META_KEY)
  if (before === current) return
  // A store of the time before this was noted: nobody knows, and nothing is asked for needlessly.
  const sources = before === null ? 0 : await store.forgetDocuments()
  await store.writeMeta(META_KEY, current)
  if (sources > 0) log.info({ sources }, '[Polling] the rules of choosing have changed; all documents are read again')
}
