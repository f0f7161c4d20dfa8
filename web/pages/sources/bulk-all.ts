// Does something to every source that matches the filter, also to those that are not on the page yet. It asks first, and
// can be undone.
import { call } from '../../api/call.ts'
import type { BulkAnswer } from '../../api/types.ts'
import { tell } from '../../frame/notices.tsx'
import { confirmed } from '../../parts/confirm.tsx'
import { count } from '../../parts/time.tsx'
import { doUnlessUndone, UNDO_SECONDS } from '../../parts/undoable.ts'
import type { BulkAction } from './bulk.ts'
import type { SourceFilter } from './filter-bar.tsx'
import { hideSources, showSources } from './removal.ts'

const WILL: Readonly<Record<BulkAction, string>> = {
  ...{ enable: 'enabled', disable: 'disabled', poll: 'polled', remove: 'removed, with their posts' },
}

interface Matching {
  readonly podcastPath: string
  readonly filter: SourceFilter
  /** Ids of those on the page. */
  readonly shown: readonly string[]
  onDone(): void
}

/** Resolves to whether it will be done, unless it is undone. */
export async function actOnAllMatching(
  action: BulkAction,
  done: string,
  { podcastPath, filter, shown, onDone }: Matching,
): Promise<boolean> {
  const text = `More than the ${count(shown.length, 'source')} on this page match, and all of them will be ${WILL[action]}. You can undo it for ${UNDO_SECONDS} seconds.`
  if (!(await confirmed(`${done}: all that match?`, text, 'Do it to all'))) return false
  if (action === 'remove') hideSources(shown)
  doUnlessUndone({
    told: `All that match are being ${WILL[action]}.`,
    undone: 'Undone: nothing was changed.',
    onKept: () => showSources(shown),
    async send(keepalive) {
      const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null))
      const body = { filter: given, action }
      const answer = await call<BulkAnswer>('POST', `${podcastPath}/sources/bulk`, body, { keepalive })
      tell('good', `${done} ${count(answer.done, 'source')}.`)
      onDone()
    },
  })
  return true
}
