// Reads what the lanes show, and keeps it live: hosts from the list of hosts, past visits from the records of polls and
// then from events, planned ones from the sources that are due next. Another zoom draws what is known at once, and asks
// only for what is missing.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiProblem } from '../../api/call.ts'
import { onEvent, onLiveAgain } from '../../api/live.ts'
import type { LiveEvent } from '../../api/types.ts'
import { asProblem } from '../../api/use-answer.ts'
import { reportProblem, reportReached } from '../../frame/connection.ts'
import type { Podcast } from '../../frame/podcasts.ts'
import { createHostList } from './host-list.ts'
import { type Lane, timeRange } from './lane.ts'
import { createLaneMaker } from './lanes-of.ts'
import { createPlanAhead } from './plan-ahead.ts'
import { createPollHistory } from './poll-history.ts'

const REFRESH_MS = 20_000
/** Thousands of hosts are read less often; events tell of their polls meanwhile. */
const REFRESH_MS_PER_HOST = 12
const GATHER_MS = 500
const MAX_EVENTS = 2000

interface Lanes {
  readonly lanes: readonly Lane[]
  readonly problem: ApiProblem | null
  readonly notes: readonly string[]
  /** All hosts are known. */
  readonly isWhole: boolean
}

export function useLanes(podcast: Podcast, spanMs: number): Lanes {
  const [, rerender] = useState({})
  const reader = useRef<Reader | null>(null)
  reader.current ??= createReader(podcast, () => rerender({}))
  const { start, lookAt, lanes } = reader.current
  useEffect(start, [start])
  useEffect(() => lookAt(spanMs), [lookAt, spanMs])
  return lanes(spanMs)
}

interface Reader {
  /** Returns a function that ends it. */
  start(): () => void
  lookAt(spanMs: number): void
  lanes(spanMs: number): Lanes
}

function createReader(podcast: Podcast, onChange: () => void): Reader {
  const leaving = new AbortController()
  const hosts = createHostList(leaving.signal, onChange)
  const history = createPollHistory(leaving.signal, onChange)
  const plans = createPlanAhead(podcast.path, leaving.signal, onChange)
  const makeLanes = createLaneMaker()
  const troubles = new Map<string, ApiProblem>()
  let events: readonly LiveEvent[] = []
  let timer = 0

  /** What was known stays on the page when it cannot be read again. */
  async function attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
      reportReached()
      troubles.delete(what)
    } catch (error) {
      if (leaving.signal.aborted) return
      troubles.set(what, asProblem(error))
      reportProblem(asProblem(error))
    }
    onChange()
  }

  async function refresh(): Promise<void> {
    clearTimeout(timer)
    await Promise.all([
      attempt('hosts', hosts.read),
      attempt('past requests', history.readNewest),
      attempt('planned polls', plans.readAgain),
    ])
    clearTimeout(timer)
    if (!leaving.signal.aborted)
      timer = setTimeout(refresh, Math.max(REFRESH_MS, hosts.hosts().length * REFRESH_MS_PER_HOST))
  }

  return {
    start() {
      const stops = [
        gatherPolls((polls) => {
          events = [...events, ...polls].slice(-MAX_EVENTS)
          onChange()
        }),
        onLiveAgain(() => void refresh()),
      ]
      void refresh()
      return () => {
        leaving.abort()
        clearTimeout(timer)
        for (const stop of stops) stop()
      }
    },
    lookAt(spanMs) {
      void attempt('past requests', () => history.reachBack(timeRange(Date.now(), spanMs).from))
      void attempt('planned polls', () => plans.reachAhead(Date.now() + spanMs))
    },
    lanes(spanMs) {
      const known = { hosts: hosts.hosts(), visits: history.visits(), planned: plans.planned(), events }
      const { from, to } = timeRange(Date.now(), spanMs)
      const notes = [
        ...missingNotes(troubles),
        ...(history.isCutSince(from) ? [`The picture shows the last ${words(known.visits)} polls of this time.`] : []),
        ...(plans.isCutBefore(to) ? [`The picture shows the next ${words(known.planned ?? [])} planned polls.`] : []),
      ]
      return { lanes: makeLanes(known), problem: troubles.get('hosts') ?? null, notes, isWhole: hosts.isWhole() }
    },
  }
}

/** A server that cannot be reached is told of elsewhere. */
function missingNotes(troubles: ReadonlyMap<string, ApiProblem>): string[] {
  return [...troubles]
    .filter(([what, { isPassing }]) => what !== 'hosts' && !isPassing)
    .map(([what, { message }]) => `The picture has not all ${what}: ${message}`)
}

function words(all: readonly unknown[]): string {
  return all.length.toLocaleString('en')
}

/** Where many polls end in a second, the picture is made anew twice a second, not at each of them. */
function gatherPolls(onPolls: (polls: readonly LiveEvent[]) => void): () => void {
  let timer = 0
  let gathered: LiveEvent[] = []
  const stop = onEvent((event) => {
    if (event.type !== 'poll.finished') return
    gathered.push(event)
    timer ||= setTimeout(() => {
      timer = 0
      onPolls(gathered)
      gathered = []
    }, GATHER_MS)
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}
