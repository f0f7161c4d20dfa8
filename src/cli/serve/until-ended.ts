// Runs a command until it is asked to end. Then requests and polls in flight may finish, within a limit.
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../../ports/log.ts'
import type { CommandContext, OpenedApp } from '../command-context.ts'

// Both are below 15 s, after which service managers often kill a process.
const CLOSE_MS = 10_000
const GIVE_UP_MS = 13_000

interface Running {
  readonly context: Pick<CommandContext, 'ending'>
  readonly log: Log
  readonly app: Pick<OpenedApp, 'close'>
  readonly giveUpMs?: number
}

export async function runUntilEnded(running: Running, begin: () => Promise<void>): Promise<number> {
  const { context, log } = running
  try {
    await begin()
    if (!context.ending.aborted) await once(context.ending, 'abort')
  } catch (error) {
    await closeInTime(running)
    throw error
  }
  log.info({}, 'ending: finishing what is in flight')
  if (await closeInTime(running)) log.info({}, 'ended')
  else log.warn({}, 'ended without waiting any longer: what was not recorded is polled again')
  return 0
}

async function closeInTime({ app, giveUpMs = GIVE_UP_MS }: Running): Promise<boolean> {
  const closed = app.close(CLOSE_MS).then(() => true)
  return Promise.race([closed, wait(giveUpMs, false, { ref: false })])
}
