// The smallest world in which a promise is still broken: fewer faults, sources, hosts and minutes, one change at a time.
import type { SeedPlan } from './plan.ts'
import { runSeed, type SeedResult } from './run-seed.ts'

const TRIES = 60

export async function shrink(broken: SeedResult): Promise<SeedResult> {
  let smallest = broken
  for (let tries = 0; tries < TRIES; ) {
    let smaller: SeedResult | null = null
    for (const plan of smallerThan(smallest.plan)) {
      if (++tries > TRIES) break
      const result = await runSeed(plan)
      if (kindOf(result) !== kindOf(broken)) continue
      smaller = result
      break
    }
    if (!smaller) return smallest
    smallest = smaller
  }
  return smallest
}

/** The promise that was broken. Another one would be another fault. */
function kindOf({ violation }: SeedResult): string | null {
  return violation?.split(':')[0] ?? null
}

function smallerThan(plan: SeedPlan): SeedPlan[] {
  const { faults, sources, hosts, minutes } = plan
  return [
    ...(minutes >= 60 ? [{ ...plan, minutes: Math.floor(minutes / 2) }] : []),
    ...faults.map((fault) => ({ ...plan, faults: faults.filter((one) => one !== fault) })),
    ...(sources > 1
      ? [
          { ...plan, sources: Math.ceil(sources / 2) },
          { ...plan, sources: sources - 1 },
        ]
      : []),
    ...(hosts > 1 ? [{ ...plan, hosts: hosts - 1 }] : []),
    ...(minutes > 30 ? [{ ...plan, minutes: minutes - 15 }] : []),
  ]
}
