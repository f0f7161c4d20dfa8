// A source that fails, is disabled or went quiet, with why and what to do.
import { call } from '../../api/call.ts'
import type { SourceView } from '../../api/types.ts'
import { tell } from '../../frame/notices.tsx'
import type { Podcast } from '../../frame/podcasts.ts'
import { ActionButton } from '../../parts/action.tsx'
import { Health, nameOf } from '../../parts/small.tsx'
import { fromNow, inFull } from '../../parts/time.tsx'
import { tellPoll } from '../adding/add-source.ts'

interface Props {
  readonly source: SourceView
  readonly podcast: Podcast
  /** The list is read again. Until it shows what was done, the button is busy. */
  onDone(): Promise<void>
}

export function SourceTrouble({ source, podcast, onDone }: Props) {
  const name = nameOf(source)
  const path = `${podcast.path}/sources/${encodeURIComponent(source.id)}`
  const enable = async () => {
    await call('PATCH', path, { enabled: true })
    tell('good', `Enabled ${name}. It is polled again now.`)
    await onDone()
  }
  const poll = async () => {
    tellPoll(await call('POST', `${path}/poll?wait=true`), `Polled ${name}`)
    await onDone()
  }
  return (
    <li class={`trouble ${source.health}`}>
      <div>
        <a href={`/sources/${encodeURIComponent(source.id)}`} dir="auto">
          {name}
        </a>{' '}
        <Health health={source.health} />
        <p>{sentenceOf(source)}</p>
      </div>
      {source.health === 'disabled' ? (
        <ActionButton work={enable} label={`Enable (${name})`}>
          Enable
        </ActionButton>
      ) : (
        <ActionButton work={poll} label={`Poll now (${name})`}>
          Poll now
        </ActionButton>
      )}
    </li>
  )
}

function sentenceOf(source: SourceView): string {
  const { health, disabledReason, lastFailureReason, consecutiveFailures, nextPollAt, quietSince } = source
  if (health === 'disabled') return withEnd(disabledReason ?? 'Disabled by a person')
  if (health === ('quiet' as string))
    return `It answers, but has published nothing for longer than usual${quietSince ? `, since ${inFull(quietSince)}` : ''}.`
  const times = consecutiveFailures === 1 ? 'The last poll failed' : `${consecutiveFailures} polls in a row failed`
  const next = nextPollAt ? ` Next try ${fromNow(nextPollAt)}.` : ''
  return `${times}: ${withEnd(lastFailureReason ?? 'no reason was recorded')}${next}`
}

function withEnd(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
