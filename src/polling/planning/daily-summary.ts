// Once a day the tick writes one event for each user with what happened since the last: also on days without news, so that
// a summary that does not come says something too.
// See docs/decisions/0157-notifiers-are-webhooks-in-words.md
import { isSummaryDue, summarise } from '../../domain/daily-summary.ts'
import type { SummaryTotals } from '../../domain/daily-summary-data.ts'
import { type NewEvent, type StoredEvent, seenBy } from '../../domain/event.ts'
import type { Store } from '../../ports/store.ts'

/** The instant of the last summary. An earlier version wrote its day only. */
const LAST = 'summarised-until-day'
const USERS_AT_ONCE = 500
/** Incidents that are looked at; a day with more has other problems than its summary. */
const MOST_INCIDENTS = 20_000

export type SummaryStore = Pick<
  Store,
  'readMeta' | 'replaceMeta' | 'listUsers' | 'totals' | 'incidentsSince' | 'hasSourceOn' | 'activityOf'
>

export async function writeDailySummaries(store: SummaryStore, now: number): Promise<void> {
  const last = await store.readMeta(LAST)
  if (last !== null && !isSummaryDue(last, now)) return
  // The first tick of all has no day behind it.
  const events = last === null ? [] : await summariesOf(store, { from: Date.parse(last), until: now })
  // Of several processes one replaces the instant, and only its events are written, with it.
  await store.replaceMeta(LAST, last, new Date(now).toISOString(), events)
}

interface Span {
  readonly from: number
  readonly until: number
}

async function summariesOf(store: SummaryStore, span: Span): Promise<NewEvent[]> {
  const incidents = await store.incidentsSince(span.from, MOST_INCIDENTS)
  const summaries: NewEvent[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<SummaryStore['listUsers']>> = await store.listUsers({ limit: USERS_AT_ONCE, cursor })
    for (const { id: userId } of page.items) {
      const data = summarise(await seenOnly(store, incidents, userId), span, await totalsOf(store, userId, span))
      const about = { userId, podcastId: null, sourceId: null, host: null }
      summaries.push({ type: 'summary.daily', at: span.until, ...about, data })
    }
    cursor = page.nextCursor
  } while (cursor !== null)
  return summaries
}

async function seenOnly(store: SummaryStore, events: readonly StoredEvent[], userId: string): Promise<StoredEvent[]> {
  const seen: StoredEvent[] = []
  for (const event of events) {
    const isAboutHost = event.userId === null && event.host !== null
    const shown = seenBy(event, userId, isAboutHost && (await store.hasSourceOn(userId, event.host)))
    if (shown) seen.push(shown)
  }
  return seen
}

async function totalsOf(store: SummaryStore, userId: string, { from, until }: Span): Promise<SummaryTotals> {
  const { sources, enabled, failing, disabled, quiet } = await store.totals({ userId, now: until })
  return { sources, enabled, failing, disabled, quiet, ...(await store.activityOf(userId, from)) }
}
