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
/** Thousands of hosts are read less often; events tell of their polls meanwhile. */
const REFRESH_MS_PER_HOST = 12
const GATHER_MS = 500

interface Reading {
  readonly podcast: Podcast
  readonly spanMs: number
  /** Another zoom or page needs none of it any more. */
  readonly signal: AbortSignal
  /** Shows what is known already, while the rest is still read for the first time. */
  show(part: Partial<Known>): void
}

interface Known {
  readonly hosts: readonly HostView[]
  readonly visits: ReadonlyMap<string, readonly Visit[]>
  /** null until it was read. */
  readonly planned: ReadonlyMap<string, readonly number[]> | null
  readonly notes: readonly string[]
  readonly problems: readonly ApiProblem[]
  readonly isWhole: boolean
}

const NOTHING: Known = { hosts: [], visits: new Map(), planned: null, notes: [], problems: [], isWhole: false }

export function useLanes(podcast: Podcast, spanMs: number) {
  const [known, setKnown] = useState<Known | null>(null)
  const live = useRef<readonly LiveEvent[]>([])
  const [, setTick] = useState(0)

  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    let timer = 0
    // What was read completely before stays until it was read again.
    const show = (part: Partial<Known>) => {
      if (!signal.aborted) setKnown((before) => (before?.isWhole ? before : { ...(before ?? NOTHING), ...part }))
    }
    const read = async () => {
      const next = await readAll({ podcast, spanMs, signal, show })
      if (signal.aborted) return
      setKnown(next)
      timer = setTimeout(read, Math.max(REFRESH_MS, next.hosts.length * REFRESH_MS_PER_HOST))
    }
    void read()
    return () => {
      leaving.abort()
      clearTimeout(timer)
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
  const { problems, notes, isWhole } = known ?? NOTHING
  return { lanes, problems, notes, isWhole }
}

async function readAll(reading: Reading): Promise<Known> {
  const problems: ApiProblem[] = []
  const notes: string[] = []
  const attempt = async <T>(what: string, nothing: T, work: () => Promise<T>): Promise<T> => {
    try {
      const read = await work()
      reportReached()
      return read
    } catch (error) {
      if (reading.signal.aborted) return nothing
      const problem = asProblem(error)
      reportProblem(problem)
      if (what === 'hosts') problems.push(problem)
      else notes.push(`The picture has no ${what}, because this Tidings cannot list them.`)
      return nothing
    }
  }
  const [hosts, visits, planned] = await Promise.all([
    attempt('hosts', [], () => readHosts(reading)),
    attempt('past requests', new Map(), () => readVisits(reading, notes)),
    attempt('planned polls', new Map(), () => readPlanned(reading, notes)),
  ])
  return { hosts, visits, planned, notes, problems, isWhole: true }
}

/** Those that are left alone stand first in the picture, so they are read first. */
async function readHosts({ signal, show }: Reading): Promise<HostView[]> {
  const waiting = await call<Page<HostView>>('GET', '/hosts?waiting=true&limit=500', undefined, { signal })
  const known = new Set(waiting.items.map(({ host }) => host))
  const hosts: HostView[] = [...waiting.items]
  for await (const page of eachPage<HostView>('/hosts', {}, { signal })) {
    hosts.push(...page.filter(({ host }) => !known.has(host)))
    show({ hosts: [...hosts] })
    if (hosts.length >= MAX_HOSTS) break
  }
  return hosts
}

async function readVisits({ spanMs, signal, show }: Reading, notes: string[]): Promise<Map<string, Visit[]>> {
  const since = new Date(Date.now() - spanMs).toISOString()
  const polls: PollOfSource[] = []
  for await (const page of eachPage<PollOfSource>('/polls', { since }, { signal })) {
    polls.push(...page)
    if (polls.length < MAX_VISITS) continue
    notes.push(`The picture shows the last ${polls.length.toLocaleString('en')} polls; there were more in this time.`)
    break
  }
  const visits = Map.groupBy(
    polls.toReversed().map((poll) => ({ ...visitOfPoll(poll), host: poll.lane ?? poll.host ?? '' })),
    ({ host }) => host,
  )
  show({ visits })
  return visits
}

async function readPlanned(
  { podcast, spanMs, signal, show }: Reading,
  notes: string[],
): Promise<Map<string, number[]>> {
  const until = Date.now() + spanMs
  const planned: { host: string; at: number }[] = []
  let cursor: string | null = null
  do {
    const path = withQuery(`${podcast.path}/sources`, { sort: 'nextPollAt', limit: 500, cursor })
    const page: Page<SourceView> = await call('GET', path, undefined, { signal })
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
  const times = new Map([...byHost].map(([host, of]) => [host, of.map(({ at }) => at)]))
  show({ planned: times })
  return times
}

/** Hosts that are left alone come first, then the busiest. */
function lanesOf({ hosts, visits, planned }: Known, events: readonly LiveEvent[]): Lane[] {
  const fresh = Map.groupBy(events, ({ lane, host }) => lane ?? host ?? '')
  const lanes = hosts.map((host): Lane => {
    const past = visits.get(host.host) ?? []
    const last = past.at(-1)?.to ?? 0
    const now = (fresh.get(host.host) ?? []).map(visitOfEvent).filter(({ from }) => from > last)
    return { host, visits: [...past, ...now], planned: planned ? (planned.get(host.host) ?? []) : null }
  })
  const rank = ({ host }: Lane) => (isLeftAlone(host) ? 1e9 : 0) + host.lastDay.requests
  return lanes.sort((a, b) => rank(b) - rank(a) || (a.host.host < b.host.host ? -1 : 1))
}
