// A command that runs until it is asked to end, and then finishes what is in flight, or gives it up in time.
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../ports/log.ts'
import type { OpenedApp, World } from './world.ts'

// Together below the 15 s after which others lose patience.
const CLOSE_MS = 10_000
const GIVE_UP_MS = 13_000

interface Running {
  readonly world: Pick<World, 'ending'>
  readonly log: Log
  readonly app: Pick<OpenedApp, 'close'>
}

export async function untilEnded({ world, log, app }: Running, begin: () => Promise<void>): Promise<number> {
  try {
    await begin()
    if (!world.ending.aborted) await once(world.ending, 'abort')
    log.info({}, 'ending: finishing what is in flight')
    return 0
  } finally {
    await Promise.race([app.close(CLOSE_MS), wait(GIVE_UP_MS, undefined, { ref: false })])
  }
}
