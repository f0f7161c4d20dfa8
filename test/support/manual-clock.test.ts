import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { ManualClock, TEST_START } from './manual-clock.ts'

test('time stands still until it is advanced', async () => {
  const clock = new ManualClock(1_000)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(clock.now(), 1_000)
  await clock.advance(250)
  assert.equal(clock.now(), 1_250)
  await clock.advanceTo(5_000)
  assert.equal(clock.now(), 5_000)
  assert.equal(new ManualClock().now(), TEST_START)
})

test('sleepers wake in the order of their instants, each at its own', async () => {
  const clock = new ManualClock(0)
  const woken: [string, number][] = []
  const sleeper = async (name: string, ms: number): Promise<void> => {
    await clock.sleep(ms)
    woken.push([name, clock.now()])
  }
  const all = [sleeper('late', 300), sleeper('early', 100), sleeper('also early', 100), sleeper('beyond', 301)]
  assert.deepEqual(clock.pending, [100, 100, 300, 301])
  await clock.advance(99)
  assert.deepEqual(woken, [])
  await clock.advance(201)
  assert.deepEqual(woken, [
    ['early', 100],
    ['also early', 100],
    ['late', 300],
  ])
  assert.deepEqual(clock.pending, [301])
  await clock.advance(1)
  await Promise.all(all)
})

test('a sleep begun by somebody who was just woken ends within the same advance', async () => {
  const clock = new ManualClock(0)
  const beats: number[] = []
  const loop = async (): Promise<void> => {
    for (let beat = 0; beat < 5; beat += 1) {
      await clock.sleep(10)
      await new Promise((resolve) => setImmediate(resolve))
      beats.push(clock.now())
    }
  }
  const looping = loop()
  await clock.advance(100)
  assert.deepEqual(beats, [10, 20, 30, 40, 50])
  await looping
})

test('a wait of 0, or of less, does not sleep', async () => {
  const clock = new ManualClock(7)
  await clock.sleep(0)
  await clock.sleep(-5)
  assert.deepEqual(clock.pending, [])
  assert.equal(clock.now(), 7)
})

test('an aborted sleep rejects with the reason and leaves nothing behind', async () => {
  const clock = new ManualClock(0)
  const controller = new AbortController()
  const sleeping = clock.sleep(50, controller.signal)
  controller.abort(new Error('stopped'))
  await assert.rejects(sleeping, /stopped/)
  assert.deepEqual(clock.pending, [])
  await assert.rejects(clock.sleep(50, controller.signal), /stopped/)
  await assert.rejects(clock.sleep(0, controller.signal), /stopped/)
})

test('an abort after the sleep ended changes nothing', async () => {
  const clock = new ManualClock(0)
  const controller = new AbortController()
  const sleeping = clock.sleep(50, controller.signal)
  await clock.advance(50)
  await sleeping
  assert.deepEqual(getEventListeners(controller.signal, 'abort'), [], 'nobody waits for it any more')
  controller.abort(new Error('too late'))
  assert.equal(await sleeping, undefined)
})

test('a clock set back wakes nobody, and who sleeps goes on for as long as before', async () => {
  const clock = new ManualClock(10_000)
  let awake = false
  const sleeping = clock.sleep(100).then(() => {
    awake = true
  })
  clock.setTo(2_000)
  await clock.advance(99)
  assert.equal(awake, false)
  await clock.advance(1)
  assert.equal(awake, true)
  assert.equal(clock.now(), 2_100)
  await sleeping
})

test('advancing goes forward only, and one at a time', async () => {
  const clock = new ManualClock(100)
  await assert.rejects(clock.advanceTo(99), RangeError)
  const first = clock.advance(1)
  await assert.rejects(clock.advance(1), /already/)
  await first
  await clock.advance(1)
  assert.equal(clock.now(), 102)
})

test('with autoAdvance, sleeping moves time by itself, in the order of wake instants', async () => {
  const clock = new ManualClock(0, { autoAdvance: true })
  const woken: [string, number][] = []
  const loop = async (name: string, ms: number, times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      await clock.sleep(ms)
      woken.push([name, clock.now()])
    }
  }
  await Promise.all([loop('day', 86_400_000, 1), loop('a', 30, 3), loop('b', 20, 3)])
  assert.deepEqual(woken, [
    ['b', 20],
    ['a', 30],
    ['b', 40],
    ['a', 60],
    ['b', 60],
    ['a', 90],
    ['day', 86_400_000],
  ])
  await clock.sleep(5)
  assert.equal(clock.now(), 86_400_005)
})

test('with autoAdvance on a condition, time stands still while it does not hold', async () => {
  let idle = false
  const clock = new ManualClock(0, { autoAdvance: () => idle })
  const sleeping = clock.sleep(40)
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(clock.now(), 0)
  await clock.advance(15)
  assert.equal(clock.now(), 15)
  idle = true
  await sleeping
  assert.equal(clock.now(), 40)
})
