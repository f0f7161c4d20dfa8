// The table of sources. Only the rows near the screen are in the document, so 100,000 sources scroll like ten.
import { useEffect, useRef } from 'preact/hooks'
import type { SourceView } from '../../api/types.ts'
import { setQuery } from '../../frame/router.ts'
import { useIsNarrow } from '../../parts/use-narrow.ts'
import { useVirtual } from '../../parts/use-virtual.ts'
import { SourceRow } from './source-row.tsx'

const WIDE_ROW = 58
const NARROW_ROW = 116

interface Props {
  readonly path: string
  readonly sources: readonly SourceView[]
  readonly selected: ReadonlySet<string>
  readonly sort: string | null
  setSelected(selected: ReadonlySet<string>): void
  onNearEnd(): void
}

export function SourcesTable({ path, sources, selected, sort, setSelected, onNearEnd }: Props) {
  const body = useRef<HTMLTableSectionElement>(null)
  const isNarrow = useIsNarrow()
  const { rows, heightBefore, heightAfter } = useVirtual({
    ...{ count: sources.length, rowHeight: isNarrow ? NARROW_ROW : WIDE_ROW, list: body },
  })
  const lastShown = rows.at(-1)?.index ?? 0
  useEffect(() => {
    if (lastShown >= sources.length - 30) onNearEnd()
  }, [lastShown, sources.length])
  const toggle = (id: string, isOn: boolean) => {
    const next = new Set(selected)
    if (isOn) next.add(id)
    else next.delete(id)
    setSelected(next)
  }
  return (
    <table class="sources" aria-label="Sources" aria-rowcount={sources.length + 1}>
      <thead>
        <tr>
          <th scope="col" class="check">
            <span class="visually-hidden">Selected</span>
          </th>
          <SortHeader name="Title" field="title" sort={sort} />
          <th scope="col" class="wide host">
            Host
          </th>
          <th scope="col" class="wide type">
            Type
          </th>
          <SortHeader name="Health" field="health" sort={sort} class="health-cell" />
          <th scope="col" class="beat">
            Last polls
          </th>
          <SortHeader name="Posts" field="postCount" sort={sort} class="wide posts" />
          <SortHeader name="Last poll" field="lastPolled" sort={sort} class="widest last" />
          <SortHeader name="Next poll" field="nextPollAt" sort={sort} class="next" />
        </tr>
      </thead>
      <tbody ref={body}>
        {heightBefore > 0 && <Gap height={heightBefore} />}
        {rows.map(({ index }) => {
          const source = sources[index]
          return (
            source && (
              <SourceRow
                key={source.id}
                {...{ path, source, toggle, index }}
                isSelected={selected.has(source.id)}
                rowHeight={isNarrow ? NARROW_ROW : WIDE_ROW}
              />
            )
          )
        })}
        {heightAfter > 0 && <Gap height={heightAfter} />}
      </tbody>
    </table>
  )
}

/** Stands for the rows that are not in the document. One cell: to span a hidden column would add an empty one. */
function Gap({ height }: { readonly height: number }) {
  return (
    <tr class="gap">
      <td style={{ height: `${height}px` }} />
    </tr>
  )
}

interface SortProps {
  readonly name: string
  readonly field: string
  readonly sort: string | null
  readonly class?: string
}

function SortHeader({ name, field, sort, ...rest }: SortProps) {
  const direction = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : 'none'
  const next = direction === 'none' ? field : direction === 'ascending' ? `-${field}` : null
  return (
    <th scope="col" aria-sort={direction} class={rest.class ?? ''}>
      <button type="button" onClick={() => setQuery({ sort: next })}>
        {name}
        <span aria-hidden="true">{direction === 'ascending' ? ' ↑' : direction === 'descending' ? ' ↓' : ''}</span>
      </button>
    </th>
  )
}
