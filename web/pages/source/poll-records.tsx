// The records of the last polls, with what each rule dropped.
import { useState } from 'preact/hooks'
import type { Page, PollView } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { ScrollSideways } from '../../parts/scroll-sideways.tsx'
import { Region } from '../../parts/small.tsx'
import { bytesWords, durationWords, When } from '../../parts/time.tsx'

/** The rules, in words. */
const RULES: Readonly<Record<string, string>> = {
  unreadable: 'unreadable',
  filtered: 'filtered by category',
  notNew: 'known already',
  late: 'published out of order',
  tooOld: 'too old',
  beforeCreated: 'from before it was added',
  edited: 'edited',
  duplicate: 'duplicate',
}

/** Why a poll was made, in words. Most are made as planned, which needs none. */
const TRIGGERS: Readonly<Record<string, string>> = {
  ...{ tick: '', manual: 'by hand', create: 'when it was added', probe: 'as a probe' },
}

const FEW = 8
const MORE = 50

export function PollRecords({ path, id }: { readonly path: string; readonly id: string }) {
  const [limit, setLimit] = useState(FEW)
  const { data } = useAnswer<Page<PollView>>(`${path}/polls?limit=${limit}`, {
    when: ({ sourceId }) => sourceId === id,
  })
  const hasMore = limit === FEW && data?.nextCursor
  return (
    <Region title="Poll records">
      <ScrollSideways name="Table of polls">
        <table class="records">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Outcome</th>
              <th scope="col">Status</th>
              <th scope="col">Took</th>
              <th scope="col">Size</th>
              <th scope="col">New</th>
              <th scope="col">Dropped</th>
            </tr>
          </thead>
          <tbody>
            {data?.items.map((poll) => (
              <PollRow key={poll.id} poll={poll} />
            ))}
          </tbody>
        </table>
      </ScrollSideways>
      {hasMore && (
        <button type="button" class="link" onClick={() => setLimit(MORE)}>
          Show the last {MORE}
        </button>
      )}
    </Region>
  )
}

function PollRow({ poll }: { readonly poll: PollView & { readonly gap?: boolean } }) {
  const { outcome, httpStatus, notModified, created, found, reason, gap } = poll
  return (
    <tr>
      <td>
        <When at={poll.startedAt} /> <span class="soft">{TRIGGERS[poll.trigger] ?? poll.trigger}</span>
      </td>
      <td>
        <span class={`health ${outcome === 'success' ? 'ok' : outcome === 'permanent' ? 'disabled' : 'failing'}`}>
          {outcome}
        </span>
        {reason && <span class="reason">{reason}</span>}
      </td>
      <td class="figure">{notModified && httpStatus !== 304 ? `${httpStatus}, unchanged` : (httpStatus ?? '–')}</td>
      <td class="figure">{durationWords(poll.durationMs)}</td>
      <td class="figure">{bytesWords(poll.bytes)}</td>
      <td class="figure">
        {notModified ? '–' : `${created} of ${found}`}
        {gap && (
          <span class="health failing" title="All entries were new: some may have been missed.">
            gap
          </span>
        )}
      </td>
      <td>{droppedWords(poll.skipped) || '–'}</td>
    </tr>
  )
}

function droppedWords(skipped: Readonly<Record<string, number>>): string {
  return Object.entries(skipped)
    .filter(([, times]) => times > 0)
    .map(([rule, times]) => `${times} ${RULES[rule] ?? rule}`)
    .join(', ')
}
