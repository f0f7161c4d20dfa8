// The polls as they happen. It begins with the last ones, where the server can list them.
import { useEffect, useState } from 'preact/hooks'
import { onEvent } from '../../api/live.ts'
import type { LiveEvent, Page, PollOfSource } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty, Region } from '../../parts/small.tsx'
import { durationWords, When } from '../../parts/time.tsx'

const SHOWN = 10

interface Line {
  readonly key: string
  readonly at: string
  readonly sourceId: string
  readonly url: string
  readonly outcome: string
  readonly created: number
  readonly durationMs: number
  readonly notModified: boolean
  readonly reason: string | null
}

/** A poll that is both listed and told of ended at about the same time. */
const SAME_END_MS = 1500

export function LivePolls() {
  const { data } = useAnswer<Page<PollOfSource>>(`/polls?limit=${SHOWN}`)
  const [told, setTold] = useState<readonly Line[]>([])
  useEffect(
    () =>
      onEvent((event) => {
        if (event.type === 'poll.finished') setTold((before) => [lineOfEvent(event), ...before].slice(0, SHOWN))
      }),
    [],
  )
  const listed = (data?.items ?? []).map(lineOfPoll)
  const lines = [...told.filter((line) => !listed.some((other) => isSamePoll(line, other))), ...listed]
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .slice(0, SHOWN)
  return (
    <Region title="Right now">
      {lines.length === 0 && <Empty>The next poll appears here as it ends.</Empty>}
      <ol class="stream">
        {lines.map((line) => (
          <li key={line.key} class={line.outcome}>
            <span class="dot" aria-hidden="true" />
            <a href={`/sources/${encodeURIComponent(line.sourceId)}`} title={line.url}>
              {line.url.replace(/^https?:\/\//, '')}
            </a>
            <span class="when soft">
              <When at={line.at} />
            </span>
            <span class="result" title={line.reason ?? ''}>
              {resultOf(line)}
            </span>
            <span class="took soft">{durationWords(line.durationMs)}</span>
          </li>
        ))}
      </ol>
    </Region>
  )
}

function lineOfPoll(poll: PollOfSource): Line {
  return { ...poll, key: poll.id, at: new Date(Date.parse(poll.startedAt) + poll.durationMs).toISOString() }
}

function lineOfEvent(event: LiveEvent): Line {
  return {
    ...{ key: event.id, at: event.at, sourceId: event.sourceId ?? '', url: event.url ?? '' },
    ...{ outcome: event.outcome ?? '', created: event.created ?? 0, durationMs: event.durationMs ?? 0 },
    ...{ notModified: event.notModified ?? false, reason: event.reason ?? null },
  }
}

function isSamePoll(one: Line, other: Line): boolean {
  return one.sourceId === other.sourceId && Math.abs(Date.parse(one.at) - Date.parse(other.at)) < SAME_END_MS
}

function resultOf({ outcome, created, notModified }: Line): string {
  if (outcome !== 'success') return `${outcome} failure`
  return created > 0 ? `${created} new` : notModified ? 'not modified' : 'nothing new'
}
