// The limit on the posts that X returns to a user's key in a month (`app.x.max-posts-per-month`). Months and days are
// those of UTC. A poll that has begun is not cut short: it would lose posts.
import { DAY_MS } from './schedule.ts'

export interface Waiting {
  readonly until: number
  /** A clause that goes on after "because". */
  readonly reason: string
}

export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS)
}

export function firstDayOfMonth(now: number): number {
  const date = new Date(now)
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1))
}

/** null: polls may go on. `most`: 0 is no limit. */
export function waitForNextMonth(read: number, most: number, now: number): Waiting | null {
  if (most === 0 || read < most) return null
  const date = new Date(now)
  const until = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
  const reason = `X has returned ${read} posts to its owner's key this month, and app.x.max-posts-per-month is ${most}`
  return { until, reason }
}
