// All sources of the podcast: searched, filtered, sorted, and changed many at a time. New ones are added here.
import { useState } from 'preact/hooks'
import type { SourceView } from '../../api/types.ts'
import type { Podcast } from '../../frame/podcasts.ts'
import { setQuery, usePlaceOnPage } from '../../frame/router.ts'
import { Empty, Trouble } from '../../parts/small.tsx'
import { useValue } from '../../parts/state.ts'
import { usePages } from '../../parts/use-pages.ts'
import { AddDialog } from '../adding/add-dialog.tsx'
import { GuidedStart } from '../adding/guided-start.tsx'
import { DropZone, ImportButton } from '../adding/import.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { ExportButton } from './export-button.tsx'
import { FilterBar } from './filter-bar.tsx'
import { removing } from './removal.ts'
import { SourcesTable } from './sources-table.tsx'
import { useLiveRows } from './use-live-rows.ts'

const PAGE_SIZE = 200

export function SourcesPage({ podcast }: { readonly podcast: Podcast }) {
  const { query } = usePlaceOnPage()
  const filter = { q: query.get('q'), health: query.get('health'), type: query.get('type'), host: query.get('host') }
  const sort = query.get('sort')
  const path = `${podcast.path}/sources`
  const pages = usePages<SourceView>(path, { ...filter, sort, limit: PAGE_SIZE })
  const hidden = useValue(removing)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const isAdding = query.has('add')
  const sources = pages.items.filter(({ id }) => !hidden.has(id))
  const isFiltered = Object.values(filter).some((value) => value !== null)
  useLiveRows(path, pages)

  const show = (added: readonly SourceView[]) => {
    const ids = new Set(added.map(({ id }) => id))
    pages.change((items) => [...added, ...items.filter(({ id }) => !ids.has(id))])
  }

  return (
    <DropZone podcast={podcast} onImported={pages.reload}>
      <div class="page-head">
        <h1>Sources</h1>
        <div class="actions">
          <ImportButton podcast={podcast} onImported={pages.reload} />
          <ExportButton podcast={podcast} />
          <button
            type="button"
            class={`primary ${isAdding ? 'away' : ''}`}
            onClick={() => setQuery({ add: query.get('add') ?? '1' })}
          >
            Add source
          </button>
        </div>
      </div>
      {isAdding && <AddDialog podcast={podcast} onAdded={show} onClose={() => setQuery({ add: null })} />}
      <FilterBar filter={filter} />
      <BulkBar
        {...{ podcast, filter, sources, selected, setSelected }}
        hasMore={pages.hasMore}
        onChanged={pages.readAgain}
      />
      <Trouble problem={pages.problem} />
      {sources.length > 0 && (
        <SourcesTable {...{ path, sources, selected, setSelected, sort }} onNearEnd={pages.loadMore} />
      )}
      {sources.length === 0 && pages.isLoading && <p class="loading">Loading</p>}
      {sources.length === 0 && !pages.isLoading && !pages.problem && isFiltered && <Empty>No sources match.</Empty>}
      {sources.length === 0 && !pages.isLoading && !pages.problem && !isFiltered && (
        <GuidedStart podcast={podcast} onAdded={show} />
      )}
    </DropZone>
  )
}
