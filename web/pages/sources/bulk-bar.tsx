// What can be done to many sources at once. It can be undone, except a poll.
import { useState } from 'preact/hooks'
import type { SourceView } from '../../api/types.ts'
import { tell } from '../../frame/notices.tsx'
import type { Podcast } from '../../frame/podcasts.ts'
import { tellProblem } from '../../parts/action.tsx'
import { nameOf } from '../../parts/small.tsx'
import { count } from '../../parts/time.tsx'
import { type BulkAction, runBulk } from './bulk.ts'
import { actOnAllMatching } from './bulk-all.ts'
import type { SourceFilter } from './filter-bar.tsx'
import { removeSources } from './removal.ts'

interface Props {
  readonly podcast: Podcast
  readonly filter: SourceFilter
  readonly sources: readonly SourceView[]
  readonly hasMore: boolean
  readonly selected: ReadonlySet<string>
  setSelected(selected: ReadonlySet<string>): void
  onChanged(): Promise<void>
}

const DONE: Readonly<Record<BulkAction, string>> = {
  ...{ enable: 'Enabled', disable: 'Disabled', poll: 'Queued for a poll', remove: 'Removed' },
}

const BUTTONS: readonly [BulkAction, string][] = [
  ['enable', 'Enable'],
  ['disable', 'Disable'],
  ['poll', 'Poll now'],
  ['remove', 'Remove'],
]

export function BulkBar(props: Props) {
  const { podcast, filter, sources, hasMore, selected, setSelected, onChanged } = props
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null)
  const chosen = sources.filter(({ id }) => selected.has(id))
  const isAll = sources.length > 0 && chosen.length === sources.length
  const isBeyond = isAll && hasMore

  async function perform(action: BulkAction): Promise<void> {
    if (isBeyond) return performOnAll(action)
    const ids = chosen.map(({ id }) => id)
    if (action === 'remove') {
      removeSources(podcast.path, ids, chosen[0] ? nameOf(chosen[0]) : '', () => void onChanged())
      setSelected(new Set())
      return
    }
    const changed = chosen.filter(({ enabled }) => action === 'poll' || enabled !== (action === 'enable'))
    const done = await run(action, ids)
    if (done === 0) return
    const text = `${DONE[action]} ${count(done, 'source')}.`
    if (action === 'poll') return void tell('good', text)
    const close = tell('good', text, {
      forMs: 12_000,
      ...(changed.length > 0 ? { action: { name: 'Undo', run: () => void undo() } } : {}),
    })
    const undo = async () => {
      close()
      const back = action === 'enable' ? 'disable' : 'enable'
      const undone = await run(
        back,
        changed.map(({ id }) => id),
      )
      if (undone > 0) tell('good', `Undone: ${DONE[back]} ${count(undone, 'source')}.`)
    }
  }

  /** Resolves to how many it was done to, when the list shows it: the next action goes by what the list says. */
  async function run(action: BulkAction, ids: readonly string[]): Promise<number> {
    setProgress({ done: 0, of: ids.length })
    let done = 0
    try {
      const failed = await runBulk(podcast.path, action, ids, (tried) => setProgress({ done: tried, of: ids.length }))
      if (failed.length > 0) tell('error', `${count(failed.length, 'source')} failed: ${failed[0]?.reason}`)
      done = ids.length - failed.length
    } catch (error) {
      tellProblem(error)
    }
    await onChanged()
    setProgress(null)
    return done
  }

  async function performOnAll(action: BulkAction): Promise<void> {
    const shown = sources.map(({ id }) => id)
    const matching = { podcastPath: podcast.path, filter, shown, onDone: () => void onChanged() }
    if (await actOnAllMatching(action, DONE[action], matching)) setSelected(new Set())
  }

  const isIdle = chosen.length === 0 || progress !== null
  return (
    <div class="bulk" role="toolbar" aria-label="Selected sources">
      <label>
        <input
          type="checkbox"
          checked={isAll}
          disabled={sources.length === 0}
          onChange={(event) => setSelected(new Set(event.currentTarget.checked ? sources.map(({ id }) => id) : []))}
        />
        Select all
      </label>
      <span class="soft">
        {isBeyond
          ? 'All that match'
          : chosen.length > 0
            ? `${chosen.length} selected`
            : `${sources.length}${hasMore ? '+' : ''} shown`}
      </span>
      {BUTTONS.map(([action, name]) => (
        <button
          key={action}
          type="button"
          class={action === 'remove' ? 'danger' : ''}
          aria-disabled={isIdle}
          onClick={() => {
            if (!isIdle) void perform(action)
          }}
        >
          {name}
        </button>
      ))}
      {progress && <progress value={progress.done} max={progress.of} aria-label="Progress" />}
    </div>
  )
}
