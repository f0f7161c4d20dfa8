import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { tempStore } from '../../../test/support/temp-store.ts'
import { configFrom } from '../../config.ts'
import { BUILT_IN_TYPES } from '../../domain/built-in-types.ts'
import type { OutageState } from '../../domain/outage.ts'
import type { PollRecord } from '../../domain/outcome.ts'
import { HostNotFree, Problem } from '../../domain/problem.ts'
import type { Source } from '../../domain/source.ts'
import { silentLog } from '../../log.ts'
import { OutageWatch } from './outage-watch.ts'

const RULES = configFrom({}).source
const SUSPECTED: OutageState = {
  kind: 'suspected',
  run: { since: 0, hosts: ['a.example', 'b.example', 'c.example'], outOf: 4, failures: [] },
  probes: null,
}

/** A watch that takes up a suspicion and asks one other host, whose probe ends like this. */
async function judgedAfterProbe(finished: () => Promise<PollRecord>): Promise<boolean> {
  await using temp = await tempStore()
  await temp.store.writeMeta('outage', JSON.stringify(SUSPECTED))
  const { promise: isJudged, resolve } = Promise.withResolvers<void>()
  const writeMeta: typeof temp.store.writeMeta = async (key, value, events) => {
    await temp.store.writeMeta(key, value, events)
    if (JSON.parse(value).kind !== 'suspected') resolve()
  }
  const watch = new OutageWatch({
    clock: new ManualClock(),
    log: silentLog,
    store: { ...temp.store, writeMeta, hostsThatWorked: async () => [{ lane: 'other.example' }] as never },
    rules: RULES,
    types: BUILT_IN_TYPES,
    probe: async () => ({ source: { id: '1', version: 1 } as Source, finished: finished() }),
    spreadOverdue: async () => {},
  })
  await watch.tick(0)
  await isJudged
  return watch.outage !== null
}

test('a probe whose host sent it on shows that the way out is free', async () => {
  const putOff = () => Promise.reject(new HostNotFree(1, 'the target is busy'))
  assert.equal(await judgedAfterProbe(putOff), false)
})

test('a probe that was given up before it went out shows nothing', async () => {
  const givenUp = () => Promise.reject(new Problem('not-ready', 'its source was removed'))
  assert.equal(await judgedAfterProbe(givenUp), true)
})

test('a life that ended before the outage was told leaves that to the next, which gives back and tells it once', async () => {
  await using temp = await tempStore()
  const clock = new ManualClock()
  const lines: string[] = []
  const log = { ...silentLog, warn: (_fields: unknown, line: string) => lines.push(line) }
  const run = { since: clock.now(), hosts: ['a.example', 'b.example'], outOf: 2, failures: [] }
  const times = { startedAt: clock.now(), probeAt: 0 }
  const begun: OutageState = { kind: 'outage', run, ...times, probedHost: null, announced: false }
  await temp.store.writeMeta('outage', JSON.stringify(begun))
  const others = { rules: RULES, types: BUILT_IN_TYPES, probe: async () => null, spreadOverdue: async () => {} }
  let isAway = true
  const writeMeta: typeof temp.store.writeMeta = async (...args) => {
    if (isAway) throw new Error('the store is away')
    return temp.store.writeMeta(...args)
  }
  const first = new OutageWatch({ clock, log, store: { ...temp.store, writeMeta }, ...others })
  await assert.rejects(first.tick(clock.now()), /the store is away/)
  isAway = false
  for (const _ of [1, 2]) await first.tick(clock.now())
  await new OutageWatch({ clock, log, store: temp.store, ...others }).tick(clock.now())
  const told = (await temp.store.eventsAfter('0', 10)).map(({ type }) => type)
  assert.deepEqual([told, lines.length], [['outage.started'], 1])
})

test('a store that could not tell of the last life is asked again, so that one moment does not stop polling for good', async () => {
  await using temp = await tempStore()
  let asked = 0
  const readMeta = async (key: string) => {
    if (++asked === 1) throw new Error('the store is away')
    return temp.store.readMeta(key)
  }
  const watch = new OutageWatch({
    clock: new ManualClock(),
    log: silentLog,
    store: { ...temp.store, readMeta },
    rules: RULES,
    types: BUILT_IN_TYPES,
    probe: async () => null,
    spreadOverdue: async () => {},
  })
  await assert.rejects(watch.ready(), /the store is away/)
  await watch.tick(0)
  assert.equal(asked, 2)
  await watch.ready()
  assert.equal(asked, 2)
})
