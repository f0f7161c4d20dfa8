// Everything that is not as it should be, parted into what needs a person and what mends itself or was wished.
import type { HostView, Page, SourceView, StatusView } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { Podcast } from '../../frame/podcasts.ts'

/** More than are shown, because those of a host that is left alone are told with their host. */
const ASKED = 30
const CHANGES = /^(poll\.finished|source\.|host\.|outage\.)/
/** A source that failed less often is most likely back at the next poll. */
const FAILS_FOR_LONG = 3

/** Things of one kind, and where all of them are listed. */
export interface TroubleGroup {
  readonly hosts: readonly HostView[]
  readonly sources: readonly SourceView[]
  readonly all: { readonly name: string; readonly path: string }
}

export interface Troubles {
  readonly isKnown: boolean
  readonly needs: readonly TroubleGroup[]
  readonly mends: readonly TroubleGroup[]
  /** How many need a person. */
  readonly count: number
  /** There may be more than these. */
  readonly isCut: boolean
  reload(): Promise<void>
}

export function useTroubles(podcast: Podcast, status: StatusView | null): Troubles {
  const options = { everyMs: 30_000, when: ({ type }: { type: string }) => CHANGES.test(type) }
  const sources = `${podcast.path}/sources?limit=${ASKED}&health=`
  const disabled = useAnswer<Page<SourceView>>(`${sources}disabled`, options)
  const failing = useAnswer<Page<SourceView>>(`${sources}failing`, options)
  const quiet = useAnswer<Page<SourceView>>(`${sources}quiet`, options)
  const hosts = useAnswer<Page<HostView>>('/hosts?waiting=true&limit=50', options)
  const lists = [failing, disabled, quiet, hosts]
  // A host whose sources are gone is asked for nothing, so it troubles nobody.
  const waiting = (hosts.data?.items ?? []).filter(({ sources }) => sources > 0)
  const alone = new Set(waiting.map(({ host }) => host))
  const fail = (failing.data?.items ?? []).filter(({ lane }) => lane === null || !alone.has(lane))
  const off = disabled.data?.items ?? []
  const needs = [
    ofHosts(waiting.filter(({ breaker }) => breaker.state !== 'closed')),
    ofSources(
      'disabled',
      off.filter(({ disabledReason }) => disabledReason !== null),
    ),
    ofSources(
      'failing',
      fail.filter(({ consecutiveFailures }) => consecutiveFailures >= FAILS_FOR_LONG),
    ),
    ofSources('quiet', quiet.data?.items ?? []),
  ]
  const mends = [
    ofHosts(waiting.filter(({ breaker }) => breaker.state === 'closed')),
    ofSources(
      'failing',
      fail.filter(({ consecutiveFailures }) => consecutiveFailures < FAILS_FOR_LONG),
    ),
    ofSources(
      'disabled',
      off.filter(({ disabledReason }) => disabledReason === null),
    ),
  ]
  const own = (status?.outage ? 1 : 0) + (status?.clockDoubtedSince ? 1 : 0)
  return {
    isKnown: lists.every(({ data }) => data !== null),
    ...{ needs: needs.filter(hasAny), mends: mends.filter(hasAny) },
    count: needs.reduce((sum, group) => sum + group.hosts.length + group.sources.length, own),
    isCut: [failing, disabled, quiet].some(({ data }) => data?.nextCursor) || hosts.data?.nextCursor != null,
    async reload() {
      await Promise.all(lists.map((list) => list.reload()))
    },
  }
}

function ofHosts(hosts: readonly HostView[]): TroubleGroup {
  return { hosts, sources: [], all: { name: 'All hosts that are left alone for now', path: '/lanes' } }
}

function ofSources(health: string, sources: readonly SourceView[]): TroubleGroup {
  return { hosts: [], sources, all: { name: `All ${health} sources`, path: `/sources?health=${health}` } }
}

function hasAny({ hosts, sources }: TroubleGroup): boolean {
  return hosts.length + sources.length > 0
}
