// The last daily summary: what a day brought, what began to need a person, and what recovered.
import type { Page, SummaryView } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { type Podcast, userPath } from '../../frame/podcasts.ts'
import { Empty, Region, Trouble } from '../../parts/small.tsx'
import { count, inFull } from '../../parts/time.tsx'

const SHOWN = 3

export function DailySummary({ podcast }: { readonly podcast: Podcast }) {
  const { data, problem } = useAnswer<Page<SummaryView>>(`${userPath(podcast.userId)}/summaries?limit=1`, {
    when: ({ type }) => type === 'summary.daily',
  })
  const summary = data?.items[0]
  return (
    <Region title="Daily summary" actions={summary && <span class="soft">{dayOf(summary.until)}</span>}>
      <Trouble problem={problem} />
      {data && !summary && <Empty>The first one is written when a day is over.</Empty>}
      {summary && <Summary summary={summary} />}
    </Region>
  )
}

function Summary({ summary }: { readonly summary: SummaryView }) {
  const { totals, disabled, opened, quiet, gapped, recovered, more, from, until } = summary
  const groups = [
    { name: 'Disabled', items: disabled.map(({ url, sourceId }) => link(url, sourceId)) },
    { name: 'Left alone', items: opened.map(({ host }) => ({ text: host, path: laneOf(host) })) },
    { name: 'Quiet', items: quiet.map(({ url, sourceId }) => link(url, sourceId)) },
    { name: 'May have missed entries', items: gapped.map(({ url, sourceId }) => link(url, sourceId)) },
    { name: 'Recovered', items: recovered.map(({ what, sourceId }) => link(what ?? 'our own connection', sourceId)) },
  ].filter(({ items }) => items.length > 0)
  return (
    <div class="summary" title={`${inFull(from)} to ${inFull(until)}`}>
      <p>
        <b>{count(totals.posts, 'new post')}</b> from {count(totals.polls, 'poll')}
        {totals.failures > 0 ? `, ${totals.failures.toLocaleString('en')} of them failed` : ', none failed'}.
      </p>
      {groups.length === 0 && <p class="soft">Nothing began to need you.</p>}
      <dl>
        {groups.map(({ name, items }) => (
          <div key={name}>
            <dt>{name}</dt>
            {items.slice(0, SHOWN).map(({ text, path }) => (
              <dd key={text}>{path ? <a href={path}>{text}</a> : text}</dd>
            ))}
            {items.length > SHOWN && <dd class="soft">and {items.length - SHOWN} more</dd>}
          </div>
        ))}
      </dl>
      {more > 0 && <p class="soft">{count(more, 'more incident')}</p>}
    </div>
  )
}

function link(url: string, sourceId: string | null): { text: string; path: string | null } {
  const text = url.replace(/^https?:\/\/(www\.)?/, '')
  return { text, path: sourceId === null ? null : `/sources/${encodeURIComponent(sourceId)}` }
}

function laneOf(host: string): string {
  return `/lanes?host=${encodeURIComponent(host)}`
}

const HALF_A_DAY_MS = 43_200_000

/** It is written when the day is over, in UTC, so the day is the one before. */
function dayOf(until: string): string {
  const day = new Date(Date.parse(until) - HALF_A_DAY_MS)
  return day.toLocaleDateString(undefined, { weekday: 'long', month: 'short', day: 'numeric', timeZone: 'UTC' })
}
