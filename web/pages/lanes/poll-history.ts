// The polls behind the picture, newest first, read as far back as somebody looked. A longer zoom goes on where the last
// one ended, and a shorter one asks for nothing: to read everything again at each zoom took megabytes, and the picture
// waited for them.
import { call, withQuery } from '../../api/call.ts'
import type { Page, PollOfSource } from '../../api/types.ts'
import { createTurns } from './in-turn.ts'
import type { LaneVisit } from './lane.ts'
import { visitOfPoll } from './visits.ts'

const MAX_VISITS = 8000
const PAGE = 500
/** Older polls are on no picture. */
const OLDEST_MS = 24 * 3_600_000

export interface PollHistory {
  visits(): readonly LaneVisit[]
  /** More polls were made since then than a picture can show. */
  isCutSince(since: number): boolean
  reachBack(since: number): Promise<void>
  readNewest(): Promise<void>
}

export function createPollHistory(signal: AbortSignal, onRead: () => void): PollHistory {
  const inTurn = createTurns()
  const oldest = new Date(Date.now() - OLDEST_MS).toISOString()
  let visits: readonly LaneVisit[] = []
  let cursor: string | null = null
  let isWhole = false
  let wanted = Number.POSITIVE_INFINITY
  const readPage = (at: string | null) =>
    call<Page<PollOfSource>>('GET', withQuery('/polls', { limit: PAGE, since: oldest, cursor: at }), undefined, {
      signal,
    })
  const reaches = (since: number) => isWhole || (visits.at(-1)?.from ?? Number.POSITIVE_INFINITY) < since
  const take = (next: readonly LaneVisit[], following: string | null) => {
    visits = next
    cursor = following
    isWhole = following === null
    onRead()
  }

  async function readOn(): Promise<void> {
    while (!reaches(wanted) && visits.length < MAX_VISITS) {
      const page = await readPage(cursor)
      take([...visits, ...page.items.map(visitOfPoll)], page.nextCursor)
    }
  }

  /** A poll that took long is recorded among older ones, so pages are read until one ends with a known poll. */
  async function readNewest(): Promise<void> {
    if (visits.length === 0) return readOn()
    const known = new Set(visits.map(({ id }) => id))
    const fresh: LaneVisit[] = []
    let following: string | null = null
    do {
      const page = await readPage(following)
      fresh.push(...page.items.filter(({ id }) => !known.has(id)).map(visitOfPoll))
      following = known.has(page.items.at(-1)?.id ?? '') ? null : page.nextCursor
    } while (following !== null && fresh.length < MAX_VISITS)
    // Between the fresh ones and those of before polls may be missing.
    if (following !== null) return take(fresh, following)
    const all = [...fresh, ...visits].sort((a, b) => b.from - a.from)
    if (all.length > 2 * MAX_VISITS) return take(all.slice(0, MAX_VISITS), cursor ?? 'cut')
    visits = all
    onRead()
  }

  return {
    visits: () => visits,
    isCutSince: (since) => !reaches(since) && visits.length >= MAX_VISITS,
    reachBack(since) {
      wanted = since
      return inTurn(readOn)
    },
    readNewest: () => inTurn(readNewest),
  }
}
