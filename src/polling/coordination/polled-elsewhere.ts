// What another process made of a source since somebody here wanted it polled. Where only one process polls there is nothing
// to look for: it knows what it does.
import type { PollRecord } from '../../domain/outcome.ts'
import type { Source } from '../../domain/source.ts'
import type { PollingStore } from '../../ports/polling-store.ts'
import type { Holds } from './host-leases.ts'

/** A poll that somebody asked for: its source as it was then, and the last record there was. */
export type Asked = Pick<Source, 'id' | 'version'> & { readonly recordId: string | null }

export interface ElsewhereDeps {
  readonly store: Pick<PollingStore, 'listPolls'>
  readonly holds: Pick<Holds, 'isShared'>
}

/** Its record, as if it had been under way here; null: none since then. */
export async function polledElsewhere(
  deps: ElsewhereDeps,
  asked: Asked,
  { id, version }: Source,
): Promise<PollRecord | null> {
  const last = version === asked.version ? await lastRecord(deps, id) : null
  return last?.id === asked.recordId ? null : last
}

export async function lastRecord({ store, holds }: ElsewhereDeps, sourceId: string): Promise<PollRecord | null> {
  if (!holds.isShared) return null
  const { items } = await store.listPolls(sourceId, { limit: 1, cursor: null })
  return items[0] ?? null
}
