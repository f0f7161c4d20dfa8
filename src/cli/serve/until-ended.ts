// A command that runs until it is asked to end, and then finishes what is in flight, or gives it up in time.
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../../ports/log.ts'
import type { OpenedApp, World } from '../command-context.ts'

// Together below the 15 s after which others lose patience.
const CLOSE_MS = 10_000
const GIVE_UP_MS = 13_000

interface Running {
  readonly world: Pick<World, 'ending'>
  readonly log: Log
  readonly app: Pick<OpenedApp, 'close'>
  readonly giveUpMs?: number
}

export async function untilEnded(running: Running, begin: () => Promise<void>): Promise<number> {
  const { world, log } = running
  try {
    await begin()
    if (!world.ending.aborted) await once(world.ending, 'abort')
  } catch (error) {
    await closedInTime(running)
    throw error
  }
  log.info({}, 'ending: finishing what is in flight')
  if (await closedInTime(running)) log.info({}, 'ended')
  else log.warn({}, 'ended without waiting any longer: what was not recorded is polled again')
  return 0
}

async function closedInTime({ app, giveUpMs = GIVE_UP_MS }: Running): Promise<boolean> {
  const closed = app.close(CLOSE_MS).then(() => true)
  return Promise.race([closed, wait(giveUpMs, false, { ref: false })])
}
