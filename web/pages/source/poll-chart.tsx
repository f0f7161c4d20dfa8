// How long the polls took, what they brought and which failed: the last polls, or whole days.
import { useMemo, useState } from 'preact/hooks'
import type { Activity, Listed, Page, PollView } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Chart, type Series } from '../../parts/chart.tsx'
import { Heartbeat, heartbeatWords } from '../../parts/heartbeat.tsx'
import { Empty, Region, Trouble } from '../../parts/small.tsx'
import { durationWords } from '../../parts/time.tsx'

export function PollChart({ path, id }: { readonly path: string; readonly id: string }) {
  const [byDay, setByDay] = useState(false)
  const when = (event: { sourceId?: string }) => event.sourceId === id
  const polls = useAnswer<Page<PollView>>(`${path}/polls?limit=100`, { when })
  const days = useAnswer<Listed<Activity>>(byDay ? `${path}/days?days=30` : null, { when })
  const items = polls.data?.items
  const picture = useMemo(
    () => (byDay ? pictureOfDays(days.data?.items ?? []) : pictureOfPolls(items ?? [])),
    [byDay, days.data, items],
  )
  const switcher = (
    <label>
      <span class="visually-hidden">Shown</span>
      <select value={byDay ? 'days' : 'polls'} onChange={(event) => setByDay(event.currentTarget.value === 'days')}>
        <option value="polls">Last 100 polls</option>
        <option value="days">30 days</option>
      </select>
    </label>
  )
  return (
    <Region title="Polls over time" actions={switcher}>
      <Trouble problem={byDay ? days.problem : polls.problem} />
      {items?.length === 0 && <Empty>It was not polled yet.</Empty>}
      {items && items.length > 0 && (
        <>
          <Heartbeat polls={items} />
          <Chart label={heartbeatWords(items)} times={picture.times} series={picture.series} height={190} />
        </>
      )}
    </Region>
  )
}

interface Picture {
  readonly times: readonly number[]
  readonly series: readonly Series[]
}

function pictureOfPolls(newestFirst: readonly PollView[]): Picture {
  const polls = newestFirst.toReversed()
  return {
    times: polls.map(({ startedAt }) => Date.parse(startedAt)),
    series: [
      { name: 'New posts', colour: '--accent', kind: 'bars', values: polls.map(({ created }) => created) },
      {
        name: 'Failure',
        colour: '--bad',
        kind: 'bars',
        values: polls.map((poll) => (poll.outcome === 'success' ? null : 1)),
      },
      {
        ...{ name: 'Duration', colour: '--blue', kind: 'line', axis: 'right', format: durationWords },
        values: polls.map(({ durationMs }) => durationMs),
      },
    ],
  }
}

function pictureOfDays(days: readonly Activity[]): Picture {
  return {
    times: days.map(({ at }) => Date.parse(at)),
    series: [
      { name: 'New posts', colour: '--accent', kind: 'bars', values: days.map(({ created }) => created) },
      { name: 'Polls', colour: '--blue', kind: 'line', axis: 'right', values: days.map(({ polls }) => polls) },
      { name: 'Failures', colour: '--bad', kind: 'line', axis: 'right', values: days.map(({ failures }) => failures) },
    ],
  }
}
