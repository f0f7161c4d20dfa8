// npm run simulate -- adaptive: see adaptive/simulate-adaptive.ts. Set FEEDS, DAYS, QUIET_FEEDS, QUIET_MONTHS and SEED
// to change its size.
import { simulateAdaptive, tableOf } from './adaptive/simulate-adaptive.ts'

const number = (name: string, fallback: number): number => Number(process.env[name] ?? fallback)

if (process.argv[2] !== 'adaptive') {
  console.error('usage: npm run simulate -- adaptive')
  process.exit(2)
}
const size = {
  feeds: number('FEEDS', 300),
  days: number('DAYS', 42),
  quietFeeds: number('QUIET_FEEDS', 500),
  quietMonths: number('QUIET_MONTHS', 24),
  seed: number('SEED', 1),
}
console.log(`${size.feeds} feeds for ${size.days} days`)
const started = performance.now()
const result = simulateAdaptive(size)
console.log(tableOf(result))
console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`)
