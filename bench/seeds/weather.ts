// What is wrong with a host, and when: periods of trouble between longer ones in which all is well.
import { HOUR_MS, MINUTE_MS } from '../../src/domain/schedule.ts'
import { between, type Chance, pick, streamOf, wholeBetween } from '../seeded.ts'
import type { Fault, SeedPlan } from './plan.ts'

export type Trouble =
  | { readonly kind: 'status'; readonly status: number }
  /** `hint`: how the host says for how long; null: it does not. */
  | {
      readonly kind: 'throttle'
      readonly status: 429 | 503
      readonly hint: 'seconds' | 'date' | null
      readonly seconds: number
    }
  | { readonly kind: 'quota'; readonly seconds: number }
  | { readonly kind: 'slow' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'error'; readonly code: 'ECONNRESET' | 'ECONNREFUSED' | 'ENOTFOUND' | 'EAI_AGAIN' }
  | { readonly kind: 'redirect'; readonly status: 301 | 302 | 308; readonly away: boolean }
  | { readonly kind: 'garbage' }

export interface Period {
  readonly from: number
  readonly until: number
  readonly trouble: Trouble
  /** The only feed that is affected; null: the whole host. */
  readonly feed: number | null
}

const TROUBLES: Partial<Record<Fault, (chance: Chance) => Trouble>> = {
  status: (chance) =>
    chance() < 0.15 ? { kind: 'garbage' } : { kind: 'status', status: pick(chance, [403, 404, 404, 410, 500, 503]) },
  throttle: (chance) => {
    const seconds = wholeBetween(chance, 60, 5400)
    if (chance() < 0.25) return { kind: 'quota', seconds }
    return {
      kind: 'throttle',
      status: pick(chance, [429, 503]),
      hint: pick(chance, ['seconds', 'date', null]),
      seconds,
    }
  },
  slow: (chance) => ({ kind: pick(chance, ['slow', 'slow', 'silent']) }),
  reset: (chance) => ({ kind: 'error', code: pick(chance, ['ECONNRESET', 'ECONNREFUSED']) }),
  redirect: (chance) => ({ kind: 'redirect', status: pick(chance, [301, 302, 308]), away: chance() < 0.7 }),
  dns: (chance) => ({ kind: 'error', code: pick(chance, ['ENOTFOUND', 'EAI_AGAIN']) }),
}

/** Of one host, in true time since the start. */
export function weatherOf(plan: SeedPlan, host: number): readonly Period[] {
  const chance = streamOf(plan.seed, `weather ${host}`)
  const possible = Object.keys(TROUBLES).filter((fault) => plan.faults.some((one) => one === fault)) as Fault[]
  const endMs = plan.minutes * MINUTE_MS
  const periods: Period[] = []
  for (let at = between(chance, 0, HOUR_MS); at < endMs && possible.length > 0; ) {
    const until = Math.min(endMs, at + between(chance, MINUTE_MS, 2.5 * HOUR_MS))
    const trouble = TROUBLES[pick(chance, possible)]?.(chance)
    const feed = chance() < 0.3 ? Math.floor(chance() * plan.sources) : null
    if (trouble) periods.push({ from: at, until, trouble, feed })
    at = until + between(chance, 10 * MINUTE_MS, 3 * HOUR_MS)
  }
  return periods
}

/** When our own connection is down. */
export function outagesOf(plan: SeedPlan): readonly Period[] {
  if (!plan.faults.includes('outage')) return []
  const chance = streamOf(plan.seed, 'outage')
  const endMs = plan.minutes * MINUTE_MS
  const from = between(chance, 0.2, 0.6) * endMs
  const until = Math.min(endMs, from + between(chance, 5 * MINUTE_MS, 3 * HOUR_MS))
  const trouble: Trouble = { kind: 'error', code: pick(chance, ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED']) }
  return [{ from, until, trouble, feed: null }]
}

export function troubleAt(periods: readonly Period[], at: number, feed: number | null): Trouble | null {
  const period = periods.find((one) => one.from <= at && at < one.until && (one.feed === null || one.feed === feed))
  return period?.trouble ?? null
}
