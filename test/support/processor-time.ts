/**
 * Bounds on work, judged by the time the thread ran for it. Every try holds the whole work, but a garbage collection,
 * cold code or a neighbour on the machine only comes now and then: what keeps its bound once is able to. Where none did,
 * the machine itself is measured, and a slow one is given as much more time as it needs for everything.
 */

import assert from 'node:assert/strict'

const TRIES = 5
/** What `referenceWork` takes on the machine for which the bounds were chosen. */
const REFERENCE_MS = 4

export async function assertWithin(boundMs: number, work: () => unknown): Promise<void> {
  await assertLeastWithin(boundMs, () => threadMs(work))
}

export async function assertLeastWithin(boundMs: number, measure: () => number | Promise<number>): Promise<void> {
  const ms = await leastMs(boundMs, measure)
  assert.ok(ms < boundMs, `${ms} ms of work, ${boundMs} ms allowed`)
}

/** The least of several measurements, the last of which is the first that kept the bound on a machine of usual speed. */
export async function leastMs(boundMs: number, measure: () => number | Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && least >= boundMs; tries++) {
    const ms = await measure()
    least = Math.min(least, ms < boundMs ? ms : ms / (await slowness()))
  }
  return least
}

/** Eight times the input may cost 32 times as much, and not 64 times, as what grows with the square of its input does. */
export async function assertGrowsLinearly(what: string, few: number, work: (count: number) => unknown): Promise<void> {
  const least = async (count: number) =>
    Math.min(await threadMs(() => work(count)), await threadMs(() => work(count)), await threadMs(() => work(count)))
  const short = Math.max(await least(few), 2)
  const long = await leastMs(32 * short, () => threadMs(() => work(8 * few)))
  assert.ok(long < 32 * short, `${what}: ${short} ms, and ${long} ms for eight times as much`)
}

/** How many times slower than usual this machine is now; at least 1. */
async function slowness(): Promise<number> {
  const measured = [await threadMs(referenceWork), await threadMs(referenceWork), await threadMs(referenceWork)]
  return Math.max(1, Math.min(...measured) / REFERENCE_MS)
}

/** Strings, a map and numbers, as most of the code under test. */
function referenceWork(): number {
  const counts = new Map<string, number>()
  for (let n = 0; n < 60_000; n++) {
    const key = `key ${(n * 7919) % 5003}`
    counts.set(key, (counts.get(key) ?? 0) + key.length)
  }
  return counts.size
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
