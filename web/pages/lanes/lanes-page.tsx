// Every host as a lane on a live timeline: requests that were made, the pauses between them, what is planned, and which
// hosts are left alone until when. The same stands in words beside each lane.
import { useRef, useState } from 'preact/hooks'
import type { Podcast } from '../../frame/podcasts.ts'
import { setQuery, usePlaceOnPage } from '../../frame/router.ts'
import { SearchField } from '../../parts/search-field.tsx'
import { Empty, EmptyPage, Trouble } from '../../parts/small.tsx'
import { count } from '../../parts/time.tsx'
import { useIsNarrow } from '../../parts/use-narrow.ts'
import { useVirtual } from '../../parts/use-virtual.ts'
import { isLeftAlone, type Lane } from './lane.ts'
import { LaneRow } from './lane-row.tsx'
import { LaneTip } from './lane-tip.tsx'
import { TimeAxis } from './time-axis.tsx'
import { useLanes } from './use-lanes.ts'

const WIDE_ROW = 64
const NARROW_ROW = 104
const MINUTE = 60_000

const ZOOMS: readonly [string, string, number][] = [
  ['10', '10 minutes', 10 * MINUTE],
  ['60', '1 hour', 60 * MINUTE],
  ['360', '6 hours', 360 * MINUTE],
  ['1440', '1 day', 1440 * MINUTE],
]

export function LanesPage({ podcast }: { readonly podcast: Podcast }) {
  const { query } = usePlaceOnPage()
  const zoom = query.get('zoom') ?? '60'
  const spanMs = ZOOMS.find(([name]) => name === zoom)?.[2] ?? 60 * MINUTE
  const { lanes, problem, isWhole, notes } = useLanes(podcast, spanMs)
  const wanted = query.get('host') ?? ''
  const shown = lanes.filter(({ host }) => host.host.toLowerCase().includes(wanted.toLowerCase()))
  const alone = lanes.filter(({ host }) => host.sources > 0 && isLeftAlone(host)).length
  return (
    <>
      <div class="page-head">
        <h1>Lanes</h1>
        <p class="soft">
          {count(lanes.length, 'host')}
          {alone > 0 && `, ${alone} left alone for now`}
          {!isWhole && lanes.length > 0 && ', more are being read'}
        </p>
      </div>
      <search class="filters">
        <SearchField label="Search hosts" value={wanted} placeholder="Host" onSearch={(host) => setQuery({ host })} />
        <label class="inline">
          Zoom
          <select value={zoom} onChange={(event) => setQuery({ zoom: event.currentTarget.value })}>
            {ZOOMS.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Legend />
      </search>
      <Trouble problem={problem} />
      {!isWhole && lanes.length === 0 && <p class="loading">Loading</p>}
      {isWhole && shown.length === 0 && lanes.length > 0 && <Empty>No host matches.</Empty>}
      {isWhole && lanes.length === 0 && (
        <EmptyPage title="No lanes yet">
          <p>Each host that Tidings asks gets a lane: what was asked, the pauses between, and what is planned.</p>
          <a class="button primary" href="/sources?add=1">
            Add source
          </a>
        </EmptyPage>
      )}
      {shown.length > 0 && <LaneList lanes={shown} spanMs={spanMs} />}
      {notes.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
    </>
  )
}

function LaneList({ lanes, spanMs }: { readonly lanes: readonly Lane[]; readonly spanMs: number }) {
  const list = useRef<HTMLUListElement>(null)
  const [width, setWidth] = useState(0)
  const rowHeight = useIsNarrow() ? NARROW_ROW : WIDE_ROW
  const { rows, heightBefore, heightAfter } = useVirtual({ count: lanes.length, rowHeight, list })
  return (
    <div class="lanes">
      <TimeAxis spanMs={spanMs} width={width} onWidth={setWidth} />
      <ul ref={list} aria-label="Hosts" style={{ paddingTop: `${heightBefore}px`, paddingBottom: `${heightAfter}px` }}>
        {rows.map(({ index }) => {
          const lane = lanes[index]
          return lane && <LaneRow key={lane.host.host} {...{ lane, spanMs, width }} height={rowHeight} />
        })}
      </ul>
      <LaneTip />
    </div>
  )
}

const LEGEND: readonly [string, string][] = [
  ['new', 'new posts'],
  ['success', 'nothing new'],
  ['transient', 'transient failure'],
  ['permanent', 'permanent failure'],
  ['planned', 'planned'],
  ['waiting', 'left alone'],
]

function Legend() {
  return (
    <ul class="legend" aria-label="Colours">
      {LEGEND.map(([kind, name]) => (
        <li key={kind} class={kind}>
          {name}
        </li>
      ))}
    </ul>
  )
}
