// What needs a person, each with one sentence and its fix. What mends itself says when.

import type { HostView, Page, SourceView, StatusView } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { Podcast } from '../../frame/podcasts.ts'
import { Region } from '../../parts/small.tsx'
import { inFull } from '../../parts/time.tsx'
import { HostTrouble } from './host-trouble.tsx'
import { SourceTrouble } from './source-trouble.tsx'

const SHOWN = 5
/** More than are shown, because those of a host that is left alone are told with their host. */
const ASKED = 30
const CHANGES = /^(poll\.finished|source\.|host\.|outage\.)/

export function NeedsYou({ podcast, status }: { readonly podcast: Podcast; readonly status: StatusView | null }) {
  const options = { everyMs: 30_000, when: ({ type }: { type: string }) => CHANGES.test(type) }
  const sources = `${podcast.path}/sources?limit=${ASKED}&health=`
  const disabled = useAnswer<Page<SourceView>>(`${sources}disabled`, options)
  const failing = useAnswer<Page<SourceView>>(`${sources}failing`, options)
  const quiet = useAnswer<Page<SourceView>>(`${sources}quiet`, options)
  const hosts = useAnswer<Page<HostView>>('/hosts?waiting=true&limit=50', options)
  const waiting = hosts.data?.items ?? []
  const alone = new Set(waiting.map(({ host }) => host))
  const groups: readonly [string, readonly SourceView[]][] = [
    ['failing', (failing.data?.items ?? []).filter(({ lane }) => lane === null || !alone.has(lane))],
    ['disabled', disabled.data?.items ?? []],
    ['quiet', quiet.data?.items ?? []],
  ]
  const reload = async () => {
    await Promise.all([failing, disabled, quiet, hosts].map((list) => list.reload()))
  }
  const isKnown = failing.data !== null && hosts.data !== null
  const troubles = waiting.length + groups.flatMap(([, sources]) => sources).length
  const isFine = isKnown && troubles === 0 && !status?.outage && !status?.clockDoubtedSince
  return (
    <Region title="Needs you" class={isFine ? 'fine' : ''}>
      {isFine && <p class="all-well">All is well: every source answers, and no host asked to be left alone.</p>}
      <ul class="troubles">
        <OwnTrouble status={status} />
        {waiting.slice(0, SHOWN).map((host) => (
          <HostTrouble key={host.host} host={host} podcast={podcast} onDone={reload} />
        ))}
        {groups.map(([health, sources]) => (
          <>
            {sources.slice(0, SHOWN).map((source) => (
              <SourceTrouble key={source.id} source={source} podcast={podcast} onDone={reload} />
            ))}
            {sources.length > SHOWN && (
              <li class="more">
                <a href={`/sources?health=${health}`}>All {health} sources</a>
              </li>
            )}
          </>
        ))}
      </ul>
      {waiting.length > SHOWN && <a href="/lanes">All hosts that are left alone for now</a>}
    </Region>
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
