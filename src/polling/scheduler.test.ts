import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { tempStore } from '../../test/support/temp-store.ts'
import { configFrom } from '../config.ts'
import { HOUR_MS, MINUTE_MS } from '../domain/schedule.ts'
import { silentLog } from '../log.ts'
import type { Store } from '../ports/store.ts'
import { Scheduler } from './scheduler.ts'

type Meanwhile = (store: Store, clock: ManualClock) => Partial<Store>
const nothing: Meanwhile = () => ({})

async function schedulerWorld({ isPaused = (): boolean => false, tickSeconds = 60, meanwhile = nothing } = {}) {
  const clock = new ManualClock()
  const temp = await tempStore({ now: clock.now() })
  const ticks: { at: number; overslept: boolean }[] = []
  const scheduler: Scheduler = new Scheduler({
    ...{ clock, log: silentLog, random: () => 0, isPaused, wake: () => {} },
    clockDoubt: { isTrusted: async () => true },
    store: { ...temp.store, ...meanwhile(temp.store, clock) },
    rules: configFrom({ source: { tickSeconds } }).source,
    beforeWaking: async () => {
      ticks.push({ at: clock.now(), overslept: scheduler.hasOverslept(clock.now()) })
    },
  })
  const until = async (count: number) => {
    while (ticks.length < count || clock.pending.length === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    ...{ clock, scheduler, ticks, until, store: temp.store },
    async [Symbol.asyncDispose]() {
      await scheduler.stop()
      await temp.remove()
    },
  }
}

test('after a sleep nothing scheduled goes out before the tick that spreads it, and that tick may go out', async () => {
  await using world = await schedulerWorld()
  const { clock, scheduler, ticks, until } = world
  scheduler.start()
  await until(1)
  assert.equal(scheduler.hasOverslept(clock.now()), false)
  clock.setTo(clock.now() + 8 * HOUR_MS)
  assert.equal(scheduler.hasOverslept(clock.now()), true)
  await clock.advance(MINUTE_MS)
  await until(2)
  assert.equal(ticks[1]?.overslept, false)
})

test('without a loop of its own there is no sleep to speak of: whoever ticks by hand decides', async () => {
  await using world = await schedulerWorld()
  await world.scheduler.tick()
  assert.equal(world.scheduler.hasOverslept(world.clock.now() + 8 * HOUR_MS), false)
})

test('in an outage of our own ticks are at most a minute apart', async () => {
  await using world = await schedulerWorld({ isPaused: () => true, tickSeconds: 900 })
  world.scheduler.start()
  await world.until(1)
  await world.clock.advance(MINUTE_MS)
  await world.until(2)
  assert.equal((world.ticks[1]?.at ?? 0) - (world.ticks[0]?.at ?? 0), MINUTE_MS)
})

test('an outage that begins between two rare ticks does not wait for the second to be probed', async () => {
  let isPaused = false
  await using world = await schedulerWorld({ isPaused: () => isPaused, tickSeconds: 900 })
  const { clock, scheduler, ticks, until } = world
  scheduler.start()
  await until(1)
  await clock.advance(5 * MINUTE_MS)
  assert.equal(ticks.length, 1, 'rare ticks stay rare')
  isPaused = true
  await clock.advance(MINUTE_MS)
  await until(2)
  assert.equal((ticks[1]?.at ?? 0) - (ticks[0]?.at ?? 0), 6 * MINUTE_MS)
  isPaused = false
  await clock.advance(MINUTE_MS)
  await until(3)
  await clock.advance(14 * MINUTE_MS)
  assert.equal(ticks.length, 3)
  await clock.advance(MINUTE_MS)
  await until(4)
})

test('a host that is visited while a tick cleans up is left alone for as long as it would be', async () => {
  const lane = 'slow.example'
  let notBefore = 0
  await using world = await schedulerWorld({
    meanwhile: (store, clock) => ({
      async cleanUp(limits) {
        clock.setTo(clock.now() + 2000)
        notBefore = clock.now() + 30_000
        await store.releaseHost(lane, { startedAt: clock.now(), notBefore }, null)
        return store.cleanUp(limits)
      },
      lastPollEndedAt: async () => clock.now(),
    }),
  })
  await world.scheduler.tick()
  assert.equal((await world.store.hostState(lane))?.notBefore, notBefore)
})
