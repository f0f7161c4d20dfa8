// npm run simulate -- seeds [--count 10000] [--from 1] or --seed N [--hosts N] [--sources N] [--minutes N] [--faults a,b]
// Runs the whole engine in seeded worlds. The first broken promise is shrunk, and printed with how to run it again.
import { parseArgs } from 'node:util'
import { commandOf, faultsFrom, planOf, type SeedPlan } from './plan.ts'
import { runSeed, type SeedResult } from './run-seed.ts'
import { shrink } from './shrink.ts'

export interface SeedsSummary {
  readonly seeds: number
  readonly requests: number
  readonly records: number
  readonly crashes: number
  readonly broken: SeedResult | null
}

export async function runSeeds(
  from: number,
  count: number,
  onSeed = (_seed: number): void => {},
): Promise<SeedsSummary> {
  const sum = { seeds: 0, requests: 0, records: 0, crashes: 0 }
  for (let seed = from; seed < from + count; seed++) {
    const result = await runSeed(planOf(seed))
    sum.seeds++
    sum.requests += result.requests
    sum.records += result.records
    sum.crashes += result.lives - 1
    if (result.violation) return { ...sum, broken: result }
    onSeed(seed)
  }
  return { ...sum, broken: null }
}

export function inWords({ plan, violation }: SeedResult): string {
  return `${violation}\n  to see it again: ${commandOf(plan)}`
}

export async function simulateSeeds(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      count: { type: 'string', default: '200' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      hosts: { type: 'string' },
      sources: { type: 'string' },
      minutes: { type: 'string' },
      faults: { type: 'string' },
    },
  })
  if (values.seed !== undefined) return simulateOne(planOf(Number(values.seed), sizeFrom(values)))
  const startedAt = performance.now()
  const summary = await runSeeds(Number(values.from), Number(values.count), (seed) => {
    if (seed % 100 === 0) console.log(`  seed ${seed}`)
  })
  const { seeds, requests, records, crashes, broken } = summary
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${seeds} seeds, ${requests} requests, ${records} polls, ${crashes} crashes, ${seconds} s`)
  if (!broken) return true
  console.log(`seed ${broken.plan.seed} breaks a promise; looking for the smallest world in which it does`)
  console.log(inWords(await shrink(broken)))
  return false
}

async function simulateOne(plan: SeedPlan): Promise<boolean> {
  const result = await runSeed(plan)
  const { requests, records, lives, digest } = result
  console.log(`${requests} requests, ${records} polls, ${lives - 1} crashes, digest ${digest}`)
  console.log(result.violation ? inWords(result) : 'every promise was kept')
  return result.violation === null
}

function sizeFrom(values: Readonly<Record<string, string | undefined>>): Partial<SeedPlan> {
  const { hosts, sources, minutes, faults } = values
  return {
    ...(hosts !== undefined && { hosts: Number(hosts) }),
    ...(sources !== undefined && { sources: Number(sources) }),
    ...(minutes !== undefined && { minutes: Number(minutes) }),
    ...(faults !== undefined && { faults: faultsFrom(faults) }),
  }
}
