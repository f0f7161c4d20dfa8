/** Reads sy:updatePeriod and sy:updateFrequency: so many updates in a period. */
const HOUR_MS = 3_600_000
const PERIODS = new Map(
  Object.entries({
    hourly: HOUR_MS,
    daily: 24 * HOUR_MS,
    weekly: 7 * 24 * HOUR_MS,
    monthly: 30 * 24 * HOUR_MS,
    yearly: 365 * 24 * HOUR_MS,
  }),
)

/** Either may be missing. The defaults of the syndication module are daily and once. */
export function updateRhythm(
  period: string | null,
  frequency: number | null,
): { periodMs: number; frequency: number } | null {
  if (period === null && frequency === null) return null
  const periodMs = PERIODS.get(period ?? 'daily')
  return periodMs === undefined ? null : { periodMs, frequency: frequency ?? 1 }
}
