import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WriteQueue } from './write-queue.ts'

test('writers work one at a time, in the order in which they came', async () => {
  const queue = new WriteQueue()
  const order: string[] = []
  const work = async (name: string) => {
    const leave = await queue.enter()
    order.push(`${name} in`)
    await new Promise((resolve) => setImmediate(resolve))
    order.push(`${name} out`)
    leave()
  }
  await Promise.all(['a', 'b', 'c'].map(work))
  assert.deepEqual(order, ['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
})
