// The configuration of a seeded world. Waits are short, so that hours are enough to see them end.
import { configFrom } from '../../src/config.ts'
import type { Config } from '../../src/ports/config.ts'
import { pick, streamOf } from '../seeded.ts'
import type { SeedPlan } from './plan.ts'

export const MAX_BACKOFF_HOURS = 2

export function configOf(plan: SeedPlan): Config {
  const chance = streamOf(plan.seed, 'config')
  return configFrom({
    database: { url: 'file::memory:' },
    source: {
      // About as many ticks in each world, whatever time it covers.
      tickSeconds: Math.max(60, Math.round(plan.minutes / 60) * pick(chance, [60, 90])),
      pollDelaySeconds: { rss: pick(chance, [0, 2, 10]), website: 2 },
      hostOverrides: { 'h0.test': { pollDelaySeconds: pick(chance, [0, 3, 60]) } },
      maxBackoffHours: MAX_BACKOFF_HOURS,
      breaker: { failures: pick(chance, [0, 3, 3]), sources: pick(chance, [1, 2]), waitHours: 2 },
      maxConcurrentHosts: pick(chance, [1, 2, 64]),
    },
  })
}
