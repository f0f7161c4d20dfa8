// How much was polled: by day for a source, by hour for a podcast or for everything that a caller may see. Hours and days
// without polls are there too, with zeros.
import type { PollTotals } from '../../ports/polling-store.ts'
import type { Store } from '../../ports/store.ts'
import type { ActivityView } from '../shapes/answers.ts'
import { iso } from '../shapes/views.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOTHING: PollTotals = { polls: 0, failures: 0, notModified: 0, created: 0, bytes: 0 }

export async function activityByDay(
  store: Pick<Store, 'pollDays'>,
  sourceId: string,
  { days, now }: { readonly days: number; readonly now: number },
): Promise<ActivityView> {
  const first = Math.floor(now / DAY_MS) - days + 1
  return spanOf(await store.pollDays(sourceId, first), { first, count: days, stepMs: DAY_MS })
}

export async function activityByHour(
  store: Pick<Store, 'pollHours'>,
  scope: { readonly podcastId: string | null; readonly userId: string | null },
  { hours, now }: { readonly hours: number; readonly now: number },
): Promise<ActivityView> {
  const first = Math.floor(now / HOUR_MS) - hours + 1
  return spanOf(await store.pollHours({ ...scope, fromHour: first }), { first, count: hours, stepMs: HOUR_MS })
}

function spanOf(
  totals: ReadonlyMap<number, PollTotals>,
  { first, count, stepMs }: { readonly first: number; readonly count: number; readonly stepMs: number },
): ActivityView {
  const steps = Array.from({ length: count }, (_, index) => first + index)
  return { items: steps.map((step) => ({ at: iso(step * stepMs), ...(totals.get(step) ?? NOTHING) })) }
}
