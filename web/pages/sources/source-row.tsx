// One source in the table.
import type { SourceView } from '../../api/types.ts'
import { Heartbeat, Rhythm } from '../../parts/heartbeat.tsx'
import { Health, nameOf } from '../../parts/small.tsx'
import { useNow, When } from '../../parts/time.tsx'
import { useRowFacts } from './row-facts.ts'

interface Props {
  readonly path: string
  readonly source: SourceView
  readonly index: number
  readonly isSelected: boolean
  readonly rowHeight: number
  toggle(id: string, isOn: boolean): void
}

export function SourceRow({ path, source, index, isSelected, rowHeight, toggle }: Props) {
  const name = nameOf(source)
  const facts = useRowFacts(`${path}/${encodeURIComponent(source.id)}`, source.id, source.lastPolled ?? '')
  return (
    <tr style={{ height: `${rowHeight}px` }} aria-rowindex={index + 2} class={isSelected ? 'selected' : ''}>
      <td class="check">
        <input
          type="checkbox"
          aria-label={`Select ${name}`}
          checked={isSelected}
          onChange={(event) => toggle(source.id, event.currentTarget.checked)}
        />
      </td>
      <td class="title">
        <a href={`/sources/${encodeURIComponent(source.id)}`} dir="auto">
          {name}
        </a>
        <span class="address" title={source.url}>
          {source.url}
        </span>
      </td>
      <td class="wide host">
        {source.lane && (
          <a href={`/lanes?host=${encodeURIComponent(source.lane)}`} title={`The lane of ${source.lane}`}>
            {source.host ?? source.lane}
          </a>
        )}
      </td>
      <td class="wide type">{source.type}</td>
      <td class="health-cell" title={source.disabledReason ?? source.lastFailureReason ?? ''}>
        <Health health={source.health} />
      </td>
      <td class="beat">{facts && <Heartbeat polls={facts.polls} />}</td>
      <td class="wide posts">
        {facts && facts.days.length > 0 && <Rhythm days={facts.days} />}
        <span>{source.postCount.toLocaleString('en')}</span>
      </td>
      <td class="widest last">
        <When at={source.lastPolled} isShort />
      </td>
      <td class="next">
        <NextPoll source={source} />
      </td>
    </tr>
  )
}

/** One whose time has come waits for its turn at the host. */
function NextPoll({ source: { nextPollAt, enabled } }: { readonly source: SourceView }) {
  const now = useNow()
  if (!nextPollAt) return <span>{enabled ? 'soon' : '–'}</span>
  return Date.parse(nextPollAt) <= now ? <span>due</span> : <When at={nextPollAt} isShort />
}
