// Politeness conformance: the whole product against a server that watches. `npm run politeness` prints the same checks.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CHECKS } from '../../bench/politeness/checks.ts'

for (const [group, checks] of Map.groupBy(CHECKS, (check) => check.group)) {
  describe(group, () => {
    for (const check of checks) {
      test(check.property, async () => {
        const { seen, expected } = await check.run()
        assert.equal(seen, expected)
      })
    }
  })
}
