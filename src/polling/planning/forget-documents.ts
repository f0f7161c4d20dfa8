// The configuration decides which entries are chosen, and it may have changed since the last run. The new rules may take
// what the old ones dropped, so the documents of all sources are read again, even if they have not changed.
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

/** Called once in a process, before its first poll. */
export async function forgetIfChosenOtherwise({ store, rules, log }: ChosenUnderDeps): Promise<void> {
  const { maxArticleAgeDays, lateArrivalHours } = rules
  const current = JSON.stringify({ maxArticleAgeDays, lateArrivalHours })
  const before = await store.readMeta(META_KEY)
  if (before === current) return
  // An older store did not record its rules: assume that they have not changed.
  const sources = before === null ? 0 : await store.forgetDocuments()
  await store.writeMeta(META_KEY, current)
  if (sources > 0)
    log.info({ sources }, '[Polling] the limits on the age of entries have changed; all documents are read again')
}
