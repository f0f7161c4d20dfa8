import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pace, Turns } from './write-queue.ts'

test('turns are given one at a time, in the order of asking', async () => {
  const turns = new Turns()
  const order: string[] = []
  const work = async (name: string) => {
    const end = await turns.take()
    order.push(`${name} in`)
    await new Promise((resolve) => setImmediate(resolve))
    order.push(`${name} out`)
    end()
  }
  await Promise.all(['a', 'b', 'c'].map(work))
  assert.deepEqual(order, ['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
})

test('the slice of a turn is spent after ten milliseconds of it and whole again in the next', async () => {
  const pace = new Pace()
  assert.equal(pace.spent, false)
  const startedAt = performance.now()
  while (performance.now() - startedAt < 11) {
    // Work.
  }
  assert.equal(pace.spent, true)
  await pace.nextTurn()
  assert.equal(pace.spent, false)
})
