// The planned polls, soonest first, read as far ahead as somebody looked.
import { call, withQuery } from '../../api/call.ts'
import type { Page, SourceView } from '../../api/types.ts'
import { nameOf } from '../../parts/small.tsx'
import { createTurns } from './in-turn.ts'
import type { PlannedPoll } from './lane.ts'

const MAX_PLANNED = 2000
const PAGE = 500

export interface PlanAhead {
  /** null until they were read for the first time. */
  planned(): readonly PlannedPoll[] | null
  isCutBefore(until: number): boolean
  reachAhead(until: number): Promise<void>
  readAgain(): Promise<void>
}

interface Reach {
  readonly planned: readonly PlannedPoll[]
  readonly cursor: string | null
}

export function createPlanAhead(podcastPath: string, signal: AbortSignal, onRead: () => void): PlanAhead {
  const inTurn = createTurns()
  let known: Reach | null = null
  let wanted = 0
  const reaches = ({ planned, cursor }: Reach, until: number) => cursor === null || (planned.at(-1)?.at ?? 0) > until

  async function readFrom(start: Reach | null): Promise<void> {
    let reach = start
    while (reach === null || (!reaches(reach, wanted) && reach.planned.length < MAX_PLANNED)) {
      const query = { sort: 'nextPollAt', limit: PAGE, cursor: reach?.cursor ?? null }
      const path = withQuery(`${podcastPath}/sources`, query)
      const page: Page<SourceView> = await call('GET', path, undefined, { signal })
      reach = { planned: [...(reach?.planned ?? []), ...page.items.flatMap(plannedOf)], cursor: page.nextCursor }
    }
    if (reach === known) return
    known = reach
    onRead()
  }

  return {
    planned: () => known?.planned ?? null,
    isCutBefore: (until) => known !== null && !reaches(known, until) && known.planned.length >= MAX_PLANNED,
    reachAhead(until) {
      wanted = until
      return inTurn(() => readFrom(known))
    },
    readAgain: () => inTurn(() => readFrom(null)),
  }
}

function plannedOf(source: SourceView): PlannedPoll[] {
  const { id, lane, host, nextPollAt } = source
  if (!nextPollAt) return []
  return [{ at: Date.parse(nextPollAt), lane: lane ?? host ?? '', sourceId: id, name: nameOf(source) }]
}
