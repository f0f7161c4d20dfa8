// The whole engine in 200 seeded worlds in which everything goes wrong, without real time and without sockets. See
// docs/reliability.md; `npm run simulate -- seeds --count 10000` runs more of them.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { MUTANTS } from '../../bench/seeds/mutants.ts'
import { planOf } from '../../bench/seeds/plan.ts'
import { runSeed } from '../../bench/seeds/run-seed.ts'
import { shrink } from '../../bench/seeds/shrink.ts'
import { inWords, runSeeds } from '../../bench/seeds/simulate-seeds.ts'

const SEEDS = 200
/** A busy machine takes its time: a test must not run into its limit. */
const SEEDS_PER_TEST = 20
const run = promisify(execFile)
const MUTATE = new URL('../../bench/seeds/mutate.ts', import.meta.url).href
const MUTANT_RUN = fileURLToPath(new URL('../../bench/seeds/run-mutant.ts', import.meta.url))

for (let from = 1; from < SEEDS; from += SEEDS_PER_TEST) {
  test(`no promise is broken in worlds with faults of every kind: seeds from ${from} on`, async () => {
    const { seeds, requests, records, broken } = await runSeeds(from, SEEDS_PER_TEST)
    if (broken) assert.fail(inWords(await shrink(broken)))
    assert.equal(seeds, SEEDS_PER_TEST)
    // The worlds are worth looking at: something happens in them.
    assert.ok(requests > 30 * seeds && records > 20 * seeds, `${requests} requests, ${records} records`)
  })
}

test('the same seed gives the same world, request by request and record by record', async () => {
  const plan = planOf(25)
  const [first, second] = [await runSeed(plan), await runSeed(plan)]
  assert.ok(first.lives > 1, 'a world with crashes')
  assert.deepEqual(second, first)
})

for (const mutant of MUTANTS) {
  test(`an engine with a fault is noticed: ${mutant.name}`, async () => {
    const { stdout } = await run(process.execPath, ['--import', MUTATE, MUTANT_RUN, String(mutant.seed)], {
      env: { ...process.env, MUTANT: mutant.name },
    })
    assert.match(stdout, /^noticed: /m)
  })
}
