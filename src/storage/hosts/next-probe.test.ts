import assert from 'node:assert/strict'
import { useEngines } from '../../../test/support/engines.ts'
import { TEST_START as NOW } from '../../../test/support/manual-clock.ts'
import { putSource } from '../../../test/support/posts.ts'
import type { Store } from '../../ports/store.ts'
import { countGoodHosts, hostsThatWorked, laneRotation } from './next-probe.ts'

const onBothEngines = useEngines()

const LANES = ['a.example', 'board:ann', 'board:bob', 'x:ann', 'x:bob']
const WORKED = { since: NOW - 1, now: NOW, except: [], limit: 9 }

async function addLanes(store: Store): Promise<void> {
  for (const lane of LANES) {
    await putSource(store, { lane })
    await store.changeHost(lane, () => ({ lastPollOk: true, lastSucceededAt: NOW }))
  }
}

onBothEngines('the lanes of all owners at a service count as one host, for each service', async ({ store, db }) => {
  await addLanes(store)
  const types = { services: ['x', 'board'] }
  assert.equal(await countGoodHosts(db, types, []), 3)
  assert.equal(await countGoodHosts(db, types, ['board']), 2)
  const worked = await hostsThatWorked(db, types, WORKED)
  assert.deepEqual(
    worked.map(({ lane }) => lane),
    ['a.example', 'x:ann', 'board:ann'],
  )
  const turn = (after: string | null) => laneRotation(db, types, { now: NOW, after })
  assert.deepEqual(await turn('a.example'), ['a.example', 'board:ann'])
  assert.deepEqual(await turn('board:ann'), ['a.example', 'x:ann'])
  assert.deepEqual(await turn('x:ann'), ['a.example'])
})

onBothEngines('where no type has lanes of owners, each lane is a host', async ({ store, db }) => {
  await addLanes(store)
  const types = { services: [] }
  assert.equal(await countGoodHosts(db, types, []), LANES.length)
  assert.equal((await hostsThatWorked(db, types, WORKED)).length, LANES.length)
  assert.deepEqual(await laneRotation(db, types, { now: NOW, after: 'x:ann' }), ['a.example', 'x:bob'])
})
