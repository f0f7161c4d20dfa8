// Whether this server can do its work: the store answers and can be written, and its disk has room. Anybody may ask this
// without a token, so a write that succeeded counts for two seconds: asking often must not cause many writes.
import { performance } from 'node:perf_hooks'
import { isNearlyFull } from '../../domain/disk-space.ts'
import { Problem } from '../../domain/problem.ts'
import { toProblem } from '../http/problem-answers.ts'
import type { ApiParts } from '../parts.ts'

const COUNTS_MS = 2_000

/** Throws the problem 'not-ready' with the reason. */
export type RequireReady = () => Promise<void>

export function createRequireReady({ store, clock, log }: Pick<ApiParts, 'store' | 'clock' | 'log'>): RequireReady {
  let goodUntil = 0
  let isDiskReported = false

  async function requireRoom(): Promise<void> {
    const space = await store.diskSpace()
    if (!space || !isNearlyFull(space)) {
      isDiskReported = false
      return
    }
    const detail = `The disk of the database is nearly full: ${Math.round(space.freeBytes / 1e6)} MB are free.`
    if (!isDiskReported && log) log.error({ ...space }, detail)
    isDiskReported = true
    throw new Problem('not-ready', detail)
  }

  async function requireWritable(): Promise<void> {
    if (performance.now() < goodUntil) return
    await store.probeWrite(clock.now())
    goodUntil = performance.now() + COUNTS_MS
  }

  return async () => {
    await store.ping().catch(() => {
      throw new Problem('not-ready', 'The store does not answer.')
    })
    try {
      await requireWritable()
      await requireRoom()
    } catch (error) {
      if (error instanceof Problem) throw error
      const isFull = toProblem(error).code === 'storage-full'
      throw new Problem('not-ready', isFull ? 'The disk of the database is full.' : UNWRITABLE)
    }
  }
}

const UNWRITABLE = 'The store cannot be written. The log says why.'
