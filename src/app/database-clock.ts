// The time of the database server, for processes that share a store: the instants that they compare come from one clock,
// however much the clocks of their machines differ. Between two questions to the server a timer that nobody can set counts
// on, so a machine whose clock is corrected does not jump.
// See docs/decisions/0156-processes-use-the-time-of-the-database.md
import { performance } from 'node:perf_hooks'
import type { Clock } from '../ports/clock.ts'

const ASK_EVERY_MS = 5_000
/** A smaller difference may come from the way of the answer. */
const TOLERANCE_MS = 20

export interface DatabaseClock extends Clock {
  close(): void
}

export async function databaseClock(askTime: () => Promise<number>, sleep: Clock['sleep']): Promise<DatabaseClock> {
  let base: number | null = null
  const sync = async (): Promise<void> => {
    const askedAt = performance.now()
    const told = await askTime()
    const tookMs = performance.now() - askedAt
    const next = told + tookMs / 2 - performance.now()
    if (base === null || Math.abs(next - base) > TOLERANCE_MS + tookMs / 2) base = next
  }
  await sync()
  const timer = setInterval(() => void sync().catch(() => {}), ASK_EVERY_MS).unref()
  return {
    now: () => Math.floor((base ?? 0) + performance.now()),
    sleep,
    close: () => clearInterval(timer),
  }
}
