// What became of a source since it was read for a poll, as its row tells it.
// See docs/decisions/0106-stale-reads-checked-before-acting.md
import type { Source } from '../../domain/source.ts'
import type { PollWritten } from '../../ports/polling-store.ts'
import type { SourceStore } from '../../ports/source-store.ts'

export type SourceMeanwhile =
  | { readonly kind: 'same'; readonly source: Source }
  | { readonly kind: Exclude<PollWritten['kind'], 'recorded' | 'overtaken'> }

export async function sourceMeanwhile(
  store: Pick<SourceStore, 'getSource'>,
  before: Pick<Source, 'id' | 'version'>,
): Promise<SourceMeanwhile> {
  const source = await store.getSource(before.id)
  if (!source) return { kind: 'source-gone' }
  return source.version === before.version ? { kind: 'same', source } : { kind: 'source-changed' }
}

/** Neither polled nor planned again since it was read. */
export function isUntouched(now: Source, before: Source): boolean {
  return now.lastPolled === before.lastPolled && now.nextPollAt === before.nextPollAt
}
