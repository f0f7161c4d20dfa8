// What `npm run simulate -- --sources 1000000 --hosts 200000 --days 7` shows, on a smaller scale and as a promise.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulateScale } from '../../bench/scale/simulate-scale.ts'

const SIZE = { sources: 3000, hosts: 300, days: 2, workers: 1, delaySeconds: 1, seed: 7 }

test('thousands of sources on hosts of all sizes: no host is asked too soon, and no host waits for another', () => {
  const figures = simulateScale(SIZE)
  assert.deepEqual([figures.overlaps, figures.tooSoon, figures.whileClosed], [0, 0, 0])
  assert.ok(figures.polls > 80_000 && figures.failures > 100, `${figures.polls} polls, ${figures.failures} failures`)
  // Twice a second somebody looks for what is due.
  assert.ok(figures.lag.quantile(0.5) < 1000 && figures.lag.quantile(0.99) < 60_000, figures.table())
  assert.equal(simulateScale(SIZE).polls, figures.polls, 'the same seed gives the same week')
})

test('a host that has no time for all its sources keeps only them waiting', () => {
  const figures = simulateScale({ ...SIZE, delaySeconds: 40 })
  assert.ok(figures.saturatedHosts > 0)
  assert.equal(figures.violations, 0)
  assert.ok(figures.saturatedLag.quantile(0.5) > 100 * figures.lag.quantile(0.5), figures.table())
})
