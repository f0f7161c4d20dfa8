// Posts and polls per hour, for three days.
import { useMemo } from 'preact/hooks'
import type { Activity, Listed } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { Podcast } from '../../frame/podcasts.ts'
import { Chart, type Series } from '../../parts/chart.tsx'
import { Empty, Region, Trouble } from '../../parts/small.tsx'
import { count } from '../../parts/time.tsx'

const HOURS = 72

export function ActivityChart({ podcast }: { readonly podcast: Podcast }) {
  const path = `/activity?hours=${HOURS}&podcast=${encodeURIComponent(podcast.id)}`
  const { data, problem } = useAnswer<Listed<Activity>>(path, {
    everyMs: 60_000,
    when: ({ type }) => type === 'poll.finished',
  })
  const items = data?.items
  const times = useMemo(() => (items ?? []).map(({ at }) => Date.parse(at)), [items])
  const series = useMemo(() => seriesOf(items ?? []), [items])
  const posts = (items ?? []).reduce((sum, { created }) => sum + created, 0)
  const polls = (items ?? []).reduce((sum, hour) => sum + hour.polls, 0)
  const words = `${count(posts, 'post')} from ${count(polls, 'poll')} in three days`
  return (
    <Region title="Three days" actions={items && <span class="soft">{words}</span>}>
      <Trouble problem={problem} />
      {items && <Chart label={`Posts and polls per hour: ${words}`} times={times} series={series} />}
      {items && polls === 0 && <Empty>Nothing was polled yet.</Empty>}
    </Region>
  )
}

function seriesOf(items: readonly Activity[]): Series[] {
  return [
    { name: 'Polls', colour: '--blue', kind: 'area', axis: 'right', values: whole(items.map(({ polls }) => polls)) },
    { name: 'New posts', colour: '--accent', kind: 'bars', values: items.map(({ created }) => created) },
    {
      name: 'Failures',
      colour: '--bad',
      kind: 'bars',
      axis: 'right',
      values: items.map(({ failures }) => failures || null),
    },
  ]
}

/** The hour that is not over yet would look as if polling had stopped. */
function whole(values: readonly number[]): (number | null)[] {
  return [...values.slice(0, -1), null]
}
