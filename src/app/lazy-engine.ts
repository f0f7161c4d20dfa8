// An engine that is made when something is asked of it. Most commands only read, and loading all that polls takes longer
// than they run.
import type { PollingEngine } from '../polling/engine.ts'
import type { Engine, EngineStatus } from '../ports/engine.ts'

export type AppEngine = Engine & Pick<PollingEngine, 'rest'>

export const IDLE: EngineStatus = {
  running: false,
  lastTickAt: null,
  nextTickAt: null,
  requestsInFlight: 0,
  lanesAtWork: 0,
  hostsInHand: 0,
  polls: 0,
  outage: null,
}

export function lazyEngine(make: () => Promise<AppEngine>): AppEngine {
  let making: Promise<AppEngine> | null = null
  let made: AppEngine | null = null
  const engine = async (): Promise<AppEngine> => {
    making ??= make()
    made = await making
    return made
  }
  return {
    tick: async () => (await engine()).tick(),
    drain: async () => (await engine()).drain(),
    poll: async (...asked) => (await engine()).poll(...asked),
    queuePoll: async (...asked) => (await engine()).queuePoll(...asked),
    why: async (...asked) => (await engine()).why(...asked),
    resetBreaker: async (...asked) => (await engine()).resetBreaker(...asked),
    testFetch: async (...asked) => (await engine()).testFetch(...asked),
    requestFullText: async (...asked) => (await engine()).requestFullText(...asked),
    start: async () => (await engine()).start(),
    // What was never made has nothing to stop.
    stop: async (...asked) => (making ? (await engine()).stop(...asked) : undefined),
    rest: async () => (making ? (await engine()).rest() : undefined),
    status: () => made?.status() ?? IDLE,
  }
}
