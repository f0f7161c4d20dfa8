// The first page: what needs a person, how much comes in, what happens right now.

import type { Page, SourceView, StatusView } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { Podcast } from '../../frame/podcasts.ts'
import { Trouble } from '../../parts/small.tsx'
import { GuidedStart } from '../adding/guided-start.tsx'
import { DropZone } from '../adding/import.tsx'
import { ActivityChart } from './activity-chart.tsx'
import { DailySummary } from './daily-summary.tsx'
import { HealthBar } from './health-bar.tsx'
import { LivePolls } from './live-polls.tsx'
import { NeedsYou } from './needs-you.tsx'
import { Processes } from './processes.tsx'
import { Totals } from './totals.tsx'
import { useTroubles } from './troubles.ts'

const CHANGES = /^(source\.|host\.|outage\.|posts\.created)/

export function OverviewPage({ podcast }: { readonly podcast: Podcast }) {
  const when = ({ type }: { type: string }) => CHANGES.test(type)
  const status = useAnswer<StatusView>(`/status?podcast=${encodeURIComponent(podcast.id)}`, { everyMs: 15_000, when })
  const any = useAnswer<Page<SourceView>>(`${podcast.path}/sources?limit=1`, { when })
  const troubles = useTroubles(podcast, status.data)
  const isEmpty = any.data?.items.length === 0
  return (
    <DropZone podcast={podcast} onImported={any.reload}>
      <div class="page-head">
        <h1>Overview</h1>
        {!isEmpty && (
          <a class="button primary" href="/sources?add=1">
            Add source
          </a>
        )}
      </div>
      <Trouble problem={status.problem} />
      {isEmpty && <GuidedStart podcast={podcast} onAdded={() => void any.reload()} />}
      {!isEmpty && (
        <div class="at-a-glance">
          <HealthBar status={status.data} troubles={troubles} />
          <Totals status={status.data} />
        </div>
      )}
      <div class="overview">
        {!isEmpty && (
          <>
            <div class="main-cards">
              <NeedsYou podcast={podcast} status={status.data} troubles={troubles} />
              <ActivityChart podcast={podcast} />
            </div>
            <div class="side-cards">
              <DailySummary podcast={podcast} />
              <LivePolls />
            </div>
          </>
        )}
        <Processes status={status.data} />
      </div>
    </DropZone>
  )
}
