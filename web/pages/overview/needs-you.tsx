// What needs a person, each with one sentence and its fix. What mends itself stands below, and says when.
import type { StatusView } from '../../api/types.ts'
import type { Podcast } from '../../frame/podcasts.ts'
import { Region } from '../../parts/small.tsx'
import { inFull } from '../../parts/time.tsx'
import { HostTrouble } from './host-trouble.tsx'
import { SourceTrouble } from './source-trouble.tsx'
import type { TroubleGroup, Troubles } from './troubles.ts'

const SHOWN = 5

interface Props {
  readonly podcast: Podcast
  readonly status: StatusView | null
  readonly troubles: Troubles
}

export function NeedsYou({ podcast, status, troubles }: Props) {
  const { isKnown, needs, mends, count, reload } = troubles
  return (
    <Region title="Needs you" class={isKnown && count === 0 ? 'fine' : ''}>
      {!isKnown && count === 0 && <p class="loading">Loading</p>}
      {isKnown && count === 0 && <p class="all-well">{mends.length === 0 ? ALL_WELL : NOTHING_TO_DO}</p>}
      <ul class="troubles">
        <OwnTrouble status={status} />
        {needs.map((group) => (
          <Group key={group.all.name} {...{ group, podcast, reload }} />
        ))}
      </ul>
      {mends.length > 0 && (
        <>
          <h3 class="mends">Nothing to do for now</h3>
          <ul class="troubles">
            {mends.map((group) => (
              <Group key={group.all.name} {...{ group, podcast, reload }} />
            ))}
          </ul>
        </>
      )}
    </Region>
  )
}

const ALL_WELL = 'All is well: every source answers, and no host asked to be left alone.'
const NOTHING_TO_DO = 'Nothing needs you. What is below mends itself, or was switched off by a person.'

interface GroupProps {
  readonly group: TroubleGroup
  readonly podcast: Podcast
  reload(): Promise<void>
}

function Group({ group: { hosts, sources, all }, podcast, reload }: GroupProps) {
  return (
    <>
      {hosts.slice(0, SHOWN).map((host) => (
        <HostTrouble key={host.host} host={host} podcast={podcast} onDone={reload} />
      ))}
      {sources.slice(0, SHOWN).map((source) => (
        <SourceTrouble key={source.id} source={source} podcast={podcast} onDone={reload} />
      ))}
      {hosts.length + sources.length > SHOWN && (
        <li class="more">
          <a href={all.path}>{all.name}</a>
        </li>
      )}
    </>
  )
}

/** What is wrong here, not with a source. */
function OwnTrouble({ status }: { readonly status: StatusView | null }) {
  return (
    <>
      {status?.outage && (
        <li class="trouble outage">
          <div>
            <b>Our own connection seems to be down</b>
            <p>
              Scheduled polling pauses since {inFull(status.outage.since)}. One probe a minute goes out, and the first
              answer resumes everything. Check the network of this machine.
            </p>
          </div>
        </li>
      )}
      {status?.clockDoubtedSince && (
        <li class="trouble outage">
          <div>
            <b>The clock of this machine may be wrong</b>
            <p>
              It jumped by days at {inFull(status.clockDoubtedSince)}. Nothing is deleted by age until two hosts state
              the same time, or for a day. Check the date of this machine.
            </p>
          </div>
        </li>
      )}
    </>
  )
}
