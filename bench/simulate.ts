// npm run simulate -- adaptive: see adaptive/simulate-adaptive.ts. Set FEEDS, DAYS, QUIET_FEEDS, QUIET_MONTHS and SEEDS
// (like 1,2,3) to change its size. The first seed gets the whole table, the others a line each.
// npm run simulate -- seeds: see seeds/simulate-seeds.ts.
// npm run simulate -- crashes: see crashes/simulate-crashes.ts.
// npm run simulate -- --sources 1000000 --hosts 200000 --days 7: see scale/simulate-scale.ts.
import { lineOf, simulateAdaptive, tableOf } from './adaptive/simulate-adaptive.ts'
import { simulateSeeds } from './seeds/simulate-seeds.ts'

const number = (name: string, fallback: number): number => Number(process.env[name] ?? fallback)

function adaptive(): boolean {
  const size = {
    feeds: number('FEEDS', 300),
    days: number('DAYS', 42),
    quietFeeds: number('QUIET_FEEDS', 500),
    quietMonths: number('QUIET_MONTHS', 24),
  }
  const seeds = (process.env.SEEDS ?? '1,2,3').split(',').map(Number)
  console.log(`${size.feeds} feeds for ${size.days} days`)
  const started = performance.now()
  for (const [index, seed] of seeds.entries()) {
    const result = simulateAdaptive({ ...size, seed })
    console.log(index === 0 ? tableOf(result) : lineOf(seed, result))
  }
  console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`)
  return true
}

const SIMULATIONS: Readonly<Record<string, (args: string[]) => boolean | Promise<boolean>>> = {
  adaptive,
  seeds: simulateSeeds,
  scale: async (args) => (await import('./scale/simulate-scale.ts')).simulateFromArgs(args),
  crashes: async (args) => (await import('./crashes/simulate-crashes.ts')).simulateCrashes(args),
}

const given = process.argv.slice(2)
const [name = '', ...args] = given[0]?.startsWith('--') ? ['scale', ...given] : given
const simulation = SIMULATIONS[name]
if (!simulation) {
  console.error(`usage: npm run simulate -- ${Object.keys(SIMULATIONS).join(' | ')}`)
  process.exit(2)
}
process.exitCode = (await simulation(args)) ? 0 : 1
