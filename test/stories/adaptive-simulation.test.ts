// What `npm run simulate -- adaptive` shows, on a smaller scale and as a promise.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulateAdaptive } from '../../bench/adaptive/simulate-adaptive.ts'

test('adaptive sources wait no longer than every 30 minutes, with 40% of the requests, and miss nothing', () => {
  // No rule was tuned on this seed.
  const { rows, quiet } = simulateAdaptive({ feeds: 100, days: 14, quietFeeds: 100, quietMonths: 12, seed: 7 })
  const [fixed, adaptive] = [rows.get('every 30 minutes'), rows.get('adaptive')]
  assert.ok(fixed && adaptive)
  assert.ok(adaptive.requestsPerDay <= 0.4 * fixed.requestsPerDay, `${adaptive.requestsPerDay} requests a day`)
  assert.ok(adaptive.meanMinutes <= fixed.meanMinutes, `${adaptive.meanMinutes} minutes`)
  assert.ok(adaptive.p95Minutes <= fixed.p95Minutes, `${adaptive.p95Minutes} minutes for 95%`)
  assert.equal(adaptive.missed, 0)
  assert.ok(quiet.falseAlarms <= 2, `${quiet.falseAlarms} false alarms in ${quiet.sourceMonths} source-months`)
  assert.ok(quiet.found > 0 && quiet.latestDays <= 7)
})
