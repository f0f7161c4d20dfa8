// The last polls and the posts by day of the sources on the screen. They are asked for row by row, a few at a time, and
// only for rows that stay on the screen for a moment.
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { onEvent } from '../../api/live.ts'
import type { Activity, Listed, Page, PollView } from '../../api/types.ts'

export interface RowFacts {
  readonly polls: readonly PollView[]
  readonly days: readonly Activity[]
}

const AT_ONCE = 4
const STAY_MS = 120
const MAX_KEPT = 2000
const kept = new Map<string, RowFacts>()
const waiting: (() => Promise<void>)[] = []
let busy = 0

/** How many polls were told of: what was asked for before the last one is not kept. */
let polled = 0
const lastPolled = new Map<string, number>()

onEvent(({ type, sourceId }) => {
  if (type !== 'poll.finished' || !sourceId) return
  kept.delete(sourceId)
  lastPolled.set(sourceId, ++polled)
})

/** Asked again when `version` changes. */
export function useRowFacts(sourcePath: string, id: string, version: string): RowFacts | null {
  const [facts, setFacts] = useState(kept.get(id) ?? null)
  useEffect(() => {
    let isGone = false
    const timer = setTimeout(() => {
      enqueue(async () => {
        if (isGone) return
        const known = kept.get(id) ?? (await readFacts(sourcePath, id))
        if (!isGone) setFacts(known)
      })
    }, STAY_MS)
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [sourcePath, id, version])
  return facts
}

async function readFacts(sourcePath: string, id: string): Promise<RowFacts> {
  const askedAt = polled
  const [polls, days] = await Promise.all([
    call<Page<PollView>>('GET', `${sourcePath}/polls?limit=30`),
    call<Listed<Activity>>('GET', `${sourcePath}/days?days=30`).catch(() => ({ items: [] })),
  ])
  const facts = { polls: polls.items, days: days.items }
  if (kept.size >= MAX_KEPT) kept.clear()
  if ((lastPolled.get(id) ?? 0) <= askedAt) kept.set(id, facts)
  return facts
}

function enqueue(work: () => Promise<void>): void {
  waiting.push(work)
  while (busy < AT_ONCE && waiting.length > 0) void runNext()
}

async function runNext(): Promise<void> {
  const work = waiting.shift()
  if (!work) return
  busy++
  try {
    await work()
  } catch {
    // A row without its last polls is still a row.
  }
  busy--
  void runNext()
}
