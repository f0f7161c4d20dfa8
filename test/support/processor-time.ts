/**
 * Bounds on work, judged by the time the thread ran for it. Every try holds the whole work, but a garbage collection,
 * cold code or a neighbour on the machine only comes now and then: what keeps its bound once is able to.
 */

import assert from 'node:assert/strict'

const TRIES = 5

export async function assertWithin(boundMs: number, work: () => unknown): Promise<void> {
  await assertLeastWithin(boundMs, () => threadMs(work))
}

export async function assertLeastWithin(boundMs: number, measure: () => number | Promise<number>): Promise<void> {
  const ms = await leastMs(boundMs, measure)
  assert.ok(ms < boundMs, `${ms} ms of work, ${boundMs} ms allowed`)
}

/** The least of several measurements, the last of which is the first that kept the bound. */
export async function leastMs(boundMs: number, measure: () => number | Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && least >= boundMs; tries++) least = Math.min(least, await measure())
  return least
}

async function threadMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** The longest work of this thread between two turns of its event loop, in processor time: a busy machine does not count. */
export async function longestStretchMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let working = true
  let used = process.threadCpuUsage()
  const turn = () => {
    const { user, system } = process.threadCpuUsage(used)
    longest = Math.max(longest, (user + system) / 1000)
    used = process.threadCpuUsage()
    if (working) setImmediate(turn)
  }
  turn()
  try {
    await work()
    await new Promise((resolve) => setImmediate(resolve))
  } finally {
    working = false
  }
  return longest
}
