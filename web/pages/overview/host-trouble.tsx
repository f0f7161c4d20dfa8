// A host that is left alone for now: it asked for that, or its breaker is open.
import { call } from '../../api/call.ts'
import type { HostView, Page, SourceView } from '../../api/types.ts'
import { type Podcast, podcasts } from '../../frame/podcasts.ts'
import { ActionButton } from '../../parts/action.tsx'
import { count, fromNow, useNow } from '../../parts/time.tsx'
import { tellPoll } from '../adding/add-source.ts'

interface Props {
  readonly host: HostView
  readonly podcast: Podcast
  /** The list is read again. Until it shows what was done, the button is busy. */
  onDone(): Promise<void>
}

export function HostTrouble({ host, podcast, onDone }: Props) {
  const now = useNow()
  const lane = `/lanes?host=${encodeURIComponent(host.host)}`
  const ask = async () => {
    await askAgain(host.host, podcast)
    await onDone()
  }
  return (
    <li class="trouble host">
      <div>
        <a href={lane}>{host.host}</a> <span class="health waiting">left alone</span>
        <p>
          {count(host.sources, 'source')}: {waitingWords(host)}, asked again {fromNow(host.nextSlotAt, now)}.
        </p>
      </div>
      {host.breaker.state !== 'closed' ? (
        <ActionButton work={ask} label={`Ask again now (${host.host})`}>
          Ask again now
        </ActionButton>
      ) : (
        // It asked for this itself, so there is nothing to press: polling goes on by itself when the time is over.
        <a class="button" href={lane} aria-label={`See its lane (${host.host})`}>
          See its lane
        </a>
      )}
    </li>
  )
}

export function waitingWords({ breaker, breakerWindow, notBeforeReason }: HostView): string {
  if (breaker.state === 'closed') return notBeforeReason ?? 'it asked to wait'
  const last = breakerWindow.at(-1)?.failure
  return `${count(breaker.failures, 'failure')} in a row${last ? ` (${last})` : ''}`
}

/**
 * Polls one source of the host. With an open breaker that poll is the probe: if it succeeds, the breaker closes and the
 * failures of all sources of the host are cleared. A reset would do neither, and needs admin rights.
 */
async function askAgain(host: string, first: Podcast): Promise<void> {
  const others = (podcasts.get() ?? []).filter(({ path }) => path !== first.path)
  for (const { path } of [first, ...others]) {
    const { items } = await call<Page<SourceView>>('GET', `${path}/sources?${new URLSearchParams({ host })}`)
    const [source] = items
      .filter(({ enabled }) => enabled)
      .sort((a, b) => Date.parse(a.lastPolled ?? '') - Date.parse(b.lastPolled ?? ''))
    if (!source) continue
    const poll = `${path}/sources/${encodeURIComponent(source.id)}/poll?wait=true`
    return tellPoll(await call('POST', poll), `Asked ${host} again`)
  }
  throw new Error(`No enabled source of yours is on ${host}, so there is nothing to ask it for.`)
}
