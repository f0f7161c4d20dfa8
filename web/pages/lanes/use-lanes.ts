// Reads what the lanes show, and keeps it live: hosts from the list of hosts, past visits from the records of polls and
// then from events, planned ones from the sources that are due next.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type ApiProblem, call, eachPage, withQuery } from '../../api/call.ts'
import { onEvent } from '../../api/live.ts'
import type { HostView, LiveEvent, Page, PollOfSource, SourceView } from '../../api/types.ts'
import { asProblem } from '../../api/use-answer.ts'
import { reportProblem, reportReached } from '../../frame/connection.ts'
import type { Podcast } from '../../frame/podcasts.ts'
import { isLeftAlone, type Lane, type Visit } from './lane.ts'
import { visitOfEvent, visitOfPoll } from './visits.ts'

const MAX_HOSTS = 10_000
const MAX_VISITS = 8000
const MAX_PLANNED = 2000
const REFRESH_MS = 20_000
const GATHER_MS = 500

interface Known {
  readonly hosts: readonly HostView[]
  readonly visits: ReadonlyMap<string, readonly Visit[]>
  readonly planned: ReadonlyMap<string, readonly number[]>
  readonly notes: readonly string[]
  readonly problems: readonly ApiProblem[]
}

const NOTHING: Known = { hosts: [], visits: new Map(), planned: new Map(), notes: [], problems: [] }

export function useLanes(podcast: Podcast, spanMs: number) {
  const [known, setKnown] = useState<Known | null>(null)
  const live = useRef<readonly LiveEvent[]>([])
  const [, setTick] = useState(0)

  useEffect(() => {
    let isGone = false
    const read = async () => {
      const next = await readAll(podcast, spanMs)
      if (!isGone) setKnown(next)
    }
    void read()
    const timer = setInterval(read, REFRESH_MS)
    return () => {
      isGone = true
      clearInterval(timer)
    }
  }, [podcast, spanMs])

  useEffect(() => {
    // Where many polls end in a second, the picture is made anew twice a second, not at each of them.
    let timer = 0
    let gathered: LiveEvent[] = []
    const stop = onEvent((event) => {
      if (event.type !== 'poll.finished') return
      gathered.push(event)
      timer ||= setTimeout(() => {
        timer = 0
        live.current = [...live.current, ...gathered].slice(-2000)
        gathered = []
        setTick((before) => before + 1)
      }, GATHER_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])

  const events = live.current
  const lanes = useMemo(() => lanesOf(known ?? NOTHING, events), [known, events])
  const { problems, notes } = known ?? NOTHING
  return { lanes, problems, notes, isLoading: known === null }
}

async function readAll(podcast: Podcast, spanMs: number): Promise<Known> {
  const problems: ApiProblem[] = []
  const notes: string[] = []
  const attempt = async <T>(what: string, nothing: T, work: () => Promise<T>): Promise<T> => {
    try {
      const read = await work()
      reportReached()
      return read
    } catch (error) {
      const problem = asProblem(error)
      reportProblem(problem)
      if (what === 'hosts') problems.push(problem)
      else notes.push(`The picture has no ${what}, because this Tidings cannot list them.`)
      return nothing
    }
  }
  const [hosts, visits, planned] = await Promise.all([
    attempt('hosts', [], readHosts),
    attempt('past requests', new Map(), () => readVisits(spanMs, notes)),
    attempt('planned polls', new Map(), () => readPlanned(podcast, spanMs, notes)),
  ])
  return { hosts, visits, planned, notes, problems }
}

async function readHosts(): Promise<HostView[]> {
  const hosts: HostView[] = []
  for await (const page of eachPage<HostView>('/hosts')) {
    hosts.push(...page)
    if (hosts.length >= MAX_HOSTS) break
  }
  return hosts
}

async function readVisits(spanMs: number, notes: string[]): Promise<Map<string, Visit[]>> {
  const since = new Date(Date.now() - spanMs).toISOString()
  const polls: PollOfSource[] = []
  for await (const page of eachPage<PollOfSource>('/polls', { since })) {
    polls.push(...page)
    if (polls.length < MAX_VISITS) continue
    notes.push(`The picture shows the last ${polls.length.toLocaleString('en')} polls; there were more in this time.`)
    break
  }
  return Map.groupBy(
    polls.toReversed().map((poll) => ({ ...visitOfPoll(poll), host: poll.host ?? '' })),
    ({ host }) => host,
  )
}

async function readPlanned(podcast: Podcast, spanMs: number, notes: string[]): Promise<Map<string, number[]>> {
  const until = Date.now() + spanMs
  const planned: { host: string; at: number }[] = []
  let cursor: string | null = null
  do {
    const path = withQuery(`${podcast.path}/sources`, { sort: 'nextPollAt', limit: 500, cursor })
    const page: Page<SourceView> = await call('GET', path)
    for (const { lane, host, nextPollAt } of page.items)
      if (nextPollAt) planned.push({ host: lane ?? host ?? '', at: Date.parse(nextPollAt) })
    const isBeyond = (planned.at(-1)?.at ?? 0) > until
    cursor = isBeyond ? null : page.nextCursor
    if (planned.length >= MAX_PLANNED && cursor !== null) {
      notes.push(`The picture shows the next ${planned.length.toLocaleString('en')} planned polls.`)
      cursor = null
    }
  } while (cursor !== null)
  const byHost = Map.groupBy(planned, ({ host }) => host)
  return new Map([...byHost].map(([host, of]) => [host, of.map(({ at }) => at)]))
}

/** Hosts that are left alone come first, then the busiest. */
function lanesOf({ hosts, visits, planned }: Known, events: readonly LiveEvent[]): Lane[] {
  const fresh = Map.groupBy(events, ({ host }) => host ?? '')
  const lanes = hosts.map((host): Lane => {
    const past = visits.get(host.host) ?? []
    const last = past.at(-1)?.to ?? 0
    const now = (fresh.get(host.host) ?? []).map(visitOfEvent).filter(({ from }) => from > last)
    return { host, visits: [...past, ...now], planned: planned.get(host.host) ?? [] }
  })
  const rank = ({ host }: Lane) => (isLeftAlone(host) ? 1e9 : 0) + host.lastDay.requests
  return lanes.sort((a, b) => rank(b) - rank(a) || a.host.host.localeCompare(b.host.host))
}
